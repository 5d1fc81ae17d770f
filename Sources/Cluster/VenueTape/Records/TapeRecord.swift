package import NIOCore

/// One record of a venue's tape: a message, verbatim.
///
/// Epoch and number reveal gaps and unauthorised readers.
package struct TapeRecord: Equatable {
  /// The kind of a record.
  package enum Kind: UInt8 {
    /// A WebSocket text message.
    case text = 0x74
    /// A WebSocket binary message.
    case binary = 0x62
    /// Whole lines of a TCP stream.
    case stream = 0x73
    /// The connection is open; the payload is the origin of its data.
    case opened = 0x6f
    /// The connection is closed; the payload is the reason as JSON, empty without one.
    case closed = 0x63
    /// The beginning of a payload that the following records continue.
    case more = 0x6d
  }

  /// The term of the reader; later readers have larger ones.
  package let epoch: UInt64
  /// Counts the records of an epoch from 1 without gaps; in a checkpoint, the preceding record.
  package let number: UInt64
  package let kind: Kind
  /// When the reader had it; nil in a checkpoint, and if its arrival here is not meaningful.
  var times: TapeTimes?
  package var payload: ByteBuffer

  init(epoch: UInt64, number: UInt64, kind: Kind, times: TapeTimes? = nil, payload: ByteBuffer) {
    (self.epoch, self.number, self.kind) = (epoch, number, kind)
    (self.times, self.payload) = (times, payload)
  }

  /// The longest header: two numbers of 20 digits, a kind, two times of 16 and 10 digits, four
  /// spaces and a tab.
  static let maximumHeaderBytes = 72

  /// "epoch number kind" or "epoch number kind read held", a tab, the payload.
  package var bytes: ByteBuffer {
    var bytes = ByteBuffer()
    bytes.reserveCapacity(TapeRecord.maximumHeaderBytes + payload.readableBytes)
    bytes.writeString("\(epoch) \(number) ")
    bytes.writeInteger(kind.rawValue)
    if let times { bytes.writeString(" \(times.read) \(times.held)") }
    bytes.writeInteger(UInt8(ascii: "\t"))
    bytes.writeImmutableBuffer(payload)
    return bytes
  }

  /// Parses a record; nil if invalid.
  package init?(_ bytes: ByteBuffer) {
    let head = bytes.readableBytesView.prefix(TapeRecord.maximumHeaderBytes)
    guard let tab = head.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let words = head[..<tab].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3 || words.count == 5, let epoch = TapeRecord.number(words[0]),
      let number = TapeRecord.number(words[1]), words[2].count == 1, let code = words[2].first,
      let kind = Kind(rawValue: code)
    else { return nil }
    var times: TapeTimes?
    if words.count == 5 {
      guard let read = TapeRecord.number(words[3]), let held = TapeRecord.number(words[4]),
        let both = TapeTimes(read: Int64(clamping: read), held: Int64(clamping: held))
      else { return nil }
      times = both
    }
    var payload = bytes
    payload.moveReaderIndex(to: tab + 1)
    self.init(epoch: epoch, number: number, kind: kind, times: times, payload: payload)
  }

  static func number(_ digits: some Collection<UInt8>) -> UInt64? {
    guard (1...20).contains(digits.count) else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(UInt64(digit - 0x30))
      guard !isTooLarge, !overflows else { return nil }
      number = sum
    }
    return number
  }
}
