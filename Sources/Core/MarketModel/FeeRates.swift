/// What a venue charges for a fill, as millionths of its value.
public struct FeeRates: Hashable, Sendable {
  /// The lowest and highest rate in millionths: a rebate of 1 % and a fee of 10 %.
  public static let range: ClosedRange<Int64> = -10_000...100_000

  /// For a fill of a resting order, in millionths; negative for a rebate.
  public let maker: Int64
  /// For a fill on arrival, in millionths; negative for a rebate.
  public let taker: Int64

  /// Creates rates in millionths; those outside ``range`` are moved into it.
  public init(maker: Int64, taker: Int64) {
    func clamped(_ rate: Int64) -> Int64 {
      min(max(rate, FeeRates.range.lowerBound), FeeRates.range.upperBound)
    }
    (self.maker, self.taker) = (clamped(maker), clamped(taker))
  }

  /// Reads "0.25/0.40": percent for maker and taker with up to four decimals.
  ///
  /// nil for any other text, or for a rate outside ``range``.
  public init?(percent text: some StringProtocol) {
    let rates = text.split(separator: "/", omittingEmptySubsequences: false).map {
      FixedDecimal(String($0))?.exactly(at: Scale(clamping: 4))?.units
    }
    guard rates.count == 2, let maker = rates[0], let taker = rates[1],
      FeeRates.range.contains(maker), FeeRates.range.contains(taker)
    else { return nil }
    self.init(maker: maker, taker: taker)
  }
}
