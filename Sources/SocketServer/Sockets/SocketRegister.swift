// How many sockets a listener has, as a pure count: whoever opens sockets and says nothing must not
// use up the process's descriptors, nor keep others out.

/// The bounds of one listener.
package struct SocketLimits: Sendable, Equatable {
  /// Sockets in all; one more ends the one that has been idle longest.
  package var sockets: Int
  /// Sockets that have not finished a request yet; one more ends the oldest of them.
  package var silentSockets: Int
  /// Time for a first request and, once it has begun, for each later one, in milliseconds.
  package var requestMilliseconds: Int64
  /// Time without a request after a response, and for the other end to take one, in milliseconds.
  package var idleMilliseconds: Int64

  /// Bounds for a port of its own, but for those given.
  package init(
    sockets: Int = 512, silentSockets: Int = 32, requestMilliseconds: Int64 = 10_000,
    idleMilliseconds: Int64 = 60_000
  ) {
    (self.sockets, self.silentSockets) = (sockets, silentSockets)
    self.requestMilliseconds = requestMilliseconds
    self.idleMilliseconds = idleMilliseconds
  }

  /// For a listener that shares its process's descriptors with a larger one.
  package static let small = SocketLimits(sockets: 64)

  /// The same bounds, but at most one in `divisor` of the descriptors that the process may have,
  /// and at most half of the sockets silent.
  package func sharing(_ descriptors: UInt64?, by divisor: UInt64) -> SocketLimits {
    var limits = self
    if let descriptors { limits.sockets = min(sockets, Int(clamping: descriptors / divisor)) }
    limits.silentSockets = min(silentSockets, max(1, limits.sockets / 2))
    return limits
  }
}

/// What a socket is doing.
package enum SocketActivity: Sendable, Equatable {
  /// It has not finished a welcome request yet.
  case silent
  /// Its request is being answered, or it is a WebSocket, or it has said hello: it stays.
  case busy
  /// Its requests have been answered; another may come.
  case idle
}

/// Counts sockets and decides who may stay.
struct SocketRegister: Sendable {
  /// What becomes of a new socket.
  enum Decision: Equatable, Sendable {
    /// There are too many: close it.
    case refused
    /// It stays; where there is another number, that socket makes room for it: close that one.
    case taken(number: Int, insteadOf: Int?)
  }

  let limits: SocketLimits
  private var open: Set<Int> = []
  /// Sockets without a finished request, the oldest first.
  private var silent: [Int] = []
  /// Sockets that wait for another request, the longest idle first.
  private var idle: [Int] = []
  private var next = 1

  /// An empty register.
  init(_ limits: SocketLimits) { self.limits = limits }

  /// Takes in a new socket.
  mutating func add() -> Decision {
    var leaving: Int?
    if silent.count >= limits.silentSockets {
      leaving = silent.first
    } else if open.count >= limits.sockets {
      leaving = idle.first ?? silent.first
    }
    if let leaving { remove(leaving) }
    guard open.count < limits.sockets else { return .refused }
    let number = next
    next += 1
    open.insert(number)
    silent.append(number)
    return .taken(number: number, insteadOf: leaving)
  }

  /// A socket does something else from now on.
  mutating func note(_ activity: SocketActivity, of number: Int) {
    guard open.contains(number) else { return }
    leave(number)
    switch activity {
    case .silent: silent.append(number)
    case .busy: break
    case .idle: idle.append(number)
    }
  }

  /// A socket is gone.
  mutating func remove(_ number: Int) {
    open.remove(number)
    leave(number)
  }

  private mutating func leave(_ number: Int) {
    silent.removeAll { $0 == number }
    idle.removeAll { $0 == number }
  }
}
