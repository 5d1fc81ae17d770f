// Which sockets stay open when there are too many.

import NIOCore
import Testing

@testable import SocketServer

@Suite struct SocketRegisterTests {
  private func numbers(_ count: Int, _ register: inout SocketRegister) -> [Int?] {
    (0..<count).map { _ in
      if case .taken(let number, nil) = register.add() { number } else { nil }
    }
  }

  private func source(_ literal: String) throws -> SocketSource {
    try #require(SocketSource(literal: literal))
  }

  @Test func `sockets in all are bounded, and a place that is left is given again`() {
    var register = SocketRegister(SocketLimits(sockets: 3, silentSockets: 9))
    #expect(numbers(3, &register) == [1, 2, 3])
    for number in 1...3 { register.note(.busy, of: number) }
    #expect(register.add() == .refused)
    register.remove(2)
    #expect(register.add() == .taken(number: 4, insteadOf: nil))
    register.note(.busy, of: 4)
    #expect(register.add() == .refused)
  }

  @Test func `when all places are taken the longest idle makes room, then the oldest silent`() {
    var register = SocketRegister(SocketLimits(sockets: 4, silentSockets: 4))
    #expect(numbers(4, &register) == [1, 2, 3, 4])
    for (number, activity) in [(1, SocketActivity.busy), (2, .idle), (3, .idle), (2, .idle)] {
      register.note(activity, of: number)
    }
    #expect(register.add() == .taken(number: 5, insteadOf: 3))
    #expect(register.add() == .taken(number: 6, insteadOf: 2))
    #expect(register.add() == .taken(number: 7, insteadOf: 4))
    register.note(.idle, of: 3)
    for number in 5...7 { register.note(.busy, of: number) }
    #expect(register.add() == .refused, "one that is gone makes no room")
  }

  @Test func `few sockets are never all silent ones`() {
    let limits = SocketLimits().sharing(256, by: 8)
    #expect(limits.sockets == 32 && limits.silentSockets == 16)
    var register = SocketRegister(limits)
    for _ in 0..<100 {
      if case .refused = register.add() { Issue.record("silent sockets lock others out") }
    }
  }

  @Test func `of one source's silent sockets the oldest makes room, others stay`() {
    var register = SocketRegister(SocketLimits(sockets: 9, silentSockets: 2))
    #expect(numbers(2, &register) == [1, 2])
    register.note(.busy, of: 1)
    #expect(register.add() == .taken(number: 3, insteadOf: nil))
    #expect(register.add() == .taken(number: 4, insteadOf: 2))
    #expect(register.add() == .taken(number: 5, insteadOf: 3))
    register.remove(3)
    register.note(.busy, of: 3)
    register.note(.busy, of: 4)
    #expect(register.add() == .taken(number: 6, insteadOf: nil))
  }

  @Test(arguments: [48, 64, 128, 256])
  func `a page load of many sockets at once keeps them all until their requests come`(
    count: Int
  ) throws {
    var register = SocketRegister(SocketLimits())
    let source = try source("192.0.2.1")
    for number in 1...count {
      #expect(register.add(from: source) == .taken(number: number, insteadOf: nil))
    }
  }

  @Test func `a flood from one source takes no silent socket of another`() throws {
    var register = SocketRegister(SocketLimits())
    let (flood, other) = (try source("192.0.2.1"), try source("192.0.2.2"))
    var others: Set<Int> = []
    for round in 0..<6000 {
      let isOther = round.isMultiple(of: 60)
      guard case .taken(let number, let leaving) = register.add(from: isOther ? other : flood)
      else {
        Issue.record("a socket was refused")
        return
      }
      if let leaving { #expect(!others.contains(leaving), "round \(round)") }
      if isOther { others.insert(number) }
    }
    #expect(others.count == 100)
  }

  @Test func `in a flood of its own source a socket has the time of 256 more`() throws {
    var register = SocketRegister(SocketLimits())
    let source = try source("192.0.2.1")
    for _ in 0..<1000 { _ = register.add(from: source) }
    guard case .taken(let honest, _) = register.add(from: source) else {
      Issue.record("the socket was refused")
      return
    }
    // 255 sockets at 600 a second are 425 ms.
    for _ in 0..<255 {
      if case .taken(_, let leaving) = register.add(from: source) { #expect(leaving != honest) }
    }
    #expect(register.add(from: source) == .taken(number: honest + 256, insteadOf: honest))
  }

  @Test func `sources with as many as others lose their oldest first`() throws {
    var register = SocketRegister(SocketLimits(sockets: 9, silentSockets: 3))
    for (number, literal) in ["192.0.2.1", "192.0.2.2", "192.0.2.3"].enumerated() {
      let decision = register.add(from: try source(literal))
      #expect(decision == .taken(number: number + 1, insteadOf: nil))
    }
    #expect(register.add(from: try source("192.0.2.4")) == .taken(number: 4, insteadOf: 1))
    #expect(register.add(from: try source("192.0.2.2")) == .taken(number: 5, insteadOf: 2))
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ("127.0.0.1", "127.0.0.2", false), ("::ffff:192.0.2.1", "192.0.2.1", true),
    ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
    ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
    ("::1", "127.0.0.1", false),
  ])
  func `a source is an address of version 4 or a network of version 6`(
    left: String, right: String, isSame: Bool
  ) throws {
    #expect((try source(left) == source(right)) == isSame)
    #expect(try SocketSource(SocketAddress(ipAddress: left, port: 7)) == source(left))
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8:0:0::/64"),
    ("::ffff:192.0.2.1", "192.0.2.1"),
  ])
  func `a source is written as its address or network`(literal: String, text: String) throws {
    #expect(try source(literal).description == text)
    #expect(SocketSource(literal: "evil\nexample") == nil)
  }

  @Test(arguments: [(1024, 512), (65_536, 512), (256, 128), (nil, 512)] as [(UInt64?, Int)])
  func `a process with few descriptors takes fewer sockets`(descriptors: UInt64?, sockets: Int) {
    #expect(SocketLimits().sharing(descriptors, by: 2).sockets == sockets)
  }

  @Test func `ten thousand silent sockets never hold more than their half`() {
    var register = SocketRegister(SocketLimits())
    for _ in 0..<10_000 {
      if case .refused = register.add() { Issue.record("silent sockets lock others out") }
    }
    for _ in 0..<256 {
      guard case .taken(let number, _) = register.add() else {
        Issue.record("a place was lost")
        return
      }
      register.note(.busy, of: number)
    }
  }
}
