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
  /// How long a snapshot waits for the first update, which shows that the stream is open.
  static let streamMilliseconds: Int64 = 1000

  /// Whether requests have failed so often that pauses grow no more.
  var isAtLongestPause: Bool { http.isAtLongestPause }

  // MARK: Streams

  private var wanted: Set<BookTopic> = []
  /// Streams that were subscribed and not unsubscribed.
  private var live: Set<BookTopic> = []
  private var count: Int64 = 0
  private var sentAt: MonotonicTime?

  // MARK: Requests over HTTP

  /// Topics whose requests are not queued yet, because the present time is needed.
  private var added: [BookTopic] = []
  private var http = RequestQueue<BinanceRequest>()
  /// Whether the venue refused the latest request for the location.
  var isLocationRefused = false

  init() {}

  mutating func forgetConnection() {
    (wanted, live, added) = ([], [], [])
    http.forgetConnection()
    sentAt = nil
  }

  mutating func change(_ topics: [BookTopic], isSubscription: Bool) {
    guard isSubscription else {
      wanted.subtract(topics)
      added.removeAll { topics.contains($0) }
      return http.remove(topics.compactMap { Self.request(for: $0) })
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
    http.add(request, earliest: earliest)
  }

  /// Whether a snapshot of the symbol's book is queued or requested.
  func awaitsDepth(_ symbol: Symbol) -> Bool { http.awaits(.depth(symbol)) }

  /// Requests a symbol's snapshot without waiting for its stream any longer.
  mutating func streamIsOpen(_ symbol: Symbol, at now: MonotonicTime) {
    http.hasten(.depth(symbol), at: now)
  }

  /// Whether nothing is queued that a moment could make due.
  var isIdle: Bool { http.isIdle && added.isEmpty }

  /// The next request over HTTP; nil when none is due.
  mutating func nextRequest(at now: MonotonicTime) -> BinanceRequest? {
    let wanted = wanted
    return http.next(
      at: now, cost: { $0.weight * Self.millisecondsPerWeight },
      wanted: { wanted.contains($0.topic) })
  }

  /// Whether the list may not be requested yet; a refused location is no ban.
  func isBlocked(at now: MonotonicTime) -> Bool {
    !isLocationRefused && http.blockedUntil.map { now < $0 } ?? false
  }

  /// Makes no request for a while.
  mutating func block(milliseconds: Int64, at now: MonotonicTime) {
    http.block(until: now.adding(milliseconds: milliseconds))
  }

  /// Handles the response to a request.
  mutating func finish(_ request: BinanceRequest) { http.finish(request) }

  mutating func succeed(_ request: BinanceRequest) {
    isLocationRefused = false
    http.succeed(request)
  }

  /// Repeats a failed request after a pause, which doubles with each failure.
  mutating func delay(
    _ request: BinanceRequest, atLeast milliseconds: Int64, at now: MonotonicTime
  ) {
    http.delay(request, atLeast: milliseconds, isWanted: wanted.contains(request.topic), at: now)
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
    writer.object { writer in
      writer.member("method", surplus.isEmpty ? "SUBSCRIBE" : "UNSUBSCRIBE")
      writer.member("params", array: topics) { $0.string(Self.name(of: $1)) }
      writer.member("id", count)
    }
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
