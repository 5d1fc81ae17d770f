// The one thing that can be said to the exchange.

/// What the client sends to the exchange's tick feed.
public enum TickFeedRequest {
  /// `hello`, as the venue's own client sends it: without a newline.
  public static var hello: OutboundMessage { OutboundMessage(.stream, Array("hello".utf8)) }
}
