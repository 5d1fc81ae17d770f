// What is published where.

import MarketModel

/// The subjects of one venue's tape.
struct TapeSubjects {
  /// Records, from the reader that holds the lease.
  let tape: String
  /// How the reader and its connection are, four times a second.
  let pulse: String
  /// The streams that each server wants.
  let want: String
  /// Asks for a checkpoint.
  let ask: String
  /// Asks what the reader's time is.
  let time: String
  /// Asks what the venue is to be asked over HTTP.
  let question: String
  /// Records of checkpoints, below it by server.
  let copies: String
  /// Whose turn it is to read.
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

  /// Where one server's checkpoints go.
  func copy(for server: ServerName) -> String { "\(copies).\(server.text)" }
}

/// A process that follows tapes: letters and digits, so that it is one token of a subject.
package struct ServerName: Hashable, Sendable {
  package let text: String

  /// 1 to 32 letters and digits; nil for anything else.
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

  /// A name that no other process has.
  package init(random: UInt64) { text = "s" + String(random, radix: 36) }
}
