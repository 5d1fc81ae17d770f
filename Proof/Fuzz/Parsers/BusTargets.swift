// A NATS broker's stream. However the bytes are split, they give the same operations and end with
// the same error.

import NIOCore

@testable import MessageBus

let targets: [String: Target] = [
  "nats": nats,
  "nats-info": natsInfo,
  "nats-link": natsLink,
  "nats-address": natsAddress,
  "tape-record": tapeRecord,
  "tape-pulse": tapePulse,
  "tape-wants": tapeWants,
  "tape-reply": tapeReply,
  "tape-question": tapeQuestion,
  "tape-answer": tapeAnswer,
  "tape-pieces": tapePieces,
  "tape-lines": tapeLines,
  "ledger-command": ledgerCommand,
  "ledger-response": ledgerResponse,
  "ledger-notices": ledgerNotices,
]

/// The bytes in pieces of one size.
func pieces(_ bytes: Span<UInt8>, of size: Int) -> [ByteBuffer] {
  var pieces: [ByteBuffer] = []
  var start = 0
  while start < bytes.count {
    let end = min(bytes.count, start + size)
    pieces.append(buffer(bytes.extracting(start..<end)))
    start = end
  }
  return pieces
}

func buffer(_ bytes: Span<UInt8>) -> ByteBuffer {
  bytes.withUnsafeBufferPointer { ByteBuffer(bytes: $0) }
}

/// The parsed operations, and how they end.
private struct Reading: Equatable {
  var operations: [NatsOperation] = []
  var error: NatsError?
  var isEmpty = true

  init(_ pieces: [ByteBuffer]) {
    var parser = NatsParser()
    do throws(NatsError) {
      for piece in pieces {
        parser.append(piece)
        while let operation = try parser.next() { operations.append(operation) }
      }
    } catch {
      self.error = error
      return
    }
    isEmpty = parser.isEmpty
  }
}

/// The first byte is the size of the pieces.
@Sendable private func nats(_ bytes: Span<UInt8>) {
  guard bytes.count > 1 else { return }
  let stream = bytes.extracting(1...)
  let whole = Reading([buffer(stream)])
  let size = Int(bytes[0]) + 1
  let cut = Reading(pieces(stream, of: size))
  guard whole == cut else { fail("in pieces of \(size): \(cut), whole: \(whole)") }
  whole.error.map(check)
  for case .message(let message) in whole.operations {
    guard message.payload.readableBytes <= stream.count else { fail("more than there was") }
    for field in message.headers?.fields ?? [] where field.name.isEmpty { fail("no name") }
  }
}

/// An error is one line for a log.
private func check(_ error: NatsError) {
  let line = error.description
  if line.isEmpty || line.utf8.count > 500 || line.utf8.contains(where: { $0 < 0x20 }) {
    fail("no line: \(line)")
  }
}

@Sendable private func natsInfo(_ bytes: Span<UInt8>) {
  do throws(NatsError) {
    let info = try NatsInfo(bytes.withUnsafeBufferPointer { Array($0) })
    if info.maximumPayload < 0 || info.version.utf8.count > 3 * 64 { fail("\(info)") }
  } catch {
    guard error == .malformedInfo else { fail("\(error)") }
  }
}

/// The first byte is the size of the pieces, the second whether TLS is required and when time
/// passes.
@Sendable private func natsLink(_ bytes: Span<UInt8>) {
  guard bytes.count > 2 else { return }
  let stream = bytes.extracting(2...)
  let isSecure = bytes[1] & 1 != 0
  let whole = effects([buffer(stream)], isSecure: isSecure)
  let size = Int(bytes[0]) + 1
  let cut = effects(pieces(stream, of: size), isSecure: isSecure)
  check(whole)
  check(cut)
  // Where TLS begins, earlier bytes matter.
  guard !whole.contains(.startTLS), whole.last != .end(.clearTextBeforeTLS),
    !cut.contains(.startTLS)
  else { return }
  guard whole == cut else { fail("in pieces of \(size): \(cut), whole: \(whole)") }
}

private func effects(_ pieces: [ByteBuffer], isSecure: Bool) -> [NatsProtocol.Effect] {
  guard let address = try? NatsAddress(isSecure ? "tls://broker" : "nats://token@broker") else {
    fail("an address")
  }
  var link = NatsProtocol(name: "fuzz", address: address)
  var effects: [NatsProtocol.Effect] = []
  for piece in pieces { effects += link.received(piece) }
  if case .end? = effects.last {
    guard link.received(ByteBuffer(string: "PING\r\n")).isEmpty, link.beat().isEmpty else {
      fail("a link that has ended goes on")
    }
  }
  return effects
}

private func check(_ effects: [NatsProtocol.Effect]) {
  var (isReady, hasInfo) = (false, false)
  for (index, effect) in effects.enumerated() {
    switch effect {
    case .ready:
      guard hasInfo, !isReady else { fail("ready twice, or before it is known what the broker is") }
      isReady = true
    case .info: hasInfo = true
    case .message: guard isReady else { fail("a message before the handshake is done") }
    case .notice(let words):
      guard isReady, !words.utf8.contains(where: { $0 < 0x20 }) else { fail("a notice: \(words)") }
    case .startTLS: guard index == 0 else { fail("TLS begins with the link") }
    case .end(let error):
      guard index == effects.count - 1 else { fail("something after the end") }
      check(error)
    case .send: break
    }
  }
}

/// An address's text reveals no secret and leads to the same place.
@Sendable private func natsAddress(_ bytes: Span<UInt8>) {
  guard let address = try? NatsAddress(text(bytes)) else { return }
  guard let again = try? NatsAddress(address.description), again.endpoints == address.endpoints,
    again.isSecure == address.isSecure, again.credentials == .none
  else { fail("\(address) is not read as it was") }
}
