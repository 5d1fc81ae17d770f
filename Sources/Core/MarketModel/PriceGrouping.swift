/// The span of one book row, in ticks of its instrument: one of a fixed list of round steps.
public struct PriceGrouping: Hashable, Sendable, Comparable {
  /// A row for each price.
  public static let none = PriceGrouping(known: 1)

  /// 1 · 2 · 5 · 10 · 25 · 50 · 100 · 250 · 500 · 1,000 …, to a million.
  public static let all: [PriceGrouping] = [
    1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000,
    500_000, 1_000_000,
  ].map { PriceGrouping(known: $0) }

  /// Ticks a row, 1 to a million.
  public let ticks: Int64

  /// Wraps a count of ticks; nil unless it is in ``all``.
  public init?(ticks: Int64) {
    guard let known = PriceGrouping.all.first(where: { $0.ticks == ticks }) else { return nil }
    self = known
  }

  private init(known ticks: Int64) { self.ticks = ticks }

  /// Whether each price has its own row.
  public var isNone: Bool { ticks == 1 }

  /// The span in price units; a tick below 1 counts as 1, and overflow saturates.
  public func step(tick: Price) -> Int64 {
    let (step, overflow) = max(1, tick.units).multipliedReportingOverflow(by: ticks)
    return overflow ? .max : step
  }

  /// The useful steps near a price: up to a fiftieth of it, and always the first.
  public static func choices(tick: Price, near price: Price?) -> [PriceGrouping] {
    let most = Int64(clamping: (price?.units.magnitude ?? 0) / 50)
    return all.filter { $0.isNone || $0.step(tick: tick) <= most }
  }

  /// Finer first.
  public static func < (left: PriceGrouping, right: PriceGrouping) -> Bool {
    left.ticks < right.ticks
  }
}
