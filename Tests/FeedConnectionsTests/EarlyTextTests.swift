// Text fails at its first invalid byte, and frames arrive whole however they are split: the cases
// of the Autobahn suite's groups 1 and 6.

import MarketModel
import NIOCore
import SocketTransport
import Testing

@Suite struct EarlyTextTests {
  /// "κόσμε", then a code point above the last, which its third byte reveals, then more text.
  private static let bad: [UInt8] =
    [0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xcf, 0x83, 0xce, 0xbc, 0xce, 0xb5, 0xf4, 0x90]
    + [0x80, 0x80, 0x65, 0x64]

  @Test(arguments: [WebSocketRole.client, .server])
  func `text fails at its first bad byte, long before its frame has ended`(role: WebSocketRole)
    throws
  {
    let frame = RawFrame(firstByte: 0x81, payload: EarlyTextTests.bad).masked(role == .server)
    let header = frame.bytes.count - frame.payload.count
    let wire = try Wire(role)
    for (index, byte) in frame.bytes.enumerated() {
      #expect(try wire.sent().isEmpty, "byte \(index)")
      wire.receive(bytes: [byte])
      // 0xf4 may begin a character; 0x90 can't follow it.
      if index == header + 12 { break }
    }
    #expect(try wire.sent().map(\.closeCode) == [1007])
    #expect(wire.recorder.messages.isEmpty)
    #expect(wire.recorder.closures.map(\.code) == [1007])
  }

  @Test(arguments: [WebSocketRole.client, .server])
  func `what came before bad text in the same bytes is still read`(role: WebSocketRole) throws {
    let wire = try Wire(role)
    let frames = [RawFrame.text("first"), .ping("p"), RawFrame(firstByte: 0x01, payload: [0xc3])]
    var bytes = frames.flatMap { $0.masked(role == .server).bytes }
    bytes += RawFrame(firstByte: 0x80, payload: [0x28] + [UInt8](repeating: 0x41, count: 90))
      .masked(role == .server).bytes.dropLast(80)
    wire.receive(bytes: bytes)
    #expect(wire.recorder.texts == ["first"])
    #expect(try wire.sent().map(\.closeCode) == [nil, 1007])
  }

  @Test func `a frame of binary data may hold any bytes, whole or cut`() throws {
    let wire = try Wire(.client)
    for byte in RawFrame(firstByte: 0x82, payload: EarlyTextTests.bad).bytes {
      wire.receive(bytes: [byte])
    }
    #expect(wire.recorder.messages == [.binary(ByteBuffer(bytes: EarlyTextTests.bad))])
    #expect(try wire.sent().isEmpty)
  }

  @Test(arguments: [WebSocketRole.client, .server])
  func `messages of every size of header arrive whole, cut anywhere`(role: WebSocketRole) throws {
    for length in [0, 1, 125, 126, 127, 128, 65_535, 65_536] {
      for cut in [1, 997, 70_000] where length * 2 / cut < 20_000 {
        let wire = try Wire(role)
        let text = String(repeating: "*", count: length)
        let bytes = RawFrame.text(text).masked(role == .server).bytes
        for start in stride(from: 0, to: bytes.count, by: cut) {
          wire.receive(bytes: Array(bytes[start..<min(bytes.count, start + cut)]))
        }
        #expect(wire.recorder.texts == [text], "\(length) bytes, \(cut) at a time")
      }
    }
  }

  /// The early check must agree with the full one: a peer that fragments, splits and interleaves in
  /// any way gets 1007 for invalid text, and its messages otherwise.
  @Test func `however text is fragmented and cut, it fails when it is bad and only then`() throws {
    for seed in 1...400 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let role: WebSocketRole = random.below(2) == 0 ? .client : .server
      let scalars = ["a", "é", "€", "🂡", "\u{7ff}", "\u{10ffff}"]
      var text = Array(
        (0..<Int(random.below(40))).map { _ in scalars[Int(random.below(6))] }.joined().utf8)
      if random.below(2) == 0, !text.isEmpty {
        text[Int(random.below(Int64(text.count)))] ^= UInt8(1 << random.below(8))
      }
      let isValid = String(validating: text, as: UTF8.self) != nil
      var bytes: [UInt8] = []
      var rest = text[...]
      var isFirst = true
      repeat {
        let count = Int(random.below(Int64(rest.count + 1)))
        let part = random.below(4) == 0 ? rest : rest.prefix(count)
        rest = rest.dropFirst(part.count)
        let first: UInt8 = (isFirst ? 1 : 0) | (rest.isEmpty ? 0x80 : 0)
        bytes += RawFrame(firstByte: first, payload: Array(part)).masked(role == .server).bytes
        if !rest.isEmpty, random.below(3) == 0 {
          bytes += RawFrame.ping("\u{1}").masked(role == .server).bytes
        }
        isFirst = false
      } while !rest.isEmpty
      let wire = try Wire(role)
      while !bytes.isEmpty {
        let count = 1 + Int(random.below(Int64(bytes.count)))
        wire.receive(bytes: Array(bytes.prefix(count)))
        bytes.removeFirst(count)
      }
      if isValid {
        #expect(wire.recorder.texts == [String(decoding: text, as: UTF8.self)], "seed \(seed)")
      } else {
        #expect(wire.recorder.messages.isEmpty, "seed \(seed)")
        #expect(wire.recorder.closures.map(\.code) == [1007], "seed \(seed)")
      }
    }
  }
}
