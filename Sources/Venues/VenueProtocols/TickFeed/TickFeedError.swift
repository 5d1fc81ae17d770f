public import MarketModel

/// A defect of one line, which was rejected as a whole.
public enum TickFeedError: Error, Hashable, Sendable {
  /// No newline within the longest line allowed.
  case lineTooLong
  /// Not six fields.
  case fieldCount(found: Int)
  /// A field that is not the required number.
  case badField(String, found: String)
  /// Best buy price at or above best sell price.
  case crossed(bid: FixedDecimal, ask: FixedDecimal)
  /// An earlier time than that of the previous tick.
  case outOfOrder(latest: UInt64, found: UInt64)
  /// Too many bad lines in a row for a tick feed.
  case notATickFeed(badLines: Int)

  /// The problem with its texts for logs and users.
  public var problem: VenueProblem {
    VenueProblem(kind, venue: .exchange, text, userMessage: messageForPeople)
  }

  private var kind: VenueProblem.Kind {
    switch self {
    case .crossed, .outOfOrder: .inconsistent
    default: .malformed
    }
  }

  private var text: String {
    switch self {
    case .lineTooLong: "line: expected at most \(TickFeedFramer.maximumLineBytes) bytes"
    case .fieldCount(let found): "line: expected 6 fields, found \(found)"
    case .badField(let name, let found): "\(name): expected a number in range, found \(found)"
    case .crossed(let bid, let ask): "tick: expected bid < ask, found \(bid) and \(ask)"
    case .outOfOrder(let latest, let found):
      "tick: expected a time from \(latest) on, found \(found)"
    case .notATickFeed(let badLines): "\(badLines) bad lines in a row"
    }
  }

  private var messageForPeople: Sentence {
    switch self {
    case .notATickFeed:
      "The exchange sends something that is not a price feed. Reconnecting…"
    default: "A tick could not be used and was left out. The next one will replace it."
    }
  }
}
