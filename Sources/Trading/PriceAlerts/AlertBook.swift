public import MarketModel
import WireJSON

/// LT11: all alerts and their firings, as a pure state machine.
///
/// Trades and trade outages go in, firings come out. Includes every fact that must survive a
/// restart.
public struct AlertBook: Hashable, Sendable {
  /// The maximum number of alerts.
  public static let maximumAlerts = 200
  /// The maximum number of stored firings; the oldest are dropped first.
  public static let maximumFirings = 500
  /// The maximum number of stored blind spans; the oldest are dropped first.
  public static let maximumBlindSpans = 200
  /// The cooldowns of repeating alerts, in seconds; 0 for none.
  public static let cooldowns: ClosedRange<Int64> = 0...86_400
  /// The cooldown of a repeating alert unless it is chosen, in seconds.
  public static let usualCooldown: Int64 = 60

  /// The alerts, oldest first.
  public internal(set) var alerts: [PriceAlert] = []
  /// The firings, oldest first.
  public internal(set) var firings: [AlertFiring] = []
  /// Past periods in which trades were not received, oldest first.
  public internal(set) var blindSpans: [BlindSpan] = []
  /// Until when this state is valid; nil before ``mark(at:)``.
  public internal(set) var seenUntil: Timestamp?
  var nextAlert = 1
  var nextFiring = 1
  var watches: [InstrumentKey: AlertWatch] = [:]

  /// Creates a book without alerts.
  public init() {}

  /// The instruments whose trades must be followed.
  public var followed: Set<InstrumentKey> {
    Set(alerts.lazy.filter(\.isFollowed).map(\.instrument))
  }

  /// The instruments whose order book, or best prices, must be followed.
  public var followedBooks: Set<InstrumentKey> {
    Set(alerts.lazy.filter { $0.isFollowed && $0.condition.needsBook }.map(\.instrument))
  }

  /// Whether ``advance(to:)`` may change anything.
  public var needsClock: Bool {
    alerts.contains { $0.isFollowed && $0.condition.kind != .price }
  }

  /// Periods in which trades of followed instruments were not received, oldest first.
  ///
  /// Ongoing periods are at the end.
  public var blindTimes: [BlindSpan] {
    let open = watches.compactMap { instrument, watch in
      watch.openSince.map { BlindSpan(instrument: instrument, since: $0, until: nil) }
    }
    return blindSpans
      + open.sorted { ($0.since, $0.instrument.text) < ($1.since, $1.instrument.text) }
  }

  // MARK: User commands

  /// Creates an alert, for a price on the side of the instrument's latest trade if there is one.
  ///
  /// - Parameters:
  ///   - instrument: the instrument that is observed.
  ///   - condition: what it waits for; whether a price may be 0 or less depends on the venue.
  ///   - repeats: whether it stays active after firing.
  ///   - cooldownSeconds: for how long it does not fire again, if it repeats; clamped to
  ///     ``cooldowns``.
  ///   - now: the server's time.
  /// - Returns: the alert's number.
  /// - Throws: if there are too many alerts, the condition is invalid, or an equal active alert
  ///   exists; nothing has changed then.
  @discardableResult
  public mutating func add(
    _ instrument: InstrumentKey, _ condition: AlertCondition, repeats: Bool,
    cooldownSeconds: Int64 = 0, at now: Timestamp
  ) throws(AlertProblem) -> Int {
    let condition = try free(condition, on: instrument, for: nil)
    guard alerts.count < AlertBook.maximumAlerts, nextAlert < Int.max else { throw .tooMany }
    let id = nextAlert
    nextAlert += 1
    alerts.append(
      PriceAlert(
        id: id, instrument: instrument, condition: condition, repeats: repeats,
        cooldownSeconds: Self.cooldown(cooldownSeconds, repeats), createdAt: now, side: nil,
        isArmed: true))
    begin(alerts.count - 1)
    return id
  }

  /// Changes an alert and arms it as a new one; its number, its creation and its firings stay.
  ///
  /// Throws as ``add(_:_:repeats:cooldownSeconds:at:)`` does, and if the number is unknown; nothing
  /// has changed then.
  public mutating func edit(
    _ id: Int, _ condition: AlertCondition, repeats: Bool, cooldownSeconds: Int64 = 0
  ) throws(AlertProblem) {
    let index = try index(of: id)
    let condition = try free(condition, on: alerts[index].instrument, for: id)
    (alerts[index].condition, alerts[index].repeats) = (condition, repeats)
    alerts[index].cooldownSeconds = Self.cooldown(cooldownSeconds, repeats)
    alerts[index].firedAt = nil
    begin(index)
  }

  /// Deletes an alert; its firings stay in the log.
  ///
  /// Throws if the number is unknown.
  public mutating func remove(_ id: Int) throws(AlertProblem) {
    alerts.remove(at: try index(of: id))
    settleWatches()
  }

  /// Rearms an alert that has fired; does nothing if it is armed.
  ///
  /// Throws if the number is unknown.
  public mutating func arm(_ id: Int) throws(AlertProblem) {
    let index = try index(of: id)
    guard !alerts[index].isFollowed else { return }
    begin(index)
  }

  /// Arms an alert, for a price on the side of the instrument's latest trade.
  private mutating func begin(_ index: Int) {
    (alerts[index].isArmed, alerts[index].window) = (true, nil)
    setSide(index)
    settleWatches()
  }

  /// Derives the side of a price from the latest trade.
  mutating func setSide(_ index: Int) {
    let alert = alerts[index]
    alerts[index].side = nil
    guard case .price(let level) = alert.condition else { return }
    alerts[index].side = watches[alert.instrument]?.mark.map {
      LevelSide(of: $0.price, from: level)
    }
  }

  private static func cooldown(_ seconds: Int64, _ repeats: Bool) -> Int64 {
    repeats ? min(max(seconds, cooldowns.lowerBound), cooldowns.upperBound) : 0
  }

  /// A valid condition that no other active alert of the instrument has, without trailing zeros.
  private func free(
    _ condition: AlertCondition, on instrument: InstrumentKey, for id: Int?
  ) throws(AlertProblem) -> AlertCondition {
    let kind = condition.kind
    guard
      let condition = AlertCondition(kind, level: condition.level, seconds: condition.seconds)
    else { throw .bad(kind) }
    let isThere = alerts.contains {
      $0.id != id && $0.instrument == instrument && $0.condition == condition && $0.isFollowed
    }
    guard !isThere else { throw kind == .price ? .thereAlready : .sameAlready }
    return condition
  }

  private func index(of id: Int) throws(AlertProblem) -> Int {
    guard let index = alerts.firstIndex(where: { $0.id == id }) else { throw .noSuchAlert }
    return index
  }

  /// Starts watching followed instruments and drops the others, and books that no alert needs.
  mutating func settleWatches() {
    let (followed, books) = (followed, followedBooks)
    for instrument in followed where watches[instrument] == nil {
      watches[instrument] = AlertWatch()
    }
    watches = watches.filter { followed.contains($0.key) }
    for instrument in watches.keys where !books.contains(instrument) {
      watches[instrument]?.forgetBook()
    }
  }

  func isWatched(_ instrument: InstrumentKey) -> Bool { watches[instrument] != nil }

  mutating func note(_ instrument: InstrumentKey, _ since: Timestamp, _ until: Timestamp) {
    guard until > since else { return }
    blindSpans.append(BlindSpan(instrument: instrument, since: since, until: until))
    if blindSpans.count > AlertBook.maximumBlindSpans { blindSpans.removeFirst() }
  }
}

// MARK: - JSON

extension AlertBook {
  /// The maximum size of all alerts as JSON in bytes; more than the parts' bounds add up to.
  public static let maximumBytes = 1 << 20
  static let version: Int64 = 1

  /// The whole book as JSON; times are nanoseconds since 1970.
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

extension AlertCondition {
  /// A price has no kind, as in files that have no other.
  fileprivate func write(to writer: inout JSONWriter) {
    if kind != .price { writer.member("kind", kind.rawValue) }
    if let level { writer.member("level", level) }
    if let seconds { writer.member("seconds", seconds) }
  }
}

extension PriceAlert {
  /// The side is omitted: it follows from the latest trade.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("market", instrument.text)
    condition.write(to: &writer)
    writer.member("repeats", repeats)
    if cooldownSeconds > 0 { writer.member("cooldown", cooldownSeconds) }
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
    condition.write(to: &writer)
    if let from { writer.member("from", from.rawValue) }
    writer.member("price", value)
    writer.member("time", time)
    writer.member("identifier", identifier)
    writer.member("at", at)
    writer.member("blindSince", blindSince)
    writer.endObject()
  }
}

/// The alerts: topic `alerts` of docs/page-protocol.md.
public struct AlertsState: Equatable, Sendable {
  /// The alerts and their firings.
  public var book: AlertBook
  /// Why they may not be saved, as a sentence; nil if they are.
  public var problem: Sentence?
  /// What could not be delivered outside the page since the server's start, by alert.
  public var failures: [Int: DeliveryFailure]

  /// Creates a state.
  public init(
    _ book: AlertBook = AlertBook(), problem: Sentence? = nil,
    failures: [Int: DeliveryFailure] = [:]
  ) {
    (self.book, self.problem, self.failures) = (book, problem, failures)
  }
}

/// Firings of an alert that no receiver outside the page got.
public struct DeliveryFailure: Hashable, Sendable {
  /// How many deliveries failed.
  public var count: Int
  /// Why the latest one did, in a few words.
  public var reason: Sentence

  /// Creates a failure.
  public init(count: Int, reason: Sentence) { (self.count, self.reason) = (count, reason) }
}

/// Why an alert command was rejected.
public enum AlertProblem: Error, Hashable, Sendable {
  /// More than ``AlertBook/maximumAlerts``.
  case tooMany
  case noSuchAlert
  /// The text is not a level that an instrument can have, or the time is out of bounds.
  case bad(AlertCondition.Kind)
  /// An active alert at this price.
  case thereAlready
  /// An active alert with the same other condition.
  case sameAlready
  /// The venue has no trades, or no such instrument.
  case noTrades
  /// The venue's trades have no sizes.
  case noVolume
  /// The venue has best prices only.
  case noBook

  /// The problem as a sentence.
  public var sentence: Sentence {
    switch self {
    case .tooMany: "You can have \(AlertBook.maximumAlerts) alerts. Delete one first."
    case .noSuchAlert: "This alert no longer exists."
    case .bad(.price): "Enter a price above 0, with at most 12 decimals."
    case .bad(.change):
      "Enter a rise, or a fall below 0, of at most 2 decimals, within 1 to 1440 minutes."
    case .bad(.spread): "Enter a spread above 0 basis points, with at most 2 decimals."
    case .bad(.volume): "Enter a volume above 0, within 1 to 1440 minutes."
    case .bad(.book): "Enter 1 to 3600 seconds."
    case .thereAlready: "You already have an alert at this price."
    case .sameAlready: "You already have this alert."
    case .noVolume: "This market’s trades have no sizes, so there is no volume."
    case .noBook: "This market has no order book."
    case .noTrades: "Alerts need trades, and this market's venue sends none."
    }
  }
}
