/// The limits of one listener.
package struct SocketLimits: Sendable, Equatable {
  /// The maximum number of sockets; one more closes the one idle for longest.
  package var sockets: Int
  /// The maximum number of sockets without a completed request, by default half of all.
  ///
  /// One more closes the oldest socket of the source with the most of them.
  package var silentSockets: Int
  /// The time for a first request and, once begun, for each later one, in milliseconds.
  package var requestMilliseconds: Int64
  /// The time without a request after a response, and to take a response, in milliseconds.
  package var idleMilliseconds: Int64

  /// Creates limits, by default those of a dedicated port.
  package init(
    sockets: Int = 512, silentSockets: Int? = nil, requestMilliseconds: Int64 = 10_000,
    idleMilliseconds: Int64 = 60_000
  ) {
    self.sockets = sockets
    self.silentSockets = silentSockets ?? max(1, sockets / 2)
    self.requestMilliseconds = requestMilliseconds
    self.idleMilliseconds = idleMilliseconds
  }

  /// Limits for a listener that shares its process's descriptors with a larger one.
  package static let small = SocketLimits(sockets: 64)

  /// Limits the sockets to one in `divisor` of the process's descriptors.
  ///
  /// At most half of them may be without a completed request.
  package func sharing(_ descriptors: UInt64?, by divisor: UInt64) -> SocketLimits {
    var limits = self
    if let descriptors { limits.sockets = min(sockets, Int(clamping: descriptors / divisor)) }
    limits.silentSockets = min(silentSockets, max(1, limits.sockets / 2))
    return limits
  }
}

/// A socket's activity.
package enum SocketActivity: Sendable, Equatable {
  /// It has not completed an accepted request yet.
  case silent
  /// A response is pending, it is a WebSocket, or its client was greeted: it stays.
  case busy
  /// Its requests are complete; another may follow.
  case idle
}

/// Decides which sockets may stay, as a pure state machine: sockets without a request must not
/// exhaust the process's descriptors or keep other clients out.
struct SocketRegister: Sendable {
  enum Decision: Equatable, Sendable {
    /// Too many sockets: close it.
    case refused
    /// It stays; close the socket `insteadOf`, if any, to make room.
    case taken(number: Int, insteadOf: Int?)
  }

  let limits: SocketLimits
  /// The sources of all open sockets, by number.
  private var open: [Int: SocketSource] = [:]
  /// Sockets without a completed request by source, oldest first; no list is empty.
  private var silent: [SocketSource: [Int]] = [:]
  private var silentCount = 0
  /// Sockets between requests, longest idle first.
  private var idle: [Int] = []
  private var next = 1

  init(_ limits: SocketLimits) { self.limits = limits }

  /// Adds a new socket.
  ///
  /// O(sources with silent sockets) if one has to make room.
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

  mutating func note(_ activity: SocketActivity, of number: Int) {
    guard let source = open[number] else { return }
    leave(number, of: source)
    switch activity {
    case .silent: add(silent: number, of: source)
    case .busy: break
    case .idle: idle.append(number)
    }
  }

  mutating func remove(_ number: Int) {
    guard let source = open.removeValue(forKey: number) else { return }
    leave(number, of: source)
  }

  /// The silent socket to close for one more of `newcomer`: the oldest of the source that would
  /// have the most.
  ///
  /// A source with few sockets keeps them all, and each socket gets the same time for its request,
  /// which leaves honest clients behind the same address a chance.
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
