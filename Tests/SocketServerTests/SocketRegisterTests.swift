// Who may keep a socket when many want one.

import Testing

@testable import SocketServer

@Suite struct SocketRegisterTests {
  private func numbers(_ count: Int, _ register: inout SocketRegister) -> [Int?] {
    (0..<count).map { _ in
      if case .taken(let number, nil) = register.add() { number } else { nil }
    }
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

  @Test func `of silent sockets the oldest makes room, those that have asked stay`() {
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

  @Test(arguments: [(1024, 512), (65_536, 512), (256, 128), (nil, 512)] as [(UInt64?, Int)])
  func `a process with few descriptors takes fewer sockets`(descriptors: UInt64?, sockets: Int) {
    #expect(SocketLimits().sharing(descriptors, by: 2).sockets == sockets)
  }

  @Test func `ten thousand silent sockets never hold more than their share`() {
    var register = SocketRegister(SocketLimits())
    for _ in 0..<10_000 {
      if case .refused = register.add() { Issue.record("silent sockets lock others out") }
    }
    for _ in 0..<(512 - 32) {
      guard case .taken(let number, _) = register.add() else {
        Issue.record("a place was lost")
        return
      }
      register.note(.busy, of: number)
    }
  }
}
