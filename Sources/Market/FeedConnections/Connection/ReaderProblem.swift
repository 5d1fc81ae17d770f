public import MarketModel

/// Why a server that follows a venue's reader has no data.
public enum ReaderProblem: Hashable, Sendable {
  /// No message from a reader for this long.
  case silent(milliseconds: Int64)
  /// No response from a reader for this long, even if it sends other messages.
  ///
  /// None may run, or one that handles no requests.
  case unanswered(milliseconds: Int64)
  /// The reader's response is invalid or incomplete.
  case unusable
  /// Another reader has taken over.
  case changed
  /// Part of the reader's data is missing.
  case incomplete
  /// The reader is not connected to the venue; has its reason, for the user.
  case venue(Sentence?)
  /// As ``venue(_:)``, because the venue rejects the reader's location or address.
  case rejected(Sentence)
  case bus(String)

  var description: String {
    switch self {
    case .silent(let milliseconds): "reader: no sign of life for \(milliseconds) ms"
    case .unanswered(let milliseconds): "reader: no answer within \(milliseconds) ms"
    case .unusable: "reader: its answer is none, or not whole"
    case .changed: "reader: another one has taken over"
    case .incomplete: "reader: what it sends is not whole"
    case .venue(let reason): "reader: not connected with the venue: \(reason?.description ?? "")"
    case .rejected(let reason): "reader: not connected with the venue: \(reason)"
    case .bus(let reason): "the bus is down: \(reason)"
    }
  }

  func userMessage(_ venue: String) -> Sentence {
    switch self {
    case .silent: "The reader of \(venue) is silent."
    case .unanswered: "The reader of \(venue) does not respond."
    case .unusable: "The reader of \(venue) sent an invalid response."
    case .changed: "The reader of \(venue) has changed."
    case .incomplete: "Data from the reader of \(venue) is missing. Rejoining."
    case .rejected(let reason): reason
    case .venue(let reason): reason ?? "The reader is connecting to \(venue)."
    case .bus: "The message bus between the reader of \(venue) and this server is down."
    }
  }
}
