// LT11: all alerts and what they fired, as a pure state machine. Trades and the times when none
// could be seen go in, firings come out; every fact that a restart must not forget is in here.

public import MarketModel

/// A person's alerts.
public struct AlertBook: Hashable, Sendable {
  /// The most alerts.
  public static let maximumAlerts = 200
  /// The most firings that are remembered; the oldest go first.
  public static let maximumFirings = 500
  /// The most blind times that are remembered; the oldest go first.
  public static let maximumBlindSpans = 200
  /// The most decimals of a level.
  static let maximumDecimals: UInt8 = 12

  /// The alerts, oldest first.
  public internal(set) var alerts: [PriceAlert] = []
  /// What fired, oldest first.
  public internal(set) var firings: [AlertFiring] = []
  /// Times that are over in which trades were not seen, oldest first.
  public internal(set) var blindSpans: [BlindSpan] = []
  /// Until when this is the truth; nil before ``mark(at:)``.
  public internal(set) var seenUntil: Timestamp?
  /// The number of the next alert that is made.
  var nextAlert = 1
  /// The number of the next firing.
  var nextFiring = 1
  /// What is known of every followed instrument.
  var watches: [InstrumentKey: AlertWatch] = [:]

  /// No alerts.
  public init() {}

  /// The instruments whose trades must be followed.
  public var followed: Set<InstrumentKey> {
    Set(alerts.lazy.filter(\.isFollowed).map(\.instrument))
  }

  /// The times in which trades of followed instruments were not seen, oldest first, those that
  /// last still at the end.
  public var blindTimes: [BlindSpan] {
    let open = watches.compactMap { instrument, watch in
      watch.openSince.map { BlindSpan(instrument: instrument, since: $0, until: nil) }
    }
    return blindSpans
      + open.sorted { ($0.since, $0.instrument.text) < ($1.since, $1.instrument.text) }
  }

  // MARK: What a person does

  /// Makes an alert.
  ///
  /// Where the latest trade of the instrument is known, its side counts.
  ///
  /// - Parameters:
  ///   - instrument: whose trades.
  ///   - level: the price, with at most 12 decimals; whether it may be 0 or less is the venue's.
  ///   - repeats: whether it goes on after it has fired.
  ///   - now: by the server's clock.
  /// - Returns: its number.
  /// - Throws: when there are too many, the level is none, or an alert like it waits already;
  ///   nothing has changed then.
  @discardableResult
  public mutating func add(
    _ instrument: InstrumentKey, level: FixedDecimal, repeats: Bool, at now: Timestamp
  ) throws(AlertProblem) -> Int {
    let level = level.trimmed
    guard level.scale.digits <= AlertBook.maximumDecimals else { throw .badLevel }
    let isThere = alerts.contains {
      $0.instrument == instrument && $0.level == level && $0.isFollowed
    }
    guard !isThere else { throw .thereAlready }
    guard alerts.count < AlertBook.maximumAlerts, nextAlert < Int.max else { throw .tooMany }
    let id = nextAlert
    nextAlert += 1
    let last = watches[instrument]?.mark?.price
    alerts.append(
      PriceAlert(
        id: id, instrument: instrument, level: level, repeats: repeats, createdAt: now,
        side: last.map { LevelSide(of: $0, from: level) }, isArmed: true))
    settleWatches()
    return id
  }

  /// Deletes an alert; what it fired stays in the log.
  ///
  /// Throws when there is none with this number.
  public mutating func remove(_ id: Int) throws(AlertProblem) {
    alerts.remove(at: try index(of: id))
    settleWatches()
  }

  /// Arms an alert that has fired once more; nothing when it is armed.
  ///
  /// Throws when there is none with this number.
  public mutating func arm(_ id: Int) throws(AlertProblem) {
    let index = try index(of: id)
    guard !alerts[index].isFollowed else { return }
    let (instrument, level) = (alerts[index].instrument, alerts[index].level)
    alerts[index].isArmed = true
    alerts[index].side = watches[instrument]?.mark.map { LevelSide(of: $0.price, from: level) }
    settleWatches()
  }

  private func index(of id: Int) throws(AlertProblem) -> Int {
    guard let index = alerts.firstIndex(where: { $0.id == id }) else { throw .noSuchAlert }
    return index
  }

  /// Begins to watch what is followed, and forgets what is not.
  private mutating func settleWatches() {
    let followed = followed
    for instrument in followed where watches[instrument] == nil {
      watches[instrument] = AlertWatch()
    }
    for (instrument, watch) in watches where !followed.contains(instrument) {
      watches[instrument] = nil
      if let since = watch.openSince { note(instrument, since, since) }
    }
  }

  func isWatched(_ instrument: InstrumentKey) -> Bool { watches[instrument] != nil }

  /// Remembers a blind time that is over.
  mutating func note(_ instrument: InstrumentKey, _ since: Timestamp, _ until: Timestamp) {
    guard until > since else { return }
    blindSpans.append(BlindSpan(instrument: instrument, since: since, until: until))
    if blindSpans.count > AlertBook.maximumBlindSpans { blindSpans.removeFirst() }
  }
}
