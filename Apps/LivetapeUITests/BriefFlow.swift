/// What a reviewer does with one brief in the full app, on the built-in market.
///
/// Xcode performs it with a real app, `BuiltInMarketTests` with the views on Linux.
public enum BriefFlow: String, Sendable, CaseIterable {
  case tracker, orderBook, product, exchange

  /// One action, on the element with a label, once it is there.
  public enum Step: Hashable, Sendable {
    case tap(String)
    case choose(String, in: String)
    case type(String, into: String)
    /// A text that contains this is shown.
    case see(String)
  }

  /// In the order performed.
  public var steps: [Step] {
    switch self {
    case .tracker: [.tap("Tracker"), .tap("NVDA"), .see("NVIDIA"), .see("Live")]
    case .orderBook: [.tap("Market"), .see("Spread"), .choose("Recent Trades", in: "List")]
    case .product: [.tap("Products"), .tap("Gold"), .see("Previous close"), .see("Live")]
    case .exchange:
      [
        .tap("Exchange"), .see("Best buy"), .type("1", into: "Quantity"),
        .tap("Review buy order"), .tap("Place buy order"), .see("FILLED"), .tap("Order history"),
        .see("Buy 1 TROAD at market"),
      ]
    }
  }
}
