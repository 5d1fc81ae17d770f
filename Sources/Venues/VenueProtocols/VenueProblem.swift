public import MarketModel

/// A problem with a venue's messages or responses.
public struct VenueProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem.
  public enum Kind: Hashable, Sendable {
    /// A message that is not what the protocol allows.
    case malformed
    /// A well-formed message that contradicts earlier ones (unknown id, crossed book, gap).
    case inconsistent
    /// Too many requests or connections; with the seconds to wait if the venue sends them.
    case rateLimited(retryAfterSeconds: Int?)
    /// The venue does not have the instrument or the stream.
    case unknownSymbol
    /// The token is missing, wrong, expired or without permission.
    case unauthorized
    /// The venue responded with another error.
    case venueError
  }

  /// The kind of problem.
  public let kind: Kind
  /// The venue.
  public let venue: Venue
  /// For logs: "XBTUSD book: expected a known level id, found 62400580205".
  public let description: String
  /// For users: what stopped and what happens next.
  public let userMessage: Sentence

  /// A trade that was dropped because its time is ahead of this machine's clock.
  static func impossibleTrade(
    of symbol: Symbol, at time: Timestamp, now: Timestamp, venue: Venue, name: String
  ) -> VenueProblem {
    VenueProblem(
      .inconsistent, venue: venue,
      "\(symbol) trade: expected a time not after \(now), found \(time)",
      userMessage: "\(name) dated a trade in the future. It was not used; is this clock right?")
  }

  /// Creates a problem with both texts cleaned by ``ForeignText``.
  public init(_ kind: Kind, venue: Venue, _ description: String, userMessage: Sentence) {
    self.kind = kind
    self.venue = venue
    self.description = ForeignText.clean(description)
    self.userMessage = userMessage.cleaned
  }
}
