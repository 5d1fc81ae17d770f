// How many sockets a listener has, as a pure count: whoever opens sockets and says nothing must not
// use up the process's descriptors, nor keep others out.

/// The bounds of one listener.
struct SocketLimits: Sendable, Equatable {
  /// Sockets in all.
  var sockets = 512
  /// Sockets that have not finished a request yet; one more ends the oldest of them.
  var silentSockets = 32
  /// Time for a first request and, once it has begun, for each later one, in milliseconds.
  var requestMilliseconds: Int64 = 10_000
  /// Time without a request after an answer, and for the other end to take an answer, milliseconds.
  var idleMilliseconds: Int64 = 60_000

  /// For a listener that shares its process's descriptors with a larger one.
  static let small = SocketLimits(sockets: 64)

  /// The same bounds, but at most one in `divisor` of the descriptors that the process may have.
  func sharing(_ descriptors: UInt64?, by divisor: UInt64) -> SocketLimits {
    var limits = self
    if let descriptors { limits.sockets = min(sockets, Int(clamping: descriptors / divisor)) }
    return limits
  }
}

/// Counts sockets and decides who may stay.
struct SocketRegister: Sendable {
  /// What becomes of a new socket.
  enum Decision: Equatable, Sendable {
    /// There are too many: close it.
    case refused
    /// It stays; where there is another number, that socket has been silent for too long: close it.
    case taken(number: Int, insteadOf: Int?)
  }

  let limits: SocketLimits
  private var open: Set<Int> = []
  /// Sockets without a finished request, the oldest first.
  private var silent: [Int] = []
  private var next = 1

  /// An empty register.
  init(_ limits: SocketLimits) { self.limits = limits }

  /// Takes in a new socket.
  mutating func add() -> Decision {
    guard open.count < limits.sockets else { return .refused }
    let number = next
    next += 1
    open.insert(number)
    let oldest = silent.count >= limits.silentSockets ? silent.first : nil
    if let oldest { remove(oldest) }
    silent.append(number)
    return .taken(number: number, insteadOf: oldest)
  }

  /// A socket has sent a whole request.
  mutating func finishedRequest(_ number: Int) { silent.removeAll { $0 == number } }

  /// A socket is gone.
  mutating func remove(_ number: Int) {
    open.remove(number)
    silent.removeAll { $0 == number }
  }
}
