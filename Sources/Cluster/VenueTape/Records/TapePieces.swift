import NIOCore

/// Splits messages that exceed the bus's limit: BitMEX's partials have been 1.5 MB.
enum TapePieces {
  /// The pieces of a payload, at least one, each with its kind: all but the last are
  /// ``TapeRecord/Kind/more``.
  static func cut(
    _ payload: ByteBuffer, _ kind: TapeRecord.Kind, maximumBytes: Int
  ) -> [(kind: TapeRecord.Kind, payload: ByteBuffer)] {
    var rest = payload
    var pieces: [(TapeRecord.Kind, ByteBuffer)] = []
    let size = max(1, maximumBytes)
    while rest.readableBytes > size, let piece = rest.readSlice(length: size) {
      pieces.append((.more, piece))
    }
    return pieces + [(kind, rest)]
  }
}

/// Joins split payloads.
struct TapeJoiner {
  /// The maximum bytes of a venue's message.
  static let maximumBytes = 16 << 20

  private var begun: ByteBuffer?

  /// Adds the next record; returns the joined one, or nil if more follow.
  mutating func take(_ record: TapeRecord) throws(TapeProblem) -> TapeRecord? {
    guard var whole = begun else {
      if record.kind == .more { begun = record.payload }
      return record.kind == .more ? nil : record
    }
    guard whole.readableBytes + record.payload.readableBytes <= TapeJoiner.maximumBytes else {
      throw .unreadable
    }
    whole.writeImmutableBuffer(record.payload)
    begun = record.kind == .more ? whole : nil
    guard record.kind != .more else { return nil }
    return TapeRecord(
      epoch: record.epoch, number: record.number, kind: record.kind, times: record.times,
      payload: whole)
  }

  var isWaiting: Bool { begun != nil }
}

/// Holds back the part of a stream after its last line end, so that a follower can start with any
/// record.
struct StreamLines {
  /// Longer than any line of a venue; longer ones pass unchanged.
  static let maximumBytes = 64 << 10

  private var rest = ByteBuffer()

  /// Adds bytes; returns the complete lines, nil without any.
  mutating func take(_ bytes: ByteBuffer) -> ByteBuffer? {
    rest.writeImmutableBuffer(bytes)
    let view = rest.readableBytesView
    guard let end = view.lastIndex(of: UInt8(ascii: "\n")) else {
      return rest.readableBytes > StreamLines.maximumBytes ? takeAll() : nil
    }
    let lines = rest.readSlice(length: end - view.startIndex + 1)
    rest.discardReadBytes()
    return lines
  }

  private mutating func takeAll() -> ByteBuffer {
    defer { rest.clear() }
    return rest
  }
}
