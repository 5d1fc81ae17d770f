// The broker's side of the protocol, valid and invalid, without a socket.

import NIOCore
import Testing

@testable import MessageBus

@Suite struct NatsProtocolTests {
  static let greeting =
    #"INFO {"server_id":"A","version":"2.9.10","headers":true,"max_payload":1048576,"x":[{}]}"#
    + "\r\n"

  private func machine(_ address: String = "nats://h") throws -> NatsProtocol {
    NatsProtocol(name: "t", address: try NatsAddress(address))
  }

  private func opened() throws -> NatsProtocol {
    var machine = try machine()
    _ = machine.received(ByteBuffer(string: Self.greeting + "PONG\r\n"))
    return machine
  }

  @Test func `bytes may be cut anywhere`() throws {
    let text =
      Self.greeting + "+OK\r\nPONG\r\nPING\r\nMSG a.b 7 3\r\n1\r\n\r\nMSG a 8 reply.x 0\r\n\r\n"
      + "msg\ta  9\t2\r\nab\r\n"
      + "HMSG _INBOX.x.1 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n"
      + "HMSG a 7 r 21 23\r\nNATS/1.0\r\nKey:  v\r\n\r\nhi\r\n"
      + "-ERR 'Permissions Violation for Publish to \"x\"'\r\nPONG\r\n"
      + "INFO {\"headers\":true,\"ldm\":true,\"max_payload\":9}\r\n"
    let bytes = Array(text.utf8)
    var whole = try machine()
    let expected = whole.received(ByteBuffer(bytes: bytes))
    #expect(expected.count == 11)
    for cut in 0...bytes.count {
      var machine = try machine()
      let effects =
        machine.received(ByteBuffer(bytes: bytes[..<cut]))
        + machine.received(ByteBuffer(bytes: bytes[cut...]))
      #expect(effects == expected, "cut at \(cut)")
    }
    var single = try machine()
    #expect(bytes.flatMap { single.received(ByteBuffer(bytes: [$0])) } == expected)
  }

  @Test func `messages have subject, reply, headers and payload`() throws {
    var machine = try opened()
    let effects = machine.received(
      ByteBuffer(
        string: "MSG a.b 7 r.1 3\r\nx\r\n\r\n"
          + "HMSG c 8 26 28\r\nNATS/1.0 100 Idle\r\nA:b\r\n\r\nhi\r\n"))
    guard case .message(let plain) = effects.first, case .message(let full) = effects.last else {
      Issue.record("\(effects)")
      return
    }
    #expect(plain.subscription == 7)
    #expect(plain.subject == "a.b" && plain.replyTo == "r.1" && plain.headers == nil)
    #expect(String(buffer: plain.payload) == "x\r\n")
    #expect(full.subject == "c" && full.replyTo == nil && full.headers?.status == 100)
    #expect(full.headers?.fields == [NatsHeaders.Field(name: "A", value: "b")])
    #expect(String(buffer: full.payload) == "hi")
  }

  @Test(arguments: [
    ("\r\n", NatsError.malformed("an empty line")),
    ("PING\n", .malformed("a line without its end")),
    ("\n", .malformed("a line without its end")), ("HELLO\r\n", .malformed("HELLO")),
    ("PINGPONG\r\n", .malformed("PINGPONG")), ("PING x\r\n", .malformed("PING x")),
    ("\u{1b}[2J\r\n", .malformed("?[2J")), ("MSG a 1\r\n", .malformed("MSG a 1")),
    ("MSG a 1 2 3 4\r\n", .malformed("MSG a 1 2 3 4")),
    ("MSG a x 1\r\n", .malformed("a message without its numbers")),
    ("MSG a 1 -1\r\n", .malformed("a message without its numbers")),
    ("MSG a 1 99999999999999999999\r\n", .malformed("a message without its numbers")),
    ("MSG a 99999999999999999999 1\r\n", .malformed("a message without its numbers")),
    ("MSG a 1 67108865\r\n", .tooLarge(bytes: 67_108_865)),
    ("MSG a 1 2\r\nabc\r\n", .malformed("a message without its end")),
    ("HMSG a 1 5 4\r\n", .malformed("headers longer than their message")),
    ("HMSG a 1 70000 70000\r\n", .tooLarge(bytes: 70_000)),
    ("HMSG a 1 0 0\r\n\r\n", .malformedHeaders), ("INFO {\r\n", .malformedInfo),
    ("INFO {\"headers\":1}\r\n", .malformedInfo), ("INFO {} x\r\n", .malformedInfo),
    ("-ERR 'Authorization Violation'\r\n", .refused("Authorization Violation")),
    ("-ERR 'a\u{7}b'\r\n", .refused("a?b")),
  ])
  func `what is no NATS ends the link`(_ line: String, _ error: NatsError) throws {
    var machine = try opened()
    #expect(machine.received(ByteBuffer(string: line)) == [.end(error)])
    #expect(machine.received(ByteBuffer(string: "PING\r\n")).isEmpty, "nothing comes afterwards")
    #expect(machine.beat().isEmpty)
    #expect(!error.description.isEmpty)
  }

  @Test func `a line that never ends is not kept`() throws {
    for (start, bound) in [("MSG ", 8 << 10), ("INFO ", 64 << 10)] {
      var machine = try opened()
      var effects = machine.received(ByteBuffer(string: start))
      var sent = 0
      while effects.isEmpty, sent < 1 << 20 {
        effects = machine.received(ByteBuffer(repeating: 0x61, count: 1000))
        sent += 1000
      }
      #expect(effects == [.end(.lineTooLong(bytes: bound))])
      #expect(sent <= bound + 1000)
    }
    var machine = try opened()
    let line = ByteBuffer(string: "MSG " + String(repeating: "a", count: 8 << 10) + " 1 1\r\n")
    #expect(machine.received(line) == [.end(.lineTooLong(bytes: 8 << 10))], "nor a whole one")
  }

  private static let headers: [(String, Bool, Int?)] = [
    ("NATS/1.0\r\n\r\n", true, nil), ("NATS/1.0 503\r\n\r\n", true, 503),
    ("NATS/1.0 404 Message Not Found\r\n\r\n", true, 404), ("NATS/1.0 \r\n\r\n", true, nil),
    ("NATS/1.0\r\nA:\r\nA: b: c\r\n\r\n", true, nil), ("NATS/1.0 503\r\n", false, nil),
    ("NATS/1.0 50\r\n\r\n", false, nil), ("NATS/1.0 5O3\r\n\r\n", false, nil),
    ("NATS/1.0503\r\n\r\n", false, nil), ("NATS/1.1\r\n\r\n", false, nil),
    ("NATS/1.0\r\nA\r\n\r\n", false, nil), ("NATS/1.0\r\n:a\r\n\r\n", false, nil),
    ("NATS/1.0\n\n", false, nil), ("", false, nil), ("\r\n", false, nil),
  ]

  @Test(arguments: headers)
  func `headers are lines with an end`(_ text: String, _ isLawful: Bool, _ status: Int?) {
    let headers = try? NatsHeaders(ByteBuffer(string: text).readableBytesView)
    #expect((headers != nil) == isLawful)
    #expect(headers?.status == status)
  }

  @Test func `nothing comes before its time`() throws {
    for line in ["PING\r\n", "PONG\r\n", "+OK\r\n", "MSG a 1 0\r\n\r\n"] {
      var machine = try machine()
      #expect(machine.received(ByteBuffer(string: line)) == [.end(.unexpected("an operation"))])
    }
    var machine = try machine()
    let effects = machine.received(ByteBuffer(string: Self.greeting + "MSG a 1 0\r\n\r\n"))
    #expect(effects.last == .end(.unexpected("a message")))
    var old = try self.machine()
    #expect(old.received(ByteBuffer(string: "INFO {}\r\n")) == [.end(.tooOld)])
  }

  @Test func `credentials are sent escaped, and through TLS only where it is insisted on`() throws {
    let plain = "INFO {\"headers\":true}\r\n"
    let secure = "INFO {\"headers\":true,\"tls_required\":true}\r\n"
    var insisting = try machine("tls://u:p@h")
    #expect(insisting.received(ByteBuffer(string: plain)) == [.end(.tlsUnavailable)])
    var slipped = try machine("tls://u:p@h")
    #expect(
      slipped.received(ByteBuffer(string: secure + "PONG\r\n")) == [.end(.clearTextBeforeTLS)])
    for address in ["tls://u:p%22%0d@h", "nats://u:p%22%0d@h"] {
      var machine = try machine(address)
      let effects = machine.received(ByteBuffer(string: secure))
      #expect(effects.first == .startTLS)
      guard case .send(let connect) = effects.last else {
        Issue.record("\(effects)")
        return
      }
      let text = String(buffer: connect)
      #expect(text.contains(#""user":"u","pass":"p\"\u000d""#), "\(text)")
      #expect(text.contains(#""tls_required":true"#))
      #expect(text.hasSuffix("}\r\nPING\r\n"))
      #expect(text.utf8.count(where: { $0 == 10 }) == 2)
    }
  }

  @Test func `a silent broker is given up after its third beat`() throws {
    var machine = try opened()
    #expect(machine.beat() == [.send(NatsEncoder.ping)])
    #expect(machine.beat() == [.send(NatsEncoder.ping)])
    _ = machine.received(ByteBuffer(string: "PONG\r\n"))
    #expect(machine.beat() == [.send(NatsEncoder.ping)])
    #expect(machine.beat() == [.send(NatsEncoder.ping)])
    #expect(machine.beat() == [.end(.silent)])
    var slow = try self.machine()
    for _ in 0..<7 { #expect(slow.beat().isEmpty) }
    #expect(slow.beat() == [.end(.notReady)])
  }

  @Test func `a link with three unanswered pings ends even while messages arrive`() throws {
    var machine = try opened()
    // The PONG is queued behind the messages.
    for _ in 0..<3 {
      #expect(machine.beat() == [.send(NatsEncoder.ping)])
      #expect(machine.received(ByteBuffer(string: "MSG tape 7 2\r\nhi\r\n")).count == 1)
    }
    #expect(machine.beat() == [.end(.behind)])
    // Two unanswered pings are tolerated.
    machine = try opened()
    for _ in 0..<20 {
      #expect(machine.beat() == [.send(NatsEncoder.ping)])
      #expect(machine.beat() == [.send(NatsEncoder.ping)])
      _ = machine.received(ByteBuffer(string: "PONG\r\nPONG\r\n"))
    }
  }

  @Test func `sent bytes follow the protocol`() {
    var bytes = ByteBuffer()
    NatsEncoder.subscribe("a.*", 7, to: &bytes)
    NatsEncoder.publish("a.b", ByteBuffer(string: "hi"), to: &bytes)
    NatsEncoder.publish("a.b", replyTo: "r", ByteBuffer(), to: &bytes)
    NatsEncoder.publish("k", replyTo: "r", header: ("K", 12), ByteBuffer(string: "v"), to: &bytes)
    NatsEncoder.unsubscribe(7, to: &bytes)
    let expected =
      "SUB a.* 7\r\nPUB a.b 2\r\nhi\r\nPUB a.b r 0\r\n\r\n"
      + "HPUB k r 19 20\r\nNATS/1.0\r\nK: 12\r\n\r\nv\r\nUNSUB 7\r\n"
    #expect(String(buffer: bytes) == expected)
  }
}
