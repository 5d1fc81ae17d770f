// LT11: all alerts and what they fired, as a pure state machine. Trades and the times when none
// could be seen go in, firings come out; every fact that a restart must not forget is in here.

public import MarketModel
import WireJSON

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

// MARK: - JSON

extension AlertBook {
  /// The most bytes of all alerts as JSON: more than the bounds of the parts add up to.
  public static let maximumBytes = 1 << 20
  static let version: Int64 = 1

  /// Everything as JSON; times are nanoseconds since 1970.
  public var json: [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.member("version", AlertBook.version)
    writer.member("nextAlert", nextAlert)
    writer.member("nextFiring", nextFiring)
    writer.member("seenUntil", seenUntil)
    writer.list("alerts", alerts) { $0.write(to: &$1) }
    writer.list("watches", watches.sorted { $0.key.text < $1.key.text }) { pair, writer in
      writer.beginObject()
      writer.member("market", pair.key.text)
      pair.value.write(to: &writer)
      writer.endObject()
    }
    writer.list("firings", firings) { $0.write(to: &$1) }
    writer.list("blind", blindSpans) { span, writer in
      writer.beginObject()
      writer.member("market", span.instrument.text)
      writer.member("since", span.since)
      writer.member("until", span.until)
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, _ time: Timestamp?) {
    if let time { member(name, time.nanoseconds) }
  }

  fileprivate mutating func member(_ name: StaticString, _ value: FixedDecimal) {
    key(name)
    decimalString(value)
  }

  fileprivate mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }
}

extension PriceAlert {
  /// The side is left out: it follows from the latest trade.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("market", instrument.text)
    writer.member("level", level)
    writer.member("repeats", repeats)
    writer.member("armed", isArmed)
    writer.member("createdAt", createdAt)
    writer.member("firedAt", firedAt)
    writer.endObject()
  }
}

extension AlertWatch {
  fileprivate func write(to writer: inout JSONWriter) {
    if let mark {
      writer.member("price", mark.price)
      writer.member("time", mark.time)
      writer.member("identifier", mark.identifier)
    }
    writer.member("openSince", openSince)
    writer.member("unseenSince", unseenSince)
  }
}

extension AlertFiring {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("number", number)
    writer.member("alert", alert)
    writer.member("market", instrument.text)
    writer.member("level", level)
    writer.member("from", from.rawValue)
    writer.member("price", price)
    writer.member("time", time)
    writer.member("identifier", identifier)
    writer.member("at", at)
    writer.member("blindSince", blindSince)
    writer.endObject()
  }
}

// MARK: - Trades, and times without them

extension AlertBook {
  /// Takes a trade of an instrument.
  ///
  /// A trade at or before the last one taken never counts again, so that what a venue repeats after
  /// a reconnect fires nothing twice; one of an instrument without alerts means nothing.
  ///
  /// - Returns: what it fired, in the order in which the alerts were made.
  public mutating func receive(
    _ trade: AlertTrade, of instrument: InstrumentKey, at now: Timestamp
  ) -> [AlertFiring] {
    guard var watch = watches[instrument], watch.isNew(trade) else { return [] }
    if let since = watch.openSince { note(instrument, since, now) }
    let blindSince = watch.unseenSince
    (watch.openSince, watch.unseenSince) = (nil, nil)
    watch.mark = AlertWatch.Mark(
      price: trade.price, time: trade.time, identifier: trade.identifier, arrival: trade.arrival)
    watches[instrument] = watch
    var fired: [AlertFiring] = []
    for index in alerts.indices where alerts[index].instrument == instrument {
      guard alerts[index].isFollowed, let from = alerts[index].receive(trade.price) else {
        continue
      }
      alerts[index].firedAt = now
      fired.append(
        AlertFiring(
          number: nextFiring, alert: alerts[index].id, instrument: instrument,
          level: alerts[index].level, from: from, price: trade.price, time: trade.time,
          identifier: trade.identifier, at: now, blindSince: blindSince))
      nextFiring += 1
    }
    firings += fired
    if firings.count > AlertBook.maximumFirings {
      firings.removeFirst(firings.count - AlertBook.maximumFirings)
    }
    if !fired.isEmpty { forgetUnfollowed(instrument) }
    return fired
  }

  /// Takes the latest trades as the venue's tape has them, newest first.
  ///
  /// After a restart, those count that came in between; for an instrument that is new
  /// here, the newest alone, which tells on which side its alerts begin.
  public mutating func receive(
    _ tape: TapeView, of instrument: InstrumentKey, at now: Timestamp
  ) -> [AlertFiring] {
    guard let watch = watches[instrument] else { return [] }
    let trades = watch.mark == nil ? tape.trades.prefix(1) : tape.trades[...]
    return trades.reversed().flatMap {
      receive(AlertTrade($0, scale: tape.priceScale), of: instrument, at: now)
    }
  }

  /// Trades of an instrument can't be seen from `since` on; ignored when that is known.
  public mutating func lose(_ instrument: InstrumentKey, since: Timestamp) {
    guard let watch = watches[instrument], watch.openSince == nil else { return }
    watches[instrument]?.openSince = since
    watches[instrument]?.mark?.arrival = nil
    watches[instrument]?.unseenSince = watch.unseenSince ?? since
  }

  /// Trades of an instrument are seen again; those before may have been missed.
  public mutating func see(_ instrument: InstrumentKey, at now: Timestamp) {
    guard let since = watches[instrument]?.openSince else { return }
    watches[instrument]?.openSince = nil
    note(instrument, since, now)
  }

  /// Everything until `now` is in here.
  public mutating func mark(at now: Timestamp) { seenUntil = now }

  /// A process begins with what another has kept: since then nothing was seen.
  public mutating func resume(at now: Timestamp) {
    let since = min(seenUntil ?? now, now)
    for instrument in watches.keys {
      lose(instrument, since: since)
      watches[instrument]?.mark?.arrival = nil
    }
  }

  private mutating func forgetUnfollowed(_ instrument: InstrumentKey) {
    let isFollowed = alerts.contains { $0.instrument == instrument && $0.isFollowed }
    if !isFollowed { watches[instrument] = nil }
  }
}

/// A person's alerts: topic `alerts` of docs/page-protocol.md.
public struct AlertsState: Equatable, Sendable {
  /// The alerts and what they fired.
  public var book: AlertBook
  /// Why they may not be kept, one clear sentence; nil when they are.
  public var problem: String?

  /// Puts a state together.
  public init(_ book: AlertBook = AlertBook(), problem: String? = nil) {
    (self.book, self.problem) = (book, problem)
  }
}

/// Why alerts stay as they are.
public enum AlertProblem: Error, Hashable, Sendable {
  /// ``AlertBook/maximumAlerts``.
  case tooMany
  /// It has been deleted, or never was.
  case noSuchAlert
  /// The text is no price, or none that an instrument can have.
  case badLevel
  /// There is an alert like this one.
  case thereAlready
  /// The venue tells quotes but no trades, or has no such instrument.
  case noTrades

  /// One clear sentence.
  public var sentence: String {
    switch self {
    case .tooMany: "There can be \(AlertBook.maximumAlerts) alerts. Delete one first."
    case .noSuchAlert: "This alert does not exist any more."
    case .badLevel: "The price of an alert is a number above 0, with at most 12 decimals."
    case .thereAlready: "There is an alert at this price."
    case .noTrades:
      "Alerts fire on trades, and none are known of this market: only of BitMEX, Kraken and the "
        + "exchange."
    }
  }
}
