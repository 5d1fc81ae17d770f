import MarketModel

/// Requests over HTTP that wait, because a venue bans an address that sends too many.
///
/// One is open at a time. Its cost keeps the next one away, failures keep it away longer. A ban
/// outlives the connection.
struct RequestQueue<Request: Hashable & Sendable>: Sendable {
  /// Milliseconds after the first failure, and the most; a pause doubles with each failure.
  static var pauses: (first: Int64, last: Int64) { (1000, 60_000) }
  /// The longest wait for a response.
  static var patienceMilliseconds: Int64 { 15_000 }

  private struct Waiting {
    let request: Request
    var earliest: MonotonicTime
  }

  private var queue: [Waiting] = []
  private(set) var open: (request: Request, since: MonotonicTime)?
  /// Before this nothing is requested.
  private(set) var blockedUntil: MonotonicTime?
  private var pause: Int64 = 1000

  init() {}

  /// Whether requests have failed so often that pauses grow no more.
  var isAtLongestPause: Bool { pause == Self.pauses.last }

  /// Whether nothing waits that a moment could make due.
  var isIdle: Bool { queue.isEmpty }

  func awaits(_ request: Request) -> Bool {
    open?.request == request || queue.contains { $0.request == request }
  }

  mutating func forgetConnection() { (queue, open) = ([], nil) }

  mutating func add(_ request: Request, earliest: MonotonicTime) {
    guard !queue.contains(where: { $0.request == request }) else { return }
    queue.append(Waiting(request: request, earliest: earliest))
  }

  mutating func remove(_ requests: [Request]) { queue.removeAll { requests.contains($0.request) } }

  /// Ends the wait of a queued request.
  mutating func hasten(_ request: Request, at now: MonotonicTime) {
    for index in queue.indices where queue[index].request == request {
      queue[index].earliest = min(queue[index].earliest, now)
    }
  }

  /// The next request; nil when none is due.
  ///
  /// `cost` is the time in milliseconds that it keeps the next one away; an overdue one is repeated
  /// if it is still `wanted`.
  mutating func next(
    at now: MonotonicTime, cost: (Request) -> Int64, wanted: (Request) -> Bool
  ) -> Request? {
    if let open, now.milliseconds(since: open.since) >= Self.patienceMilliseconds {
      finish(open.request)
      delay(open.request, atLeast: 0, isWanted: wanted(open.request), at: now)
    }
    guard open == nil, blockedUntil.map({ now >= $0 }) ?? true,
      let index = queue.firstIndex(where: { $0.earliest <= now })
    else { return nil }
    let request = queue.remove(at: index).request
    open = (request, now)
    blockedUntil = now.adding(milliseconds: cost(request))
    return request
  }

  /// Handles the response to a request.
  mutating func finish(_ request: Request) {
    if open?.request == request { open = nil }
  }

  mutating func succeed(_ request: Request) {
    finish(request)
    queue.removeAll { $0.request == request }
    pause = Self.pauses.first
  }

  /// Makes no request before this time.
  mutating func block(until time: MonotonicTime) { blockedUntil = max(blockedUntil ?? time, time) }

  /// Blocks all requests for a while after one has failed, and repeats it then if it is wanted.
  mutating func delay(
    _ request: Request, atLeast milliseconds: Int64, isWanted: Bool, at now: MonotonicTime
  ) {
    block(until: now.adding(milliseconds: max(pause, milliseconds)))
    pause = min(2 * pause, Self.pauses.last)
    if isWanted { add(request, earliest: now) }
  }
}
