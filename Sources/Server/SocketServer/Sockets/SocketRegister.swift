// How many sockets a listener has, as a pure count: sockets without a request must not use up the
// process's descriptors, nor keep other clients out.

/// The bounds of one listener.
package struct SocketLimits: Sendable, Equatable {
  /// Sockets in all; one more ends the one that has been idle longest.
  package var sockets: Int
  /// Sockets that have not finished a request yet, half of all by default.
  ///
  /// One more closes the oldest of the source that has most of them.
  package var silentSockets: Int
  /// Time for a first request and, once it has begun, for each later one, in milliseconds.
  package var requestMilliseconds: Int64
  /// Time without a request after a response, and for the other end to take one, in milliseconds.
  package var idleMilliseconds: Int64

  /// Bounds for a port of its own, but for those given.
  package init(
    sockets: Int = 512, silentSockets: Int? = nil, requestMilliseconds: Int64 = 10_000,
    idleMilliseconds: Int64 = 60_000
  ) {
    self.sockets = sockets
    self.silentSockets = silentSockets ?? max(1, sockets / 2)
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
  /// It has not finished an accepted request yet.
  case silent
  /// Its request is being answered, it is a WebSocket, or its client has been greeted: it stays.
  case busy
  /// Its requests have been answered; another may come.
  case idle
}

/// Counts sockets and decides which may stay.
struct SocketRegister: Sendable {
  /// What becomes of a new socket.
  enum Decision: Equatable, Sendable {
    /// There are too many: close it.
    case refused
    /// It stays; where there is another number, close that socket to make room.
    case taken(number: Int, insteadOf: Int?)
  }

  let limits: SocketLimits
  /// The sources of all open sockets, by number.
  private var open: [Int: SocketSource] = [:]
  /// Sockets without a finished request by source, the oldest first; no source has an empty list.
  private var silent: [SocketSource: [Int]] = [:]
  private var silentCount = 0
  /// Sockets that wait for another request, the longest idle first.
  private var idle: [Int] = []
  private var next = 1

  /// An empty register.
  init(_ limits: SocketLimits) { self.limits = limits }

  /// Adds a new socket.
  ///
  /// O(sources with silent sockets) where one has to make room.
  mutating func add(from source: SocketSource = .unknown) -> Decision {
    var leaving: Int?
    if silentCount >= limits.silentSockets {
      leaving = leastEntitledSilent(besides: source)
    } else if open.count >= limits.sockets {
      leaving = idle.first ?? leastEntitledSilent(besides: source)
    }
    if let leaving { remove(leaving) }
    guard open.count < limits.sockets else { return .refused }
    let number = next
    next += 1
    open[number] = source
    add(silent: number, of: source)
    return .taken(number: number, insteadOf: leaving)
  }

  /// A socket does something else from now on.
  mutating func note(_ activity: SocketActivity, of number: Int) {
    guard let source = open[number] else { return }
    leave(number, of: source)
    switch activity {
    case .silent: add(silent: number, of: source)
    case .busy: break
    case .idle: idle.append(number)
    }
  }

  /// A socket is gone.
  mutating func remove(_ number: Int) {
    guard let source = open.removeValue(forKey: number) else { return }
    leave(number, of: source)
  }

  /// The silent socket to close for one more of `newcomer`.
  ///
  /// It is of the source that would have most, so that a source with few keeps them all. Of that
  /// source it is the oldest: each of its sockets then has the same time for its request, which
  /// leaves honest clients behind the same address a chance.
  private func leastEntitledSilent(besides newcomer: SocketSource) -> Int? {
    func count(_ source: SocketSource, _ sockets: [Int]) -> Int {
      sockets.count + (source == newcomer ? 1 : 0)
    }
    let most = silent.max { left, right in
      let (fewer, more) = (count(left.key, left.value), count(right.key, right.value))
      return fewer == more ? left.value[0] > right.value[0] : fewer < more
    }
    return most?.value.first
  }

  private mutating func add(silent number: Int, of source: SocketSource) {
    silent[source, default: []].append(number)
    silentCount += 1
  }

  private mutating func leave(_ number: Int, of source: SocketSource) {
    idle.removeAll { $0 == number }
    guard let place = silent[source]?.firstIndex(of: number) else { return }
    silent[source]?.remove(at: place)
    silentCount -= 1
    if silent[source]?.isEmpty == true { silent[source] = nil }
  }
}
