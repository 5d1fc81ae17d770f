public import MarketModel
import VenueCatalogue
import VenueProtocols

/// Examines one instrument of a venue for a while: what its protocol's documents leave open is
/// settled by what the venue does.
///
/// A pure state machine: the host passes statuses, values, events and messages, cancels and renews
/// the book's subscription when ``wantsBook`` changes, and reads ``findings(at:)`` at the end.
public struct VenueCheck: Sendable {
  /// The result of one check.
  public enum Outcome: String, Sendable {
    case passed
    case failed
    /// The venue offers nothing to check it by, or too little was received.
    case unknown
  }

  /// One check with its result.
  public struct Finding: Equatable, Sendable, CustomStringConvertible {
    /// What was checked, in one or two words: "trade numbers".
    public let name: String
    /// The result.
    public let outcome: Outcome
    /// The figures behind the result, as a sentence fragment.
    public let detail: String

    /// One line: "passed  trade numbers: 40 trades, 0 numbers missing".
    public var description: String {
      let word = outcome.rawValue
      return word + String(repeating: " ", count: 8 - word.count) + "\(name): \(detail)"
    }
  }

  /// How long the book is not subscribed to in the middle of a check, in milliseconds.
  static let pauseMilliseconds: Int64 = 5000
  /// How long a book may take to be valid, in milliseconds.
  static let slowBook: Int64 = 10_000
  /// The fewest trades to judge their sides by.
  static let fewestSides = 10

  /// The instrument.
  public let instrument: InstrumentKey
  /// Whether the book is to be subscribed to now.
  public private(set) var wantsBook = true

  private let began: ClockReading
  private let milliseconds: Int64
  private var status: ConnectionStatus?
  private var lastReason: Sentence?
  private var firstLive: ClockReading?
  private let others: [Symbol]
  private var otherBooks: Set<Symbol> = []
  /// The longest response time that is too long for live data, in milliseconds.
  private var longestDelay: Int64 = 0
  private var messages: MessageCheck
  private var book: BookView?
  private var firstBook: ClockReading?
  private var doubts: Set<BookDoubt> = []
  private var crossings = 0
  private var dissents: Set<String> = []
  private var witnesses: Set<Witness> = []
  private var resubscribed: ClockReading?
  private var secondBook: ClockReading?
  private var trades = 0
  private var lastIdentifier: Int64 = 0
  private var missingTrades: Int64 = 0
  private var sides: (agree: Int, disagree: Int) = (0, 0)
  private var figures: DayFigures?
  private var listing: VenueListing?
  private var history: Result<VenueCandles, HistoryFailure>?

  /// Starts a check that lasts `milliseconds`.
  ///
  /// The books of `others`, markets of the same venue, are followed as well.
  public init(
    _ instrument: InstrumentKey, others: [Symbol] = [], milliseconds: Int64, at now: ClockReading
  ) {
    (self.instrument, self.milliseconds, began) = (instrument, milliseconds, now)
    self.others = others.filter { $0 != instrument.symbol }
    messages = MessageCheck(of: instrument.venue)
  }

  /// The streams to observe throughout; the book is in ``bookKey``.
  public var keys: Set<MarketKey> {
    let (venue, symbol) = (instrument.venue, instrument.symbol)
    var keys: Set = [MarketKey(venue, .trades, symbol)]
    if venue.descriptor.statesFigures { keys.insert(MarketKey(venue, .figures, symbol)) }
    if venue.descriptor.listsInstruments { keys.insert(.listing(of: venue)) }
    for other in others { keys.insert(MarketKey(venue, .book, other)) }
    return keys
  }

  /// The book's stream.
  public var bookKey: MarketKey { MarketKey(instrument.venue, .book, instrument.symbol) }

  /// Advances the time; call a few times a second.
  public mutating func advance(to now: ClockReading) {
    let middle = milliseconds / 2
    let elapsed = now.monotonic.milliseconds(since: began.monotonic)
    let wasWanted = wantsBook
    wantsBook = firstBook == nil || elapsed < middle || elapsed >= middle + Self.pauseMilliseconds
    if wantsBook, !wasWanted { resubscribed = now }
    // Without the book's messages the rest is naturally quieter.
    if wantsBook != wasWanted || !wantsBook { messages.pause() }
  }

  /// Applies a received message, O(bytes).
  public mutating func receive(_ message: [UInt8], at now: ClockReading) {
    messages.receive(message, at: now)
  }

  /// Applies the connection's status.
  public mutating func receive(_ status: ConnectionStatus, at now: ClockReading) {
    guard status.venue == instrument.venue else { return }
    self.status = status
    lastReason = status.reason ?? lastReason
    if status.phase.isConnected, firstLive == nil { firstLive = now }
    longestDelay = max(longestDelay, status.delayMilliseconds ?? 0)
    if !status.phase.isConnected {
      lastIdentifier = 0
      messages.disconnect()
    }
    for dissent in status.dissents[instrument.symbol] ?? [] {
      dissents.insert(dissent.witness.rawValue)
    }
  }

  /// Applies a stream's value.
  public mutating func receive(_ value: MarketValue, at now: ClockReading) {
    switch value {
    case .book(let view) where view.symbol == instrument.symbol: take(view, at: now)
    case .book(let view) where view.status == .synced && view.freshness.state == .live:
      otherBooks.insert(view.symbol)
    case .figures(let news): figures = news
    case .listing(let news): listing = news
    default: break
    }
  }

  private mutating func take(_ view: BookView, at now: ClockReading) {
    guard wantsBook else { return }
    book = view
    witnesses.formUnion(view.witnesses?.witnesses ?? [])
    if let doubt = view.doubt { doubts.insert(doubt) }
    guard view.status == .synced, view.freshness.state == .live else { return }
    if let bid = view.top.bid, let ask = view.top.ask, bid >= ask { crossings += 1 }
    if firstBook == nil { firstBook = now }
    if let resubscribed, secondBook == nil, now.monotonic > resubscribed.monotonic {
      secondBook = now
    }
  }

  /// Applies a trade.
  public mutating func receive(_ event: MarketEvent, at now: ClockReading) {
    guard case .trade(let trade, let priceScale, _) = event else {
      if case .missed = event { lastIdentifier = 0 }
      return
    }
    trades += 1
    if trade.identifier > 0 {
      if lastIdentifier > 0 {
        missingTrades += max(0, trade.identifier - trade.covered - lastIdentifier)
      }
      lastIdentifier = max(lastIdentifier, trade.identifier)
    }
    judgeSide(of: trade, priceScale)
  }

  /// A buyer takes asks, so a trade above the mid is a purchase unless the book has moved since.
  private mutating func judgeSide(of trade: Trade, _ scale: Scale) {
    guard let book, book.status == .synced, let side = trade.side, book.priceScale == scale,
      let bid = book.top.bid, let ask = book.top.ask, bid < ask
    else { return }
    let above = trade.price >= ask
    guard above || trade.price <= bid else { return }
    if (side == .buy) == above { sides.agree += 1 } else { sides.disagree += 1 }
  }

  /// Records the venue's response to a request for minute candles.
  public mutating func receive(_ candles: Result<VenueCandles, HistoryFailure>) {
    history = candles
  }
}

// MARK: - Findings

extension VenueCheck {
  /// The result of all checks, in the order of a connection's life.
  public func findings(at now: ClockReading) -> [Finding] {
    [
      connection, received(at: now), times, bookFinding, integrity, crossCheck, resubscription,
      tradeNumbers, tradeSides, figuresFinding, instruments, candles,
    ] + otherFindings + traitFindings
  }

  private var otherFindings: [Finding] {
    if others.isEmpty { return [] }
    let missing = others.filter { !otherBooks.contains($0) }.map(\.text)
    return [
      Finding(
        name: "other books", outcome: missing.isEmpty ? .passed : .failed,
        detail: "\(otherBooks.count) of \(others.count) valid"
          + (missing.isEmpty ? "" : "; never: " + missing.joined(separator: ", ")))
    ]
  }

  private var traitFindings: [Finding] {
    zip(instrument.venue.adapter.traits, messages.traitCounts).map { trait, count in
      Finding(
        name: trait.name, outcome: count > 0 ? .passed : .unknown,
        detail: "in \(count) of \(messages.count) messages")
    }
  }

  private func since(_ start: ClockReading, _ end: ClockReading) -> String {
    "\(end.monotonic.milliseconds(since: start.monotonic)) ms"
  }

  private var connection: Finding {
    let name = "connection"
    guard let firstLive else {
      return Finding(
        name: name, outcome: .failed, detail: lastReason?.description ?? "no connection")
    }
    let reconnects = status?.reconnects ?? 0
    let trip = status?.roundTripMicroseconds.map { ", round trip \($0 / 1000) ms" } ?? ""
    guard reconnects == 0 else {
      let reason = lastReason.map { ": \($0)" } ?? ""
      return Finding(name: name, outcome: .failed, detail: "lost \(reconnects)×\(reason)")
    }
    if longestDelay > 0 {
      return Finding(
        name: name, outcome: .failed, detail: "a response took \(longestDelay) ms")
    }
    return Finding(
      name: name, outcome: .passed, detail: "ready after \(since(began, firstLive))\(trip)")
  }

  private func received(at now: ClockReading) -> Finding {
    let rejected = status?.rejectedMessages ?? 0
    let elapsed = max(1, now.monotonic.milliseconds(since: (firstLive ?? began).monotonic))
    let tenths = Int64(messages.count) * 10_000 / elapsed
    let figures =
      "\(messages.count) messages, \(tenths / 10).\(tenths % 10) a second, the largest of "
      + "\(messages.largest) bytes, the longest silence \(messages.longestSilence) ms"
    let problem: String? =
      if rejected > 0 {
        "\(rejected) unreadable of \(figures)"
      } else if messages.overtaken > 0 {
        "\(messages.overtaken) out of order of \(figures)"
      } else if messages.isFlooded {
        "the same one over and over, of \(figures)"
      } else if messages.repeated > 0 {
        "\(messages.repeated) twice of \(figures)"
      } else if messages.hasStalled {
        "\(figures), where \(messages.usualSilence) ms are usual"
      } else {
        nil
      }
    return Finding(
      name: "messages", outcome: messages.count > 0 && problem == nil ? .passed : .failed,
      detail: problem ?? figures)
  }

  private var times: Finding {
    let trip = status?.roundTripMicroseconds.map { $0 / 1000 } ?? 0
    let (outcome, detail) = messages.times(roundTripMilliseconds: trip)
    return Finding(name: "message times", outcome: outcome, detail: detail)
  }

  private var bookFinding: Finding {
    guard let firstBook, let book else {
      return Finding(name: "book", outcome: .failed, detail: "no valid book was received")
    }
    guard book.isKnown else {
      return Finding(
        name: "book", outcome: .failed, detail: "the venue has no \(instrument.symbol)")
    }
    let ready = firstLive ?? began
    guard firstBook.monotonic.milliseconds(since: ready.monotonic) <= Self.slowBook else {
      return Finding(
        name: "book", outcome: .failed, detail: "valid only after \(since(ready, firstBook))")
    }
    return Finding(
      name: "book", outcome: .passed,
      detail: "valid after \(since(ready, firstBook)), \(book.bidLevels) bids and "
        + "\(book.askLevels) asks")
  }

  private var integrity: Finding {
    let (resyncs, name) = (book?.resyncs ?? 0, "book integrity")
    guard firstBook != nil else {
      return Finding(name: name, outcome: .unknown, detail: "no valid book was received")
    }
    if resyncs > 0 || crossings > 0 {
      let reasons = doubts.map(\.rawValue).sorted().joined(separator: ", ")
      let causes = reasons.isEmpty ? "" : " (\(reasons))"
      return Finding(
        name: name, outcome: .failed,
        detail: "fetched again \(resyncs)×\(causes), crossed \(crossings)×")
    }
    return Finding(
      name: name, outcome: .passed, detail: "\(book?.sequence ?? 0) changes without a doubt")
  }

  private var crossCheck: Finding {
    let name = "second stream"
    if !dissents.isEmpty {
      let streams = dissents.sorted().joined(separator: ", ")
      return Finding(name: name, outcome: .failed, detail: "other prices in \(streams)")
    }
    guard !witnesses.isEmpty else {
      return Finding(name: name, outcome: .unknown, detail: "nothing to compare the book with")
    }
    let streams = Witness.allCases.filter(witnesses.contains).map(\.rawValue)
    return Finding(
      name: name, outcome: .passed,
      detail: "no contradiction between " + streams.joined(separator: ", "))
  }

  private var resubscription: Finding {
    let name = "second snapshot"
    guard let resubscribed else {
      return Finding(name: name, outcome: .unknown, detail: "the check was too short")
    }
    guard let secondBook else {
      return Finding(
        name: name, outcome: .failed, detail: "no valid book after subscribing again")
    }
    return Finding(
      name: name, outcome: .passed,
      detail: "valid \(since(resubscribed, secondBook)) after subscribing again")
  }

  private var tradeNumbers: Finding {
    let name = "trade numbers"
    let adapter = instrument.venue.adapter
    guard adapter.numbersTrades || adapter.history?.givesTrades == true, lastIdentifier > 0 else {
      return Finding(name: name, outcome: .unknown, detail: "\(trades) trades, none with a number")
    }
    return Finding(
      name: name, outcome: missingTrades > 0 ? .failed : .passed,
      detail: "\(trades) trades, \(missingTrades) numbers missing")
  }

  private var tradeSides: Finding {
    let name = "trade sides"
    let all = sides.agree + sides.disagree
    guard all >= Self.fewestSides else {
      return Finding(name: name, outcome: .unknown, detail: "only \(all) trades at a best price")
    }
    return Finding(
      name: name, outcome: sides.agree > sides.disagree ? .passed : .failed,
      detail: "\(sides.agree) of \(all) agree with the book")
  }

  private var figuresFinding: Finding {
    let name = "figures"
    guard instrument.venue.descriptor.statesFigures else {
      return Finding(name: name, outcome: .unknown, detail: "the venue sends none")
    }
    guard let figures, let last = figures.last else {
      return Finding(name: name, outcome: .failed, detail: "none were received")
    }
    let change = figures.changePercent.map { ", change \($0) %" } ?? ""
    return Finding(name: name, outcome: .passed, detail: "last \(last)\(change)")
  }

  private var instruments: Finding {
    let name = "instruments"
    guard instrument.venue.descriptor.listsInstruments else {
      return Finding(name: name, outcome: .unknown, detail: "the venue lists none")
    }
    guard let listing, !listing.instruments.isEmpty else {
      return Finding(name: name, outcome: .failed, detail: "no list was received")
    }
    let open = Set(listing.instruments.filter(\.isOpen).map(\.symbol))
    let absent = instrument.venue.descriptor.books.map(\.symbol).filter { !open.contains($0) }
    let skipped = status?.skippedInstruments ?? 0
    guard absent.isEmpty, skipped == 0 else {
      let names = absent.map(\.text).joined(separator: ", ")
      return Finding(
        name: name, outcome: .failed,
        detail: "\(skipped) unreadable; not open: \(names.isEmpty ? "none" : names)")
    }
    return Finding(
      name: name, outcome: .passed, detail: "\(open.count) of \(listing.instruments.count) open")
  }

  private var candles: Finding {
    let name = "candles"
    switch history {
    case nil: return Finding(name: name, outcome: .unknown, detail: "the venue gives none")
    case .failure(let failure):
      return Finding(name: name, outcome: .failed, detail: failure.userMessage.description)
    case .success(let candles):
      let starts = candles.rows.map(\.start)
      let minutes = zip(starts, starts.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0) / 60_000 - 1 }
      return Finding(
        name: name, outcome: starts.isEmpty ? .failed : .passed,
        detail: "\(starts.count) minutes, \(minutes) left out between them, "
          + "\(candles.rows.count { $0.volume.units == 0 }) without a trade")
    }
  }
}
