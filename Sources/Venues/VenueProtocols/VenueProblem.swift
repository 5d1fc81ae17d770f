// What can be wrong with what a venue sends, with the evidence, a text for logs and one for people.

public import MarketModel

/// A problem with a venue's messages or answers.
public struct VenueProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem.
  public enum Kind: Hashable, Sendable {
    /// A message that is not what the protocol allows.
    case malformed
    /// A well-formed message that contradicts what was known (unknown id, crossed book, a gap).
    case inconsistent
    /// Too many requests or connections; the venue names the seconds to wait when it can.
    case rateLimited(retryAfterSeconds: Int?)
    /// The venue does not know the instrument or the stream.
    case unknownSymbol
    /// The token is missing, wrong or expired, or has no permission.
    case unauthorized
    /// The venue answered with another error.
    case venueError
  }

  /// What kind of problem it is.
  public let kind: Kind
  /// The venue.
  public let venue: Venue
  /// For logs: "XBTUSD book: expected a known level id, found 62400580205".
  public let description: String
  /// For people: what stopped and what happens next.
  public let userMessage: String

  /// A trade that was left out: its time lies ahead of this machine's clock.
  static func impossibleTrade(
    of symbol: Symbol, at time: Timestamp, now: Timestamp, venue: Venue, name: String
  ) -> VenueProblem {
    VenueProblem(
      .inconsistent, venue: venue,
      "\(symbol) trade: expected a time not after \(now), found \(time)",
      userMessage: "\(name) dated a trade in the future. It was not used; is this clock right?")
  }

  /// Makes a problem; of both texts only what ``ForeignText`` leaves is kept.
  public init(_ kind: Kind, venue: Venue, _ description: String, userMessage: String) {
    self.kind = kind
    self.venue = venue
    self.description = ForeignText.clean(description)
    self.userMessage = ForeignText.clean(userMessage)
  }
}
