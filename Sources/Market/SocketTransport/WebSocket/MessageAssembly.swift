// Fragments become messages here, checked as they come: a message that is too big or is not text
// fails at the fragment that makes it so.

import NIOCore
import NIOWebSocket

/// The message under way on one connection.
struct MessageAssembly {
  /// What a frame led to.
  enum Outcome {
    case message(WebSocketMessage)
    case incomplete
    /// The connection must be closed with this code.
    case failure(code: UInt16, reason: String)
  }

  /// Fragments that a message may have whatever their size.
  static let freeFragments = 1024
  /// Bytes that all further fragments have on average: smaller ones cost far more than they bring.
  static let minimumFragmentBytes = 16

  /// The fragments so far; nil between messages.
  private var fragments: ByteBuffer?
  private var fragmentCount = 0
  private var isText = false
  private var checker = UTF8Checker()

  /// Takes a text, binary or continuation frame.
  ///
  /// - Parameters:
  ///   - frame: a lawful data frame, still masked if it came masked.
  ///   - maximumBytes: the most bytes that a whole message may have.
  /// - Returns: the message that this frame ends, or why it can't be one.
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
