import MarketModel
import WireJSON

/// How to interpret a venue's silence about one instrument.
enum QuoteRule: Equatable {
  /// Each instrument updates at its own steady rhythm, which decides late and stale.
  case ownRhythm
  /// The venue updates at a steady rhythm, each time an instrument of its choice: the rhythm of all
  /// quotes together decides late and stale. An instrument without a quote for sixteen times its
  /// fair share of quotes is stale too (chance: e^-16), because its subscription must be lost.
  case sharedRhythm
  /// The market updates when prices move, and is silent when it is quiet or closed. Silence is at
  /// most late (after a minute while no rhythm is measured), and never stale while the connection
  /// is alive.
  case quietMarket
}

/// The latest quotes of one venue and their freshness, decided in one place for every screen.
struct QuoteBoard: Equatable {
  /// Maximum of unfollowed instruments kept; beyond it the older half is dropped.
  static let maximumUnfollowed = 512
  /// Silence of a quiet market that is late before its rhythm is measured, in milliseconds.
  static let quietMilliseconds: Int64 = 60_000
  /// Turns of all followed instruments after which one without a quote counts as lost.
  static let turnsUntilLost: UInt64 = 16

  var origin: DataOrigin
  private let rule: QuoteRule
  private let newCadence: CadenceTracker
  private var records: [Symbol: QuoteRecord] = [:]
  private var followed: Set<Symbol> = []
  private var rhythm: CadenceTracker
  private var quotes: UInt64 = 0
  private(set) var isOpen = false
  private var wasOpened = false

  init(origin: DataOrigin, rule: QuoteRule, cadence: CadenceTracker) {
    self.origin = origin
    self.rule = rule
    newCadence = cadence
    rhythm = cadence
  }

  /// Handles an open connection: old values stay, as stale, until a quote confirms them.
  mutating func open() {
    interruptAll()
    isOpen = true
    wasOpened = true
  }

  mutating func close() {
    interruptAll()
    isOpen = false
  }

  /// Replaces the followed instruments, in O(n).
  mutating func follow(_ symbols: Set<Symbol>) {
    for symbol in followed.subtracting(symbols) { records[symbol]?.interrupt() }
    followed = symbols
    for symbol in symbols {
      records[symbol, default: QuoteRecord(cadence: newCadence)].seenAtBoardCount = quotes
    }
    if symbols.isEmpty { rhythm.restart() }
    forgetOldest()
  }

  func isFollowing(_ symbol: Symbol) -> Bool { followed.contains(symbol) }

  /// Applies a quote of a followed instrument; returns whether anything visible changed.
  mutating func take(_ update: QuoteUpdate, for symbol: Symbol, at now: ClockReading) -> Bool {
    guard isOpen, followed.contains(symbol), var record = records[symbol] else { return false }
    quotes &+= 1
    rhythm.record(now)
    record.seenAtBoardCount = quotes
    let isDifferent = record.take(update, at: now)
    let state = state(of: record, at: now)
    let isVisible = isDifferent || state != record.reportedState
    record.reportedState = state
    records[symbol] = record
    return isVisible
  }

  /// Doubts the instrument of this name after an unusable message that may have been its quote; nil
  /// for any instrument.
  ///
  /// A name that is not a valid symbol affects no followed instrument.
  mutating func doubt(named name: String?) {
    guard let name else { return doubt(nil) }
    if let symbol = Symbol(name) { doubt(symbol) }
  }

  /// Doubts an instrument after an unreadable message that may have been its quote; nil for any.
  ///
  /// Its price may have changed, so it is late until its next quote.
  mutating func doubt(_ symbol: Symbol?) {
    for name in symbol.map({ [$0] }) ?? followed { records[name]?.isDoubted = true }
  }

  /// The instruments whose state differs from the last reported one, sorted; marks them as
  /// reported.
  mutating func reportStates(at now: ClockReading) -> [Symbol] {
    var moved: [Symbol: FreshnessState] = [:]
    for (symbol, record) in records {
      let state = state(of: record, at: now)
      if state != record.reportedState { moved[symbol] = state }
    }
    for (symbol, state) in moved { records[symbol]?.reportedState = state }
    return moved.keys.sorted()
  }

  /// Whether an instrument that was confirmed on this connection has been silent for longer than
  /// chance explains: it was passed over, or the whole venue is silent.
  func hasFallenSilent(_ symbol: Symbol, at now: ClockReading) -> Bool {
    guard let record = records[symbol] else { return false }
    return isPassedOver(record) || (record.isConfirmed && rhythm.state(at: now) == .stale)
  }

  /// The displayed values of an instrument; waiting for one that was never followed.
  func view(of symbol: Symbol, at now: ClockReading) -> QuoteView {
    let record = records[symbol] ?? QuoteRecord(cadence: newCadence)
    let freshness = Freshness(
      state: state(of: record, at: now), origin: origin, confirmedAt: record.confirmedAt,
      lateAfterMilliseconds: lateAfterMilliseconds(record))
    let latest = record.latest
    return QuoteView(
      symbol: symbol, price: latest?.price, bid: latest?.bid, ask: latest?.ask,
      bidSize: latest?.bidSize, askSize: latest?.askSize, direction: record.direction,
      changes: record.changes, freshness: freshness)
  }

  private func state(of record: QuoteRecord, at now: ClockReading) -> FreshnessState {
    guard isOpen else { return wasOpened ? .disconnected : .waiting }
    guard record.latest != nil else {
      // An unreadable first quote is still a quote, so other prices of the instrument are no longer
      // the newest.
      return rule == .quietMarket && record.isDoubted ? .late : .waiting
    }
    guard record.isConfirmed else { return .stale }
    let state = stateByRhythm(of: record, at: now)
    return state == .live && record.isDoubted ? .late : state
  }

  private func stateByRhythm(of record: QuoteRecord, at now: ClockReading) -> FreshnessState {
    switch rule {
    case .ownRhythm: return record.cadence.state(at: now)
    case .sharedRhythm: return isPassedOver(record) ? .stale : rhythm.state(at: now)
    case .quietMarket:
      guard let confirmedAt = record.confirmedAt else { return .late }
      let age = now.monotonic.milliseconds(since: confirmedAt.monotonic)
      return age <= lateAfterMilliseconds(record) ? .live : .late
    }
  }

  private func lateAfterMilliseconds(_ record: QuoteRecord) -> Int64 {
    switch rule {
    case .ownRhythm: record.cadence.lateAfterMilliseconds
    case .sharedRhythm: rhythm.lateAfterMilliseconds
    case .quietMarket:
      record.cadence.hasRhythm
        ? record.cadence.lateAfterMilliseconds : QuoteBoard.quietMilliseconds
    }
  }

  private func isPassedOver(_ record: QuoteRecord) -> Bool {
    let others = quotes &- record.seenAtBoardCount
    return others > QuoteBoard.turnsUntilLost * UInt64(followed.count)
  }

  private mutating func interruptAll() {
    for symbol in records.keys { records[symbol]?.interrupt() }
    rhythm.restart()
  }

  /// Bounds the memory: a user may scroll through any number of instruments.
  private mutating func forgetOldest() {
    guard records.count - followed.count > QuoteBoard.maximumUnfollowed else { return }
    let unfollowed = records.filter { !followed.contains($0.key) }
    let excess = unfollowed.count - QuoteBoard.maximumUnfollowed / 2
    let start = MonotonicTime(nanoseconds: .min)
    let byAge = unfollowed.sorted { left, right in
      let leftTime = left.value.confirmedAt?.monotonic ?? start
      let rightTime = right.value.confirmedAt?.monotonic ?? start
      return (leftTime, left.key) < (rightTime, right.key)
    }
    for (symbol, _) in byAge.prefix(excess) { records[symbol] = nil }
  }
}

/// The values of one quote message, complete and checked.
struct QuoteUpdate: Equatable {
  let price: FixedDecimal
  var bid: FixedDecimal?
  var ask: FixedDecimal?
  var bidSize: Quantity?
  var askSize: Quantity?
}

/// The latest quote of one instrument, common to the four venues that send quotes without books.
struct QuoteRecord: Equatable {
  /// The latest values; nil before the first quote.
  private(set) var latest: QuoteUpdate?
  /// The direction of the latest price change; the first price is no change.
  private(set) var direction = Direction.unchanged
  /// Changes of the price; the first price does not count.
  private(set) var changes: UInt64 = 0
  /// When the latest quote came, on whichever connection.
  private(set) var confirmedAt: ClockReading?
  /// Whether a quote has come since the instrument is followed on this connection.
  private(set) var isConfirmed = false
  /// Whether an unreadable message since the latest quote may have been its quote.
  var isDoubted = false
  private(set) var cadence: CadenceTracker
  /// The board's count of quotes of all instruments when this one last had a quote.
  var seenAtBoardCount: UInt64 = 0
  var reportedState = FreshnessState.waiting

  init(cadence: CadenceTracker) { self.cadence = cadence }

  /// Applies a quote; returns whether any visible value differs.
  mutating func take(_ update: QuoteUpdate, at now: ClockReading) -> Bool {
    let isDifferent = update != latest
    if let old = latest?.price, old != update.price {
      direction = update.price > old ? .up : .down
      changes &+= 1
    }
    latest = update
    confirmedAt = now
    isConfirmed = true
    isDoubted = false
    cadence.record(now)
    return isDifferent
  }

  /// Handles the end of following: the values stay, but are unconfirmed.
  mutating func interrupt() {
    (isConfirmed, isDoubted) = (false, false)
    cadence.restart()
  }
}

/// The instrument's name in a rejected message, so that only this instrument becomes doubtful.
enum NamedInstrument {
  /// The longest name, in bytes; no venue has a longer one.
  private static let maximumBytes = 256

  /// The text of a member of the object at an offset.
  ///
  /// - Returns: nil if it is missing, not text or present twice, or if the object is unreadable;
  ///   then the message may be about any instrument.
  static func text(_ name: StaticString, in bytes: Span<UInt8>, at offset: Int = 0) -> String? {
    var cursor = JSONCursor(offset: offset)
    var found: String?
    do throws(JSONError) {
      try cursor.object(bytes) { (key, cursor) throws(JSONError) in
        if name ~= key { found = try cursor.text(bytes, maximumBytes: maximumBytes) }
      }
    } catch {
      return nil
    }
    return found
  }
}
