// The pairs that nobody looks at: found by name, their past told by the formula, their books opened
// for who listens and closed behind them.

import MarketModel
import OrderMatching

/// A market whose book is open only while somebody listens.
struct KrakenQuietMarket: Sendable {
  /// Up to when the tape holds what the formula gives; nil while the book is open.
  var told: Timestamp?
  /// When somebody last listened.
  var heard: Timestamp
  /// Its figures as a public call told them last.
  var row: KrakenTickerRow?
}

extension SimulatedKraken {
  /// How long a quiet book stays open after the last listener.
  static let quietMilliseconds: Int64 = 60_000
  /// Quiet books that may be open without a listener; of more the ones opened first close.
  static let mostUnheard = 48
  /// Quiet pairs whose hours are kept once they were found; of more the ones asked for first are
  /// found again.
  static let mostRemembered = 64

  /// The number of the first trade after the start; all earlier ones have room below it.
  static func firstTrade(of place: Int) -> Int64 { 10_000_000 * Int64(place + 1) + 1 }

  /// Where the pair of a place in the directory stands; it is made if nobody has asked for it yet.
  mutating func index(at place: Int) -> Int {
    if let index = places[place] { return index }
    let pair = directory.pairs[place]
    let index = market.add(pair.listing)
    pairs.append(pair)
    tapes.append(market.tapeUntilStart(of: index, first: Self.firstTrade(of: place)))
    touches.append(KrakenTouch(market.instruments[index].top, at: begin))
    figures.append(nil)
    quiet.append(KrakenQuietMarket(told: begin, heard: begin))
    places[place] = index
    return index
  }

  /// Brings the tape of a closed book up to a time.
  mutating func tell(_ index: Int, until now: Timestamp) {
    guard let told = quiet[index]?.told, told < now else { return }
    tapes[index].fill(from: told, to: now)
    quiet[index]?.told = now
  }

  /// Opens a quiet book, if it is closed.
  mutating func open(_ index: Int, at now: Timestamp) {
    guard quiet[index]?.told != nil else { return }
    closeSurplus(at: now)
    tell(index, until: now)
    market.open(index, at: now)
    touches[index] = KrakenTouch(market.instruments[index].top, at: now)
    quiet[index]?.told = nil
    quiet[index]?.heard = now
    openQuiet.append(index)
  }

  /// Closes the quiet books that nobody has listened to for a while.
  mutating func closeUnheard(at time: Timestamp) {
    for index in openQuiet {
      guard let heard = quiet[index]?.heard else { continue }
      if clients.isHeard(index) {
        quiet[index]?.heard = max(heard, time)
      } else if time.milliseconds(since: heard) >= Self.quietMilliseconds {
        close(index, at: time)
      }
    }
    closeSurplus(at: time)
  }

  /// Closes the quiet books without a listener that are too many: who scrolls through all pairs
  /// opens each for a moment.
  private mutating func closeSurplus(at time: Timestamp) {
    guard openQuiet.count > Self.mostUnheard else { return }
    let unheard = openQuiet.filter { !clients.isHeard($0) }
    for index in unheard.dropLast(Self.mostUnheard) { close(index, at: time) }
  }

  /// Notes whose past was asked for, so that not every pair's stays in memory.
  mutating func remember(_ index: Int) {
    guard quiet[index] != nil, remembered.last != index else { return }
    remembered.removeAll { $0 == index }
    remembered.append(index)
    guard remembered.count > Self.mostRemembered else { return }
    tapes[remembered.removeFirst()].forgetFormula()
  }

  /// Closes the quiet books whose next step has long been due, where nobody listens.
  mutating func closeOverdue(at now: Timestamp) {
    if openQuiet.isEmpty { return }
    for (index, due) in market.overdue(at: now)
    where quiet[index] != nil && !clients.isHeard(index) {
      close(index, at: due)
    }
  }

  private mutating func close(_ index: Int, at time: Timestamp) {
    market.close(index)
    quiet[index]?.told = time
    openQuiet.removeAll { $0 == index }
    for depth in Self.depths { published[.book(pair: index, depth: depth)] = nil }
  }

  /// The top of a pair's book; of a closed one what its makers would quote as the minute begins.
  func top(of index: Int, at now: Timestamp) -> MarketTop {
    let instrument = market.instruments[index]
    guard quiet[index]?.told != nil else { return instrument.top }
    let minute = MarketTape.minute(MarketTape.microseconds(now)) * PastTrading.minute
    let time = Timestamp(nanoseconds: minute * 1000)
    let ticks = max(1, instrument.value.ticks(at: market.microseconds(at: time)))
    var chance = SplitMix64(seed: SeedText.seed(UInt64(bitPattern: minute), pairs[index].symbol))
    func level(_ ticks: Int64) -> BookLevel {
      let lots = instrument.listing.activity.meanLots * (1 + chance.below(9)) / 5 + 1
      return BookLevel(price: Price(units: ticks), quantity: Quantity(units: lots), orders: 1)
    }
    return MarketTop(
      bid: level(ticks), ask: level(ticks + 1),
      last: Price(units: tapes[index].last?.ticks ?? ticks))
  }
}

/// A pair's row of the figures of all, and what it was written at.
struct KrakenTickerRow: Sendable {
  let minute: Int64
  let lastTrade: Int64
  let bytes: [UInt8]
}
