public import MarketModel
import OrderMatching

/// The raw TCP tick feed of one stock around 45.00: silent until `hello`, then one line per tick.
///
/// The stock belongs to the simulated market: makers, value and noise traders, matched by price and
/// time. Its price moves about 0.08 a second, mostly with 10 to 60 shares per side. The line is
/// `timestamp,last,best buy price,best buy quantity,best sell price,best sell quantity` and a
/// newline; the timestamp is in whole seconds since 1970, prices have two decimals. A tick without
/// offers on a side has no line, because the feed can't express it. The market continues from the
/// start with or without clients, so a seed always gives the same ticks.
public struct SimulatedExchange: SimulatedVenue {
  /// Ticks that are sent after a pause; of a longer one only the latest.
  static let maximumCatchUpTicks: Int64 = 5
  /// More active than other stocks, in steps of 50 ms, so that orders find counterparts.
  private static let listing = MarketListing(
    key: "TROAD", underlying: Underlying(name: "TROAD", volatility: 1_600_000), startTicks: 4500,
    profile: .quoted(stepMilliseconds: 50), continuity: .sessions(seconds: 60))

  /// Decimals of prices: a tick of the market is 0.01.
  static let priceScale = Scale(clamping: 2)

  private let intervalMilliseconds: Int64
  private var market: SimulatedMarket
  private var due: Timestamp
  private var greetings: [ClientID: HelloMatcher] = [:]

  /// Creates a feed whose first tick is one interval after `start`.
  public init(seed: UInt64, start: Timestamp, intervalMilliseconds: Int64 = 1000) {
    self.intervalMilliseconds = max(1, intervalMilliseconds)
    market = SimulatedMarket(seed: seed, start: start, [SimulatedExchange.listing])
    due = start.adding(milliseconds: self.intervalMilliseconds)
  }

  /// Waits for the greeting; sends nothing.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    greetings[client] = HelloMatcher()
    return []
  }

  /// Searches the stream for `hello`; the client then receives every tick from the next one on.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    greetings[client]?.take(bytes)
    return []
  }

  /// Removes the client.
  public mutating func disconnect(_ client: ClientID) { greetings[client] = nil }

  func isGreeted(by client: ClientID) -> Bool { greetings[client]?.isComplete == true }

  /// Makes the ticks that are due and sends each to all greeted clients.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    skipPause(now)
    var effects: [VenueEffect] = []
    while due <= now {
      let line = tick(at: due)
      due = due.adding(milliseconds: intervalMilliseconds)
      let listeners = greetings.filter(\.value.isComplete).keys.sorted()
      guard let line, !listeners.isEmpty else { continue }
      effects.append(.send(to: listeners, bytes: line, binary: false))
    }
    return effects
  }

  /// The next tick.
  public var nextEvent: Timestamp? { due }

  private mutating func skipPause(_ now: Timestamp) {
    let missed = now.milliseconds(since: due) / intervalMilliseconds
    guard missed > SimulatedExchange.maximumCatchUpTicks else { return }
    let skipped = missed - SimulatedExchange.maximumCatchUpTicks
    due = due.adding(milliseconds: skipped * intervalMilliseconds)
  }

  /// Advances the market by one interval; nil when a side has no offer then.
  private mutating func tick(at time: Timestamp) -> [UInt8]? {
    let top = market.look(0, at: time)
    guard let bid = top.bid, let ask = top.ask else { return nil }
    var line: [UInt8] = []
    append(time.milliseconds / 1000, .whole, to: &line)
    for (units, scale) in [
      (top.last.units, SimulatedExchange.priceScale),
      (bid.price.units, SimulatedExchange.priceScale), (bid.quantity.units, .whole),
      (ask.price.units, SimulatedExchange.priceScale), (ask.quantity.units, .whole),
    ] {
      line.append(UInt8(ascii: ","))
      append(units, scale, to: &line)
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private func append(_ units: Int64, _ scale: Scale, to line: inout [UInt8]) {
    FixedDecimal(units: units, scale: scale).appendText(to: &line)
  }
}

/// Finds `hello` in a TCP stream, in any case and however split, without storing bytes.
public struct HelloMatcher: Sendable {
  private static let word: [UInt8] = Array("hello".utf8)

  private var matched = 0
  /// Whether the word has been received.
  public private(set) var isComplete = false

  /// Creates a matcher at the start of a stream.
  public init() {}

  /// Reads bytes of the stream; after the word, all are ignored.
  public mutating func take(_ bytes: [UInt8]) {
    for byte in bytes {
      if isComplete { return }
      let letter = byte | 0x20
      if letter == HelloMatcher.word[matched] {
        matched += 1
      } else {
        // No proper prefix of "hello" ends in its beginning, so a mismatch falls back to the start.
        matched = letter == HelloMatcher.word[0] ? 1 : 0
      }
      isComplete = matched == HelloMatcher.word.count
    }
  }
}
