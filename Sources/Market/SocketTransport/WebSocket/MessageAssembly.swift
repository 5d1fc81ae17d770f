import NIOCore
import NIOWebSocket

/// Assembles the current message; one too large or not text fails at the first such fragment.
struct MessageAssembly {
  enum Outcome {
    case message(WebSocketMessage)
    case incomplete
    /// The connection must be closed with this code.
    case failure(code: UInt16, reason: String)
  }

  /// Fragments that a message may have at any size.
  static let freeFragments = 1024
  /// The average size required of further fragments; smaller ones cost too much.
  static let minimumFragmentBytes = 16

  /// Nil between messages.
  private var fragments: ByteBuffer?
  private var fragmentCount = 0
  private var isText = false
  private var checker = UTF8Checker()

  /// Adds a valid data frame, masked as received, to a message of at most `maximumBytes`.
  mutating func add(_ frame: WebSocketFrame, maximumBytes: Int) -> Outcome {
    let isContinuation = frame.opcode == .continuation
    guard isContinuation == (fragments != nil) else {
      return .failure(
        code: 1002,
        reason: isContinuation ? "a continuation of nothing" : "a new message within a message")
    }
    guard (fragments?.readableBytes ?? 0) + frame.length <= maximumBytes else {
      return .failure(code: 1009, reason: "a message may have \(maximumBytes) bytes")
    }
    fragmentCount = isContinuation ? fragmentCount + 1 : 1
    let paid = (fragments?.readableBytes ?? 0) / Self.minimumFragmentBytes
    guard fragmentCount <= Self.freeFragments + paid else {
      return .failure(code: 1008, reason: "too many small fragments")
    }
    if !isContinuation {
      isText = frame.opcode == .text
      checker = UTF8Checker()
    }
    var data = frame.unmaskedData
    if isText {
      guard checker.accepts(data.readableBytesSpan), !frame.fin || checker.isComplete else {
        return .failure(code: 1007, reason: "text must be UTF-8")
      }
    }
    if fragments != nil {
      fragments?.writeBuffer(&data)
    } else if frame.fin {
      return .message(isText ? .text(data) : .binary(data))
    } else {
      fragments = data
    }
    guard frame.fin, let whole = fragments else { return .incomplete }
    fragments = nil
    return .message(isText ? .text(whole) : .binary(whole))
  }
}
