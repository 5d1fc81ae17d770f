import FeedConnections
import MarketModel
import MarketStreams
import NIOCore
import OrderService
import PaperTrading
import SocketTransport

/// Requests of scripts over HTTP, confined to the loop.
///
/// One page record opens the requested subjects, waits for a first value and keeps a subject open
/// for a while, so that the next request reads a live stream.
struct ScriptRequests {
  /// A rate limit; separate ones, so that neither viewers nor reads delay orders.
  enum Budget: Hashable {
    /// Changes with the access token.
    case orders
    /// Reads with the access token.
    case reads
    /// All requests of viewers.
    case viewers

    var maximumRequests: Int {
      switch self {
      case .orders, .reads: ScriptRequests.maximumRequests
      case .viewers: ViewerShare.of(ScriptRequests.maximumRequests)
      }
    }
  }

  /// How long to wait for a first value.
  static let patience = TimeAmount.seconds(5)
  /// How long a subject stays open after its last request, in milliseconds.
  static let lingerMilliseconds: Int64 = 10_000
  /// The maximum number of pending responses; a quarter is not available to viewers.
  static let maximumWaiting = 64
  /// The maximum orders, and the maximum reads, per second.
  static let maximumRequests = 200
  static let maximumOrdersUnderWay = 32

  struct Waiter {
    let number: Int
    let subject: ScriptSubject
    var isViewer = false
    let promise: EventLoopPromise<Result<ScriptReading, ScriptProblem>>
  }

  var page: PageID?
  var askedAt: [ScriptSubject: MonotonicTime] = [:]
  var waiters: [Waiter] = []
  var nextWaiter = 0
  var ordersUnderWay = 0
  /// Start of each budget's current second, and its requests since then.
  private var counted: [Budget: (since: MonotonicTime, requests: Int)] = [:]

  /// Counts a request; false if its budget is used up.
  mutating func countRequest(_ budget: Budget, at now: MonotonicTime) -> Bool {
    var second = counted[budget] ?? (now, 0)
    if now.milliseconds(since: second.since) >= 1000 { second = (now, 0) }
    second.requests += 1
    counted[budget] = second
    return second.requests <= budget.maximumRequests
  }

  func hasRoom(forViewer isViewer: Bool) -> Bool {
    guard waiters.count < ScriptRequests.maximumWaiting else { return false }
    return !isViewer
      || waiters.count(where: \.isViewer) < ViewerShare.of(ScriptRequests.maximumWaiting)
  }

  func idle(at now: MonotonicTime) -> [ScriptSubject] {
    askedAt.filter { subject, time in
      now.milliseconds(since: time) >= ScriptRequests.lingerMilliseconds
        && !waiters.contains { $0.subject == subject }
    }.keys.sorted { $0.topic < $1.topic }
  }
}

extension PageHub {
  /// The current state of a subject, once it has a first value; callable from any thread.
  func read(
    _ subject: ScriptSubject, asViewer isViewer: Bool
  ) async throws(ScriptProblem) -> ScriptReading {
    let promise = loop.makePromise(of: Result<ScriptReading, ScriptProblem>.self)
    loop.perform { self.begin(subject, isViewer, promise) }
    let result = try? await promise.futureResult.get()
    let reading = try (result ?? .failure(.unavailable)).get()
    guard reading.isKnown else { throw .unknownInstrument }
    return reading
  }

  func countScriptRequest(_ budget: ScriptRequests.Budget) async -> Bool {
    let counted = try? await loop.submit {
      self.box.value.scripts.countRequest(budget, at: self.clock.now().monotonic)
    }.get()
    return counted == true
  }

  /// The stamp of an object without a topic: sequence number, time, and origin of the exchange's
  /// prices.
  func scriptStamp() async -> (number: Int64, at: ClockReading, origin: DataOrigin) {
    let now = clock.now()
    let stamp = try? await loop.submit {
      let origin = self.box.value.server.connections[.exchange]?.origin
      return (self.box.value.server.nextSequence(at: now), origin ?? .venue)
    }.get()
    return (stamp?.0 ?? 0, now, stamp?.1 ?? .venue)
  }

  func submit(_ command: ClientCommand) async throws(ScriptProblem) -> OrderResponse {
    let isFree = try? await loop.submit {
      guard self.box.value.scripts.ordersUnderWay < ScriptRequests.maximumOrdersUnderWay else {
        return false
      }
      self.box.value.scripts.ordersUnderWay += 1
      return true
    }.get()
    guard isFree == true else {
      throw ScriptProblem(429, "too many orders are under way", headers: ["Retry-After": "1"])
    }
    let response = await trading.response(to: command)
    loop.execute { self.box.value.scripts.ordersUnderWay -= 1 }
    return response
  }

  private func begin(
    _ subject: ScriptSubject, _ isViewer: Bool,
    _ promise: EventLoopPromise<Result<ScriptReading, ScriptProblem>>
  ) {
    catchUp()
    guard box.value.scripts.hasRoom(forViewer: isViewer), let page = scriptsPage() else {
      return promise.succeed(.failure(.unavailable))
    }
    let now = clock.now()
    if box.value.scripts.askedAt[subject] == nil {
      guard makeRoom(at: now) else { return promise.succeed(.failure(.unavailable)) }
      var effects: [TopicEffect] = []
      let exists = box.value.server.look(at: subject, for: page, at: now, into: &effects)
      perform(effects)
      guard exists else { return promise.succeed(.failure(.unknownInstrument)) }
    }
    box.value.scripts.askedAt[subject] = now.monotonic
    let number = box.value.scripts.nextWaiter
    box.value.scripts.nextWaiter += 1
    box.value.scripts.waiters.append(
      ScriptRequests.Waiter(
        number: number, subject: subject, isViewer: isViewer, promise: promise))
    answerScripts()
    guard box.value.scripts.waiters.contains(where: { $0.number == number }) else { return }
    loop.scheduleTask(in: ScriptRequests.patience) { self.answerScripts(late: number) }
  }

  /// Completes requests whose subjects have a value, and the one that is `late`.
  func answerScripts(late: Int? = nil) {
    let feeds = feeds
    for waiter in box.value.scripts.waiters {
      let now = clock.now()
      perform(box.value.server.readStreams(of: waiter.subject, at: now) { feeds.value(of: $0) })
      let reading = box.value.server.reading(of: waiter.subject, at: now)
      guard reading?.isSettled == true || waiter.number == late else { continue }
      box.value.scripts.waiters.removeAll { $0.number == waiter.number }
      waiter.promise.succeed(reading.map { .success($0) } ?? .failure(.unavailable))
    }
  }

  func tidyScripts() {
    guard let page = box.value.scripts.page else { return }
    let now = clock.now()
    for subject in box.value.scripts.idle(at: now.monotonic) { lookAway(from: subject, at: now) }
    guard box.value.scripts.askedAt.isEmpty else { return }
    box.value.scripts.page = nil
    perform(box.value.server.disconnect(page, at: now))
  }

  private func lookAway(from subject: ScriptSubject, at now: ClockReading) {
    guard let page = box.value.scripts.page else { return }
    box.value.scripts.askedAt[subject] = nil
    perform(box.value.server.lookAway(from: subject, for: page, at: now))
  }

  /// Closes the subject unused for longest if scripts have reached their limit.
  private func makeRoom(at now: ClockReading) -> Bool {
    let scripts = box.value.scripts
    guard scripts.askedAt.count >= TopicServer.maximumTopicsPerPage else { return true }
    let waited = Set(scripts.waiters.map(\.subject))
    let oldest = scripts.askedAt.filter { !waited.contains($0.key) }.min { $0.value < $1.value }
    guard let oldest else { return false }
    lookAway(from: oldest.key, at: now)
    return true
  }

  private func scriptsPage() -> PageID? {
    if let page = box.value.scripts.page { return page }
    guard hasRoom(forViewer: false) else { return nil }
    let page = nextPage()
    box.value.scripts.page = page
    perform(box.value.server.connect(page, reader: .scripts, at: clock.now()))
    return page
  }

  /// The newest candles for a script's socket: the forming one, and the previous one, which may
  /// just have ended.
  func sendCandles(_ head: ScriptCandlesHead, to page: PageID) {
    Task {
      guard let candles = await self.candles.candles(of: head.instrument, head.interval),
        case .object(let fields) = head.object
      else { return }
      var object = PageObject()
      for field in fields { object.set(field.key, field.value) }
      ScriptObjects.add(candles.newest(2), of: head.instrument.venue, to: &object)
      let bytes = object.value.json
      self.loop.perform { self.send(bytes, to: page) }
    }
  }
}
