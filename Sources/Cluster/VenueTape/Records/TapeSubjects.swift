import MarketModel

/// The subjects of one venue's tape.
struct TapeSubjects {
  /// Records of the lease holder.
  let tape: String
  /// The reader's pulse, four times a second.
  let pulse: String
  /// The streams wanted by each server.
  let want: String
  /// Checkpoint requests.
  let ask: String
  /// Requests for the reader's time.
  let time: String
  /// HTTP requests to the venue.
  let question: String
  /// Checkpoint records, below it by server.
  let copies: String
  /// The lease of the reader.
  let lease: String

  init(_ venue: Venue) {
    tape = "tape.\(venue.rawValue)"
    pulse = "pulse.\(venue.rawValue)"
    want = "want.\(venue.rawValue)"
    ask = "ask.\(venue.rawValue)"
    time = "time.\(venue.rawValue)"
    question = "question.\(venue.rawValue)"
    copies = "copy.\(venue.rawValue)"
    lease = "reader.\(venue.rawValue)"
  }

  func copy(for server: ServerName) -> String { "\(copies).\(server.text)" }
}

/// The name of a process that follows tapes: letters and digits, a single token of a subject.
package struct ServerName: Hashable, Sendable {
  package let text: String

  /// Validates 1 to 32 letters and digits; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let isName = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: false
      }
    }
    guard isName, (1...32).contains(text.utf8.count) else { return nil }
    self.text = String(text)
  }

  /// Creates a unique name from a random number.
  package init(random: UInt64) { text = "s" + String(random, radix: 36) }
}
