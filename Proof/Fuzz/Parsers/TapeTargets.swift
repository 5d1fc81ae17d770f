// Messages between a venue's reader and its followers: what is read round-trips through writing;
// what is split is joined again.

import MarketModel
import NIOCore
import VenueProtocols

@testable import VenueTape

/// What was read round-trips through writing.
private func checkAgain<Value: Equatable>(
  _ value: Value?, _ write: (Value) -> ByteBuffer, _ read: (ByteBuffer) -> Value?
) {
  guard let value else { return }
  let written = write(value)
  guard read(written) == value else { fail("\(value) became \(String(buffer: written))") }
}

@Sendable func tapeRecord(_ bytes: Span<UInt8>) {
  let bytes = buffer(bytes)
  checkAgain(TapeRecord(bytes), \.bytes, TapeRecord.init)
  // The same where its bytes don't begin at the buffer's start.
  var later = ByteBuffer(string: "prefix")
  later.writeImmutableBuffer(bytes)
  later.moveReaderIndex(forwardBy: 6)
  guard TapeRecord(later) == TapeRecord(bytes) else { fail("a record depends on where it lies") }
}

@Sendable func tapePulse(_ bytes: Span<UInt8>) {
  checkAgain(TapePulse(buffer(bytes)), \.bytes, TapePulse.init)
}

@Sendable func tapeWants(_ bytes: Span<UInt8>) {
  checkAgain(TapeWants(buffer(bytes)), \.bytes, TapeWants.init)
}

@Sendable func tapeReply(_ bytes: Span<UInt8>) {
  checkAgain(CheckpointReply(buffer(bytes)), \.bytes, CheckpointReply.init)
}

/// No server request makes a reader contact anything but a venue.
@Sendable func tapeQuestion(_ bytes: Span<UInt8>) {
  let asked = AskedQuestion(buffer(bytes))
  checkAgain(asked, \.bytes, AskedQuestion.init)
  guard let asked else { return }
  let safe = Set("/?&=_-.%~".utf8)
  for venue in Venue.allCases {
    guard let path = venue.adapter.path(of: asked.question) else { continue }
    let isPlain = path.utf8.allSatisfy { byte in
      safe.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x61...0x7a).contains(byte)
    }
    guard isPlain, path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains("/.") else {
      fail("\(venue) is asked for \(path)")
    }
  }
}

@Sendable func tapeAnswer(_ bytes: Span<UInt8>) {
  let bytes = buffer(bytes)
  let answer = AnswerRecord(bytes)
  checkAgain(answer, \.bytes, AnswerRecord.init)
  if case .part(let part)? = answer?.content {
    guard part.offset + part.bytes.readableBytes <= part.total,
      part.total <= AnswerRecord.maximumBytes
    else { fail("a part beyond its answer") }
  }
}

/// The first byte is the maximum size of the pieces.
@Sendable func tapePieces(_ bytes: Span<UInt8>) {
  guard bytes.count > 0 else { return }
  let (payload, most) = (buffer(bytes.extracting(1...)), Int(bytes[0]))
  let pieces = TapePieces.cut(payload, .binary, maximumBytes: most)
  var joiner = TapeJoiner()
  for (index, piece) in pieces.enumerated() {
    let isLast = index == pieces.count - 1
    guard piece.payload.readableBytes <= max(1, most), isLast == (piece.kind == .binary) else {
      fail("piece \(index) of \(pieces.count)")
    }
    let record = TapeRecord(
      epoch: 1, number: UInt64(index + 1), kind: piece.kind, payload: piece.payload)
    guard let read = TapeRecord(record.bytes), let whole = try? joiner.take(read) else {
      if isLast { fail("it never ends") }
      continue
    }
    guard isLast, whole.payload == payload, whole.kind == .binary, !joiner.isWaiting else {
      fail("not what was cut")
    }
  }
}

/// A stream in pieces, whose size is the first byte: whole lines come out in order, and nothing is
/// lost.
@Sendable func tapeLines(_ bytes: Span<UInt8>) {
  guard bytes.count > 1 else { return }
  let stream = bytes.extracting(1...)
  var lines = StreamLines()
  var taken = ByteBuffer()
  for piece in pieces(stream, of: Int(bytes[0]) + 1) {
    guard let part = lines.take(piece) else { continue }
    guard part.readableBytesView.last == UInt8(ascii: "\n") else { fail("half a line") }
    taken.writeImmutableBuffer(part)
  }
  let whole = buffer(stream).readableBytesView
  let end = whole.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  guard taken.readableBytesView.elementsEqual(whole[..<end]) else { fail("other lines") }
}
