import MarketModel
import NIOCore
import PaperTrading
import WireJSON

/// Order notices as text, oldest first.
struct LedgerNotices: Equatable {
  /// The maximum number of notices per message; older ones are dropped.
  static let maximumNotices = 256
  /// Longer than any message of so many.
  static let maximumBytes = 1 << 18

  struct Line: Equatable {
    let order: OrderIdentifier
    let time: Timestamp
    let isWarning: Bool
    let text: Sentence
  }

  let lines: [Line]

  init(_ notices: [OrderNotice]) {
    lines = notices.suffix(LedgerNotices.maximumNotices).map {
      Line(order: $0.order, time: $0.time, isWarning: $0.isWarning, text: $0.text)
    }
  }

  /// A line "order time isWarning", a tab and the sentence as JSON for each.
  var bytes: ByteBuffer {
    ByteBuffer(
      string: lines.map {
        "\($0.order.number) \($0.time.nanoseconds) \($0.isWarning ? 1 : 0)\t\($0.text.jsonText)"
      }.joined(separator: "\n"))
  }

  init?(_ bytes: ByteBuffer) {
    guard bytes.readableBytes <= LedgerNotices.maximumBytes else { return nil }
    let texts = String(buffer: bytes).split(separator: "\n", omittingEmptySubsequences: false)
    guard texts.count <= LedgerNotices.maximumNotices else { return nil }
    var lines: [Line] = []
    for text in texts {
      let parts = text.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      let words = parts[0].split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, words.count == 3, let order = UInt64(words[0]),
        let time = Int64(words[1]), words[2] == "0" || words[2] == "1",
        let sentence = Sentence(json: Array(parts[1].utf8))
      else { return nil }
      lines.append(
        Line(
          order: OrderIdentifier(number: order), time: Timestamp(nanoseconds: time),
          isWarning: words[2] == "1", text: sentence))
    }
    self.lines = lines
  }
}
