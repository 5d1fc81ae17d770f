// The venues of the product. What is known of each stands in its folder of VenueProtocols.

/// A market feed, by the short name that the command line and the page use ("bitmex", "isin").
///
/// The cases stand in order of display.
public enum Venue: String, CaseIterable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The BitMEX realtime WebSocket.
  case bitmex
  /// Kraken's WebSocket v2: a living market.
  case kraken
  /// The ISIN price stream of the watch list.
  case isin
  /// BUX: products over REST, quotes over its feed.
  case bux
  /// The WebSocket echo that the price tracker runs on.
  case echo
  /// The raw TCP tick feed of the one-stock exchange.
  case exchange

  /// The short name itself: lower-case ASCII.
  public var description: String { rawValue }

  /// Alphabetical.
  public static func < (left: Venue, right: Venue) -> Bool { left.rawValue < right.rawValue }
}
