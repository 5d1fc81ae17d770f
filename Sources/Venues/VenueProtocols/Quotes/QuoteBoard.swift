// The quotes of one venue and the answer to "can this price be believed now?". One place for it, so
// that the same silence means the same on every screen.

import MarketModel

/// How a venue's silence about one instrument is to be understood.
enum QuoteRule: Equatable {
  /// Each instrument speaks at its own steady rhythm: late and stale by that.
  case ownRhythm
  /// The venue speaks at a steady rhythm, each time about an instrument of its choice: late and
  /// stale by the rhythm of all quotes together. An instrument that sixteen times its fair share of
  /// quotes has passed over is stale too (chance: e^-16): its subscription must have been lost.
  case sharedRhythm
  /// The market speaks when it moves, and is silent when it is quiet or closed. Silence is at most
  /// late, before a rhythm is known after a minute; never stale while the connection lives.
  case quietMarket
}

/// The latest quotes of one venue.
struct QuoteBoard: Equatable {
  /// Instruments remembered at most that nobody follows any more; beyond it the older half goes.
  static let maximumUnfollowed = 512
  /// Silence of a quiet market that is late before its rhythm is known, in milliseconds.
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

  /// The connection is open.
  ///
  /// Old values stay, as stale, until a quote confirms them.
  mutating func open() {
    interruptAll()
    isOpen = true
    wasOpened = true
  }

  /// The connection is gone.
  mutating func close() {
    interruptAll()
    isOpen = false
  }

  /// Replaces the instruments that are followed.
  ///
  /// O(n).
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

  /// Takes a quote of a followed instrument; says whether anything visible changed.
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

  /// A message that may have been a quote of the instrument of this name could not be used; nil: of
  /// any instrument.
  ///
  /// A name that can't be followed casts doubt on no instrument that is.
  mutating func doubt(named name: String?) {
    guard let name else { return doubt(nil) }
    if let symbol = Symbol(name) { doubt(symbol) }
  }

  /// A message that may have been a quote of `symbol` could not be read; nil: of any instrument.
  ///
  /// A price that may have changed since is late until the next quote of the instrument.
  mutating func doubt(_ symbol: Symbol?) {
    for name in symbol.map({ [$0] }) ?? followed { records[name]?.isDoubted = true }
  }

  /// The instruments whose state differs from what was last reported, in order; reports them.
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

  /// What screens see of an instrument; waiting for one that was never followed.
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
      // A first quote that could not be read is one all the same, so other prices of the
      // instrument are no longer the newest.
      return rule == .quietMarket && record.isDoubted ? .late : .waiting
    }
    guard record.isConfirmed else { return .stale }
    let state = stateByRhythm(of: record, at: now)
    return state == .live && record.isDoubted ? .late : state
  }

  private func stateByRhythm(of record: QuoteRecord, at now: ClockReading) -> FreshnessState {
    switch rule {
    case .ownRhythm: return record.cadence.state(at: now)
    case .sharedRhythm:
      return isPassedOver(record) ? .stale : rhythm.state(at: now)
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

  /// Keeps memory bounded: a person may scroll through any number of instruments.
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
