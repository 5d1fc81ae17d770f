// How much of what happened to orders is shown until the person puts it away; the page's own copy
// is in Web/page/assets/orders/trading.js.

/// The bounds of the news that a person has not read.
public enum NoticeHistory {
  /// Orders with stored notices, latest first.
  public static let maximumOrders = 20
  /// Stored texts per order; a limit order can fill in thousands of parts.
  public static let maximumTexts = 4
}
