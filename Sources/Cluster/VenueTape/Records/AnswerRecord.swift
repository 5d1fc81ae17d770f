import MarketModel
import NIOCore
import WireJSON

/// A part of a venue's response, verbatim.
struct AnswerPart: Equatable {
  let status: Int
  let origin: DataOrigin
  /// The maximum age of the response in milliseconds, counted from when the request was sent.
  let age: Int64
  let offset: Int
  /// The bytes of the whole response.
  let total: Int
  let bytes: ByteBuffer
}

/// A reader's reply to a request.
struct AnswerRecord: Equatable {
  enum Content: Equatable {
    case part(AnswerPart)
    /// No response of the venue yet: repeat the request.
    case wait
    /// The venue could not be reached; the reason for the user.
    case failed(Sentence)
    case busy
    /// The response whose rest was requested is no longer stored.
    case gone
    /// The venue does not support the request.
    case refused
  }

  /// The maximum bytes of a venue's response.
  static let maximumBytes = 16 << 20
  /// Longer than any response is kept.
  static let maximumAge: Int64 = 3_600_000
  /// The longest header: two numbers of 20 digits, a letter, a status, an origin, an age, two
  /// numbers of 8 digits, seven spaces and a tab.
  static let maximumHeaderBytes = 96
  private static let maximumReasonBytes = 4096

  let epoch: UInt64
  /// Counts its responses from 1; 0 without one.
  let number: UInt64
  let content: Content

  init(epoch: UInt64, number: UInt64 = 0, _ content: Content) {
    (self.epoch, self.number, self.content) = (epoch, number, content)
  }

  /// "epoch number w", or another letter, with a tab, and the reason as JSON for "f"; for a part
  /// "epoch number p status origin age offset total", a tab, its bytes.
  var bytes: ByteBuffer {
    var bytes = ByteBuffer()
    bytes.writeString("\(epoch) \(number) ")
    switch content {
    case .wait: bytes.writeString("w\t")
    case .busy: bytes.writeString("b\t")
    case .gone: bytes.writeString("g\t")
    case .refused: bytes.writeString("r\t")
    case .failed(let reason): bytes.writeString("f\t\(reason.jsonText)")
    case .part(let part):
      bytes.writeString(
        "p \(part.status) \(part.origin.rawValue) \(part.age) \(part.offset) \(part.total)\t")
      bytes.writeImmutableBuffer(part.bytes)
    }
    return bytes
  }

  init?(_ bytes: ByteBuffer) {
    let head = bytes.readableBytesView.prefix(AnswerRecord.maximumHeaderBytes)
    guard let tab = head.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let words = head[..<tab].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3 || words.count == 8, let epoch = TapeRecord.number(words[0]),
      let number = TapeRecord.number(words[1]), words[2].count == 1, let letter = words[2].first
    else { return nil }
    var payload = bytes
    payload.moveReaderIndex(to: tab + 1)
    guard let content = AnswerRecord.content(letter, words.dropFirst(3), payload)
    else { return nil }
    self.init(epoch: epoch, number: number, content)
  }

  private static func content(
    _ letter: UInt8, _ words: ArraySlice<ByteBufferView>, _ payload: ByteBuffer
  ) -> Content? {
    if letter == UInt8(ascii: "p") { return part(words, payload).map(Content.part) }
    guard words.isEmpty else { return nil }
    if letter == UInt8(ascii: "f") {
      guard payload.readableBytes <= maximumReasonBytes else { return nil }
      return Sentence(json: Array(payload.readableBytesView)).map(Content.failed)
    }
    guard payload.readableBytes == 0 else { return nil }
    switch letter {
    case UInt8(ascii: "w"): return .wait
    case UInt8(ascii: "b"): return .busy
    case UInt8(ascii: "g"): return .gone
    case UInt8(ascii: "r"): return .refused
    default: return nil
    }
  }

  private static func part(
    _ words: ArraySlice<ByteBufferView>, _ payload: ByteBuffer
  ) -> AnswerPart? {
    let words = Array(words)
    guard words.count == 5,
      let origin = DataOrigin(rawValue: String(decoding: words[1], as: UTF8.self))
    else { return nil }
    let numbers = (words[..<1] + words[2...]).compactMap { TapeRecord.number($0) }
    guard numbers.count == 4, (100...999).contains(numbers[0]),
      numbers[1] <= UInt64(maximumAge), numbers[3] <= UInt64(maximumBytes),
      numbers[2] <= numbers[3], UInt64(payload.readableBytes) <= numbers[3] - numbers[2]
    else { return nil }
    return AnswerPart(
      status: Int(numbers[0]), origin: origin, age: Int64(numbers[1]), offset: Int(numbers[2]),
      total: Int(numbers[3]), bytes: payload)
  }
}
