import MarketModel

/// The trades of the last seconds in at most 60 slots, so that a window has bounded costs.
///
/// Its beginning is exact to a slot; it is never longer than its seconds.
struct TradeWindow: Hashable, Sendable {
  static let slotCount: Int64 = 60

  struct Slot: Hashable {
    let number: Int64
    var low: FixedDecimal
    var high: FixedDecimal
    var last: FixedDecimal
    var volume: FixedDecimal
  }

  private struct Blind: Hashable {
    let since: Timestamp
    let until: Timestamp
  }

  private let slotNanoseconds: Int64
  /// Oldest first.
  private(set) var slots: [Slot] = []
  /// The price as the window begins: of the latest trade before it.
  private var before: FixedDecimal?
  /// A time in it of which trades may be missing.
  private var blind: Blind?

  init(seconds: Int64, before: FixedDecimal?) {
    self.before = before
    slotNanoseconds = seconds * 1_000_000_000 / TradeWindow.slotCount
  }

  /// Drops what is before the window that ends now.
  mutating func end(at now: Timestamp) {
    let first = number(of: now) - TradeWindow.slotCount + 1
    before = slots.last { $0.number < first }?.last ?? before
    slots.removeAll { $0.number < first || $0.number > first + TradeWindow.slotCount }
    if let blind, number(of: blind.until) < first { self.blind = nil }
  }

  mutating func add(_ trade: AlertTrade, at time: Timestamp) {
    let number = number(of: time)
    let size = trade.size ?? FixedDecimal(units: 0, scale: .whole)
    let slot = Slot(
      number: number, low: trade.price, high: trade.price, last: trade.price, volume: size)
    guard let index = slots.lastIndex(where: { $0.number <= number }) else {
      return slots.insert(slot, at: 0)
    }
    guard slots[index].number == number else { return slots.insert(slot, at: index + 1) }
    slots[index].low = min(slots[index].low, trade.price)
    slots[index].high = max(slots[index].high, trade.price)
    slots[index].last = trade.price
    slots[index].volume = sum(slots[index].volume, size)
  }

  /// Records that trades may have been missed.
  mutating func lose(since: Timestamp, until: Timestamp) {
    blind = Blind(since: min(blind?.since ?? since, since), until: until)
  }

  /// Since when trades in it may be missing; nil if none are.
  var blindSince: Timestamp? { blind?.since }

  var volume: FixedDecimal {
    slots.reduce(FixedDecimal(units: 0, scale: .whole)) { sum($0, $1.volume) }
  }

  /// The change to a price in percent, from the lowest price or the highest; nil without one
  /// above 0.
  func change(to price: FixedDecimal, isRise: Bool) -> FixedDecimal? {
    let prices = slots.map { isRise ? $0.low : $0.high } + [before].compactMap(\.self)
    let from = isRise ? prices.min() : prices.max()
    guard let from else { return nil }
    let scale = max(from.scale, price.scale)
    guard let from = from.exactly(at: scale)?.units, let to = price.exactly(at: scale)?.units,
      from > 0, to > 0
    else { return nil }
    let size = hundredths(
      to > from ? UInt64(to - from) : UInt64(from - to), of: UInt64(from), per: 100)
    return size.map { to >= from ? $0 : FixedDecimal(units: -$0.units, scale: $0.scale) }
  }

  private func number(of time: Timestamp) -> Int64 {
    let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: slotNanoseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The most that fits where the sum doesn't.
  private func sum(_ left: FixedDecimal, _ right: FixedDecimal) -> FixedDecimal {
    let scale = max(left.scale, right.scale)
    guard let one = left.exactly(at: scale)?.units, let other = right.exactly(at: scale)?.units
    else { return max(left, right) }
    return FixedDecimal(units: saturatingSum(one, other), scale: scale)
  }
}
