import MarketModel
import OrderMatching

struct KrakenBookLevel: Sendable, Equatable {
  let ticks: Int64
  /// In units of the pair's quantity precision; 0 removes the level.
  let units: Int64
}

/// The best levels that subscribers of one depth have, best first.
struct KrakenTopBook: Sendable, Equatable {
  private(set) var bids: [KrakenBookLevel]
  private(set) var asks: [KrakenBookLevel]

  init(_ market: SimulatedInstrument, _ pair: KrakenPair, depth: Int) {
    func top(_ side: Side) -> [KrakenBookLevel] {
      market.levels(side, limit: depth).map {
        KrakenBookLevel(ticks: $0.price.units, units: pair.quantity($0.quantity).units)
      }
    }
    bids = top(.buy)
    asks = top(.sell)
  }

  /// The changes that lead to `new`, each side best first.
  ///
  /// Levels that fall out at the far end are omitted, as by the venue: clients cut to the depth.
  func changes(
    to new: KrakenTopBook, depth: Int
  ) -> (bids: [KrakenBookLevel], asks: [KrakenBookLevel]) {
    (
      Self.changes(from: bids, to: new.bids, depth: depth) { $0 > $1 },
      Self.changes(from: asks, to: new.asks, depth: depth) { $0 < $1 }
    )
  }

  private static func changes(
    from old: [KrakenBookLevel], to new: [KrakenBookLevel], depth: Int,
    isBetter: (Int64, Int64) -> Bool
  ) -> [KrakenBookLevel] {
    var changes: [KrakenBookLevel] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if right == new.count {
        // Worse than all that is left: it fell out, unless there is room for it.
        if new.count < depth { changes.append(KrakenBookLevel(ticks: old[left].ticks, units: 0)) }
        left += 1
      } else if left == old.count || isBetter(new[right].ticks, old[left].ticks) {
        changes.append(new[right])
        right += 1
      } else if old[left].ticks == new[right].ticks {
        if old[left].units != new[right].units { changes.append(new[right]) }
        (left, right) = (left + 1, right + 1)
      } else {
        changes.append(KrakenBookLevel(ticks: old[left].ticks, units: 0))
        left += 1
      }
    }
    return changes
  }
}

/// The checksum by text, as in the venue's guide: it verifies the client's arithmetic.
struct KrakenProof: Sendable {
  private let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { entry, _ in
      entry & 1 == 1 ? 0xedb8_8320 ^ entry >> 1 : entry >> 1
    }
  }

  /// Of the ten best asks and then the ten best bids.
  func value(_ book: KrakenTopBook, _ pair: KrakenPair) -> UInt32 {
    var crc: UInt32 = .max
    for level in book.asks.prefix(10) + book.bids.prefix(10) {
      let quantity = FixedDecimal(units: level.units, scale: pair.quantityPrecision)
      for number in [pair.price(level.ticks), quantity] {
        let digits = number.description.utf8.filter { $0 != UInt8(ascii: ".") }
        for byte in digits.drop(while: { $0 == UInt8(ascii: "0") }) {
          crc = table[Int((crc ^ UInt32(byte)) & 0xff)] ^ crc >> 8
        }
      }
    }
    return ~crc
  }
}
