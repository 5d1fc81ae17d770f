import MarketModel

@testable import LivetapeServer

extension TopicServer {
  /// Sends frames, each as soon as it is due, until nothing is left to show.
  mutating func frames(
    at now: ClockReading, reading values: [MarketKey: MarketValue] = [:]
  ) -> [TopicEffect] {
    var effects = frame(at: now) { values[$0] }
    for _ in 0..<10 {
      guard let time = wakesAt else { break }
      effects += frame(at: ClockReading(monotonic: time, wall: now.wall)) { values[$0] }
    }
    return effects
  }
}

extension TopicServer {
  mutating func say(_ message: String, from page: PageID, at now: ClockReading) -> [TopicEffect] {
    receive(Array(message.utf8), from: page, at: now)
  }
}

extension [TopicEffect] {
  func texts(to page: PageID) -> [String] {
    compactMap { effect in
      guard case .send(page, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// A topic server with two pages, a manual clock and its timer, without sockets.
struct TopicServerHost {
  let one = PageID(number: 1)
  let two = PageID(number: 2)
  var server = TopicServer(catalogue: .scripted)
  var now = ClockReading(milliseconds: 1000)
  var values: [MarketKey: MarketValue] = [:]
  var reads = 0
  /// What was sent: the page, the time in milliseconds, and the text.
  var sent: [(page: PageID, at: Int64, text: String)] = []
  /// How often the topic server sent frames.
  var wakes = 0
  private var timer: MonotonicTime?

  init() {
    for page in [one, two] { perform(server.connect(page, at: now)) }
  }

  /// The texts sent to a page since the last call, with their times.
  mutating func take(_ page: PageID) -> [(at: Int64, text: String)] {
    defer { sent.removeAll { $0.page == page } }
    return sent.filter { $0.page == page }.map { ($0.at, $0.text) }
  }

  mutating func say(_ message: String, _ page: PageID) {
    perform(server.receive(Array(message.utf8), from: page, at: now))
  }

  mutating func quote(_ price: String, of name: String) {
    guard let symbol = Symbol(name) else { return }
    let key = MarketKey(.isin, .quote, symbol)
    values[key] = .quote(
      QuoteView(symbol: symbol, price: FixedDecimal(price), freshness: .waiting(.simulated)))
    perform(server.changed(key, at: now))
  }

  mutating func status(messages: Int64, _ phase: ConnectionPhase = .live) {
    var status = ConnectionStatus(venue: .isin, origin: .simulated, since: now)
    status.phase = phase
    status.roundTripMicroseconds = messages
    perform(server.receive(status, at: now))
  }

  mutating func resume(_ page: PageID) { perform(server.resume(page, at: now)) }

  /// Applies everything received and sends what is due.
  mutating func settle() {
    while let due = timer, due <= now.monotonic { wake() }
  }

  /// Moves the clock, and sends what becomes due on the way.
  mutating func advance(_ milliseconds: Int64) {
    let end = now.monotonic.adding(milliseconds: milliseconds)
    while let due = timer, due <= end {
      move(to: max(due, now.monotonic))
      wake()
    }
    move(to: end)
  }

  private mutating func move(to time: MonotonicTime) {
    now = ClockReading(monotonic: time, wall: Timestamp(nanoseconds: time.nanoseconds))
  }

  private mutating func wake() {
    timer = nil
    wakes += 1
    var reads = 0
    let values = values
    let effects = server.frame(at: now) { key in
      reads += 1
      return values[key]
    }
    self.reads += reads
    perform(effects)
  }

  private mutating func perform(_ effects: [TopicEffect]) {
    for effect in effects {
      switch effect {
      case .wake(let time): timer = time
      case .send(let page, let bytes):
        sent.append((page, now.wall.milliseconds, String(decoding: bytes, as: UTF8.self)))
      default: break
      }
    }
  }
}
