import MarketModel
import WireJSON

/// Requests that wait: subscriptions, because the venue disconnects a client that sends more than
/// five messages a second, and requests over HTTP, because it bans an address that sends too many.
///
/// One request over HTTP is open at a time. Its weight keeps the next one away, so that at most
/// half of the address's budget is used; failures keep it away longer. A ban outlives the
/// connection.
struct BinanceRequests: BookSessionState {
  /// The number of the session's probe, a `LIST_SUBSCRIPTIONS`.
  static let probeNumber: Int64 = 0
  /// Between two messages; pongs count as well.
  static let spacingMilliseconds: Int64 = 300
  static let streamsPerMessage = 200
  /// For a unit of weight: 3000 a minute.
  static let millisecondsPerWeight: Int64 = 20
  static let pauses: (first: Int64, last: Int64) = (1000, 60_000)
  /// The longest wait for a response over HTTP.
  static let patienceMilliseconds: Int64 = 15_000
  /// How long a snapshot waits for the first update, which shows that the stream is open.
  static let streamMilliseconds: Int64 = 1000

  private struct Waiting {
    let request: BinanceRequest
    var earliest: MonotonicTime
  }

  /// Whether requests have failed so often that pauses grow no more.
  var isAtLongestPause: Bool { pause == Self.pauses.last }

  // MARK: Streams

  private var wanted: Set<BookTopic> = []
  /// Streams that were subscribed and not unsubscribed.
  private var live: Set<BookTopic> = []
  private var count: Int64 = 0
  private var sentAt: MonotonicTime?

  // MARK: Requests over HTTP

  /// Topics whose requests are not queued yet, because the present time is needed.
  private var added: [BookTopic] = []
  private var queue: [Waiting] = []
  private(set) var open: (request: BinanceRequest, since: MonotonicTime)?
  /// Before this nothing is requested; kept over connections.
  private(set) var blockedUntil: MonotonicTime?
  private var pause = BinanceRequests.pauses.first

  init() {}

  mutating func forgetConnection() {
    (wanted, live, added, queue, open) = ([], [], [], [], nil)
    sentAt = nil
  }

  mutating func change(_ topics: [BookTopic], isSubscription: Bool) {
    guard isSubscription else {
      wanted.subtract(topics)
      added.removeAll { topics.contains($0) }
      let gone = topics.compactMap { Self.request(for: $0) }
      return queue.removeAll { gone.contains($0.request) }
    }
    wanted.formUnion(topics)
    added += topics.filter { Self.request(for: $0) != nil }
  }

  private static func request(for topic: BookTopic) -> BinanceRequest? {
    switch (topic.part, topic.symbol) {
    case (.book, let symbol?): .depth(symbol)
    case (.details, let symbol?): .details(symbol)
    default: nil
    }
  }

  /// Queues the requests of new topics.
  mutating func queueAdded(at now: MonotonicTime) {
    for topic in added {
      guard let request = Self.request(for: topic) else { continue }
      let delay = topic.part == .book ? Self.streamMilliseconds : 0
      add(request, earliest: now.adding(milliseconds: delay))
    }
    added = []
  }

  mutating func add(_ request: BinanceRequest, earliest: MonotonicTime) {
    guard !queue.contains(where: { $0.request == request }) else { return }
    queue.append(Waiting(request: request, earliest: earliest))
  }

  /// Whether a snapshot of the symbol's book is queued or requested.
  func awaitsDepth(_ symbol: Symbol) -> Bool {
    open?.request == .depth(symbol) || queue.contains { $0.request == .depth(symbol) }
  }

  /// Requests a symbol's snapshot without waiting for its stream any longer.
  mutating func streamIsOpen(_ symbol: Symbol, at now: MonotonicTime) {
    for index in queue.indices where queue[index].request == .depth(symbol) {
      queue[index].earliest = min(queue[index].earliest, now)
    }
  }

  /// Whether nothing is queued that a moment could make due.
  var isIdle: Bool { queue.isEmpty && added.isEmpty }

  /// The next request over HTTP; nil when none is due.
  mutating func nextRequest(at now: MonotonicTime) -> BinanceRequest? {
    if let open, now.milliseconds(since: open.since) >= Self.patienceMilliseconds {
      finish(open.request)
      delay(open.request, atLeast: 0, at: now)
    }
    guard open == nil, blockedUntil.map({ now >= $0 }) ?? true,
      let index = queue.firstIndex(where: { $0.earliest <= now })
    else { return nil }
    let request = queue.remove(at: index).request
    open = (request, now)
    blockedUntil = now.adding(milliseconds: request.weight * Self.millisecondsPerWeight)
    return request
  }

  /// Handles the response to a request.
  mutating func finish(_ request: BinanceRequest) {
    if open?.request == request { open = nil }
  }

  mutating func succeed(_ request: BinanceRequest) {
    finish(request)
    queue.removeAll { $0.request == request }
    pause = Self.pauses.first
  }

  /// Repeats a failed request after a pause, which doubles with each failure.
  mutating func delay(
    _ request: BinanceRequest, atLeast milliseconds: Int64, at now: MonotonicTime
  ) {
    let until = now.adding(milliseconds: max(pause, milliseconds))
    blockedUntil = max(blockedUntil ?? until, until)
    pause = min(2 * pause, Self.pauses.last)
    if isWanted(request) { add(request, earliest: now) }
  }

  private func isWanted(_ request: BinanceRequest) -> Bool {
    switch request {
    case .depth(let symbol): wanted.contains(BookTopic(.book, symbol))
    case .details(let symbol): wanted.contains(BookTopic(.details, symbol))
    }
  }

  /// The messages that lead to the wanted streams; later ones wait for the next call.
  mutating func streamMessages(at now: MonotonicTime) -> [OutboundMessage] {
    if let sentAt, now.milliseconds(since: sentAt) < Self.spacingMilliseconds { return [] }
    let surplus = live.subtracting(wanted)
    let change = surplus.isEmpty ? wanted.subtracting(live) : surplus
    let topics = Array(
      change.filter { $0.part != .details }.sorted().prefix(Self.streamsPerMessage))
    if topics.isEmpty { return [] }
    if surplus.isEmpty { live.formUnion(topics) } else { live.subtract(topics) }
    sentAt = now
    count += 1
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("method", surplus.isEmpty ? "SUBSCRIBE" : "UNSUBSCRIBE")
    writer.member("params", array: topics) { $0.string(Self.name(of: $1)) }
    writer.member("id", count)
    writer.endObject()
    return [OutboundMessage(.text, writer.bytes)]
  }

  /// As on the wire: "btcusdt@depth@100ms".
  static func name(of topic: BookTopic) -> String {
    let channel: BinanceChannel =
      switch topic.part {
      case .book, .details: .book
      case .audit: .bestLevels
      case .trades, .quote: .trades
      case .figures: .tickers
      }
    return "\((topic.symbol?.text ?? "").lowercased())@\(channel.name)"
  }
}
