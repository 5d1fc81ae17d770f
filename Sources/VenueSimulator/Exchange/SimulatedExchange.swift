// The one-stock exchange's raw TCP tick feed: silent until `hello`, then one line a tick.

public import MarketModel

/// A tick feed that walks around 45.00, moves about 0.08 a second and offers 10 to 50 shares a
/// side.
///
/// The line is `timestamp,last,best buy price,best buy quantity,best sell price,best sell quantity`
/// and a newline; the timestamp is in whole seconds since 1970, prices have two decimals. The
/// market ticks from the start on, whether or not somebody listens, so a seed always gives the
/// same ticks.
public struct SimulatedExchange: SimulatedVenue {
  /// Ticks that are caught up after a pause; of a longer one only the latest are sent.
  static let maximumCatchUpTicks: Int64 = 5
  /// The middle that the price is drawn back to, in hundredths.
  static let middle: Int64 = 4500

  private let intervalMilliseconds: Int64
  private var random: SplitMix64
  private var due: Timestamp
  private var fair: Int64 = SimulatedExchange.middle
  private var greetings: [ClientID: HelloMatcher] = [:]

  /// Makes a feed whose first tick is one interval after `start`.
  public init(seed: UInt64, start: Timestamp, intervalMilliseconds: Int64 = 1000) {
    self.intervalMilliseconds = max(1, intervalMilliseconds)
    random = SplitMix64(seed: SeedText.seed(seed, "exchange"))
    due = start.adding(milliseconds: self.intervalMilliseconds)
  }

  /// Accepts every connection.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    nil
  }

  /// Waits for the greeting; sends nothing.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    greetings[client] = HelloMatcher()
    return []
  }

  /// Looks for `hello` in the stream; the client then gets every tick from the next one on.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    greetings[client]?.take(bytes)
    return []
  }

  /// Forgets the client.
  public mutating func disconnect(_ client: ClientID) { greetings[client] = nil }

  /// Answers no plain request.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    nil
  }

  /// Makes the ticks that are due and sends each to all who have said hello.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    skipPause(now)
    var effects: [VenueEffect] = []
    while due <= now {
      let line = tick(at: due)
      due = due.adding(milliseconds: intervalMilliseconds)
      let listeners = greetings.filter(\.value.isComplete).keys.sorted()
      guard !listeners.isEmpty else { continue }
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

  private mutating func tick(at time: Timestamp) -> [UInt8] {
    fair += random.bell(8) + (SimulatedExchange.middle - fair) / 64
    fair = max(100, fair)
    let bid = fair - random.within(1...6)
    let ask = fair + random.within(1...6)
    let last = random.within(bid...ask)
    var line: [UInt8] = []
    append(time.milliseconds / 1000, .whole, to: &line)
    for (units, scale) in [
      (last, Scale(clamping: 2)), (bid, Scale(clamping: 2)), (random.within(10...50), .whole),
      (ask, Scale(clamping: 2)), (random.within(10...50), .whole),
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
