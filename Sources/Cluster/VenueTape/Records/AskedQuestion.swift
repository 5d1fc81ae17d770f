import NIOCore
import VenueProtocols

/// A position in a reader's response.
struct AnswerPlace: Equatable {
  let epoch: UInt64
  /// Counts its responses from 1.
  let number: UInt64
  /// Bytes already received.
  let offset: Int
}

/// A request to a venue's reader: for the venue, or for the rest of a response that the reader has.
struct AskedQuestion: Equatable {
  static let maximumBytes = 512

  let question: VenueQuestion
  /// Whether all other requests take precedence.
  var isPatient = false
  /// Where a response continues; nil for its beginning.
  var rest: AnswerPlace?

  /// "h 0 0 0" or "p 0 0 0" for the beginning, "h epoch number offset" for the rest; a tab, the
  /// request.
  var bytes: ByteBuffer {
    let (epoch, number, offset) = rest.map { ($0.epoch, $0.number, $0.offset) } ?? (0, 0, 0)
    return ByteBuffer(
      string: "\(isPatient ? "p" : "h") \(epoch) \(number) \(offset)\t\(question.text)")
  }

  init(_ question: VenueQuestion, isPatient: Bool = false, rest: AnswerPlace? = nil) {
    (self.question, self.isPatient, self.rest) = (question, isPatient, rest)
  }

  init?(_ bytes: ByteBuffer) {
    guard bytes.readableBytes <= AskedQuestion.maximumBytes else { return nil }
    let parts = String(buffer: bytes).split(
      separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, words.count == 4, words[0] == "h" || words[0] == "p",
      let epoch = TapeRecord.number(words[1].utf8), let number = TapeRecord.number(words[2].utf8),
      let offset = TapeRecord.number(words[3].utf8), offset <= UInt64(AnswerRecord.maximumBytes),
      let question = VenueQuestion(text: parts[1])
    else { return nil }
    let isWhole = epoch == 0 && number == 0 && offset == 0
    guard isWhole || (epoch > 0 && number > 0 && offset > 0) else { return nil }
    self.init(
      question, isPatient: words[0] == "p",
      rest: isWhole ? nil : AnswerPlace(epoch: epoch, number: number, offset: Int(offset)))
  }
}
