// How much of what happened to orders is shown until the person puts it away; the page's own copy
// is in Web/page/assets/orders/trading.js.

/// The bounds of the news that a person has not read.
public enum NoticeHistory {
  /// Orders whose news are kept, the latest first.
  public static let maximumOrders = 20
  /// Sentences kept of one order; a limit order may be filled in thousands of parts.
  public static let maximumTexts = 4
}
