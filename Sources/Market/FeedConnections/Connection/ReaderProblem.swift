// What can go wrong between a venue's reader and a server that follows it.

/// Why a server that does not read a venue itself has no data of it.
public enum ReaderProblem: Hashable, Sendable {
  /// Nothing was heard of a reader for this long.
  case silent(milliseconds: Int64)
  /// A question to a reader had no answer for this long, whatever else it says: there may be none,
  /// or one that takes no questions.
  case unanswered(milliseconds: Int64)
  /// What a reader answered to a question is no answer, or not all of it.
  case unusable
  /// Another reader has taken over.
  case changed
  /// Something of what it sent is missing.
  case incomplete
  /// The reader is not connected with the venue itself; its reason, for people.
  case venue(String)
  /// The message bus is down.
  case bus(String)

  /// For logs.
  var description: String {
    switch self {
    case .silent(let milliseconds): "reader: no sign of life for \(milliseconds) ms"
    case .unanswered(let milliseconds): "reader: no answer within \(milliseconds) ms"
    case .unusable: "reader: its answer is none, or not whole"
    case .changed: "reader: another one has taken over"
    case .incomplete: "reader: what it sends is not whole"
    case .venue(let reason): "reader: not connected with the venue: \(reason)"
    case .bus(let reason): "the bus is down: \(reason)"
    }
  }

  /// For people.
  func userMessage(_ venue: String) -> String {
    switch self {
    case .silent: "The reader of \(venue) is silent."
    case .unanswered: "The reader of \(venue) does not answer."
    case .unusable: "What the reader of \(venue) answered is of no use."
    case .changed: "The reader of \(venue) has changed."
    case .incomplete: "Something of what the reader of \(venue) sent is missing. Joining anew."
    case .venue(let reason): reason.isEmpty ? "The reader is connecting to \(venue)." : reason
    case .bus: "The message bus between the reader of \(venue) and this server is down."
    }
  }
}
