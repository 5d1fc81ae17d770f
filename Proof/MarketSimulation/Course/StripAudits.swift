import LivetapeServer
import MarketModel
import MarketStreams
import VenueSimulator

/// The audits of all books: each book's level by what the network and the venue did, compared with
/// its truth strip.
struct StripAudits {
  private var audits: [InstrumentKey: StripAudit] = [:]
  /// Until when messages of a venue may have been damaged or lost, and so be refetched.
  private var brokenUntil: [Venue: Int64] = [:]

  /// How long after a message fault a book may still be refetched, in milliseconds: the pauses
  /// between resyncs, and a snapshot that is requested twice.
  private static let mendingMilliseconds: Int64 = 15_000

  /// Records an unobserved time on the server's wall clock.
  mutating func pass(from start: Int64, to end: Int64) {
    for key in audits.keys { audits[key]?.pass(from: start, to: end) }
  }

  /// How long a book, and a venue, may be silent before it is late, in milliseconds.
  fileprivate static func pauses(of venue: Venue) -> (quiet: Int64, silent: Int64) {
    venue == .kraken ? (5000, 3500) : (1500, 6000)
  }

  /// Records a venue's fault: one that affects a single message may be over before the next check.
  mutating func note(_ orders: [FaultOrder], of venue: Venue, at milliseconds: Int64) {
    let breaks = orders.contains { order in
      switch order.kind {
      case .message, .gap, .clock, .flood: true
      case .delay, .stall, .halfOpen, .refuse, .close, .cut: false
      }
    }
    if breaks { brokenUntil[venue] = milliseconds + StripAudits.mendingMilliseconds }
  }

  /// Whether a venue's stream is intact and has been for a while, given its running faults.
  mutating func isSound(_ venue: Venue, _ faults: [RunningFault], at milliseconds: Int64) -> Bool {
    note(faults.map(\.order), of: venue, at: milliseconds)
    return !mayLack(venue, at: milliseconds)
  }

  /// Whether messages of a venue may recently have been lost.
  func mayLack(_ venue: Venue, at milliseconds: Int64) -> Bool {
    brokenUntil[venue].map { $0 > milliseconds } ?? false
  }

  /// Records a book's level, and a difference of its strip.
  mutating func note(
    _ level: TruthLevel?, of key: InstrumentKey, spans: [TruthSpan],
    at wall: Int64, cadence: Int64
  ) -> String? {
    audits[key, default: StripAudit()].note(level, at: wall, cadence: cadence)
    return audits[key]?.problem(with: spans)
  }

  /// Milliseconds that were judged, by level.
  var sums: [TruthLevel: Int64] {
    audits.values.reduce(into: [:]) { all, audit in
      all.merge(audit.sums) { $0 + $1 }
    }
  }
}

extension SimulationWorld {
  /// How long a strip may take to notice a change, in milliseconds: a tick of the hub, a frame of
  /// the slowest page, and a check.
  private var stripCadence: Int64 {
    600 + (visits.map(\.frameMilliseconds).max() ?? 0)
  }

  func lookAtStrips() {
    let wall = time.reading.wall.milliseconds
    for (venue, name) in TroublePlan.symbols {
      guard let wire = wire(to: venue), let symbol = Symbol(name) else { continue }
      let key = InstrumentKey(venue, symbol)
      let level = worth(symbol, wire)
      let record = pages.server.truth(of: key)
      var spans = record?.spans ?? []
      if options.mistake == .stripFlatters {
        spans = spans.map {
          TruthSpan(since: $0.since, level: $0.level == .blind ? .proven : $0.level, cause: nil)
        }
      }
      let problem = strips.note(level, of: key, spans: spans, at: wall, cadence: stripCadence)
      if let problem { return find(.strip, "\(venue) \(symbol): \(problem)") }
    }
  }

  /// A book's level by the received bytes and their faults; nil where they leave it open.
  private func worth(_ symbol: Symbol, _ wire: VenueWire) -> TruthLevel? {
    let now = time.milliseconds
    let isSound = strips.isSound(
      wire.name, wire.site.simulation.runningFaults(at: time.now), at: now)
    let looks = pages.looks(at: symbol, of: wire.name)
    guard looks.single || looks.grouped else {
      if wire.current?.isUp != true { wire.images.remove(symbol.text) }
      return .unwatched
    }
    wire.images.subtract(wire.current?.news.gone ?? [])
    guard wire.images.contains(symbol.text) else { return nil }
    guard let connection = wire.current, connection.isUp else { return .blind }
    let news = connection.news
    guard isSound else { return nil }
    if news.asked.contains(symbol.text) { return .resyncing }
    guard let came = news.books[symbol.text] else { return nil }
    let pauses = StripAudits.pauses(of: wire.name)
    if now - news.heardAt > pauses.silent { return .late }
    // Between two checks a pause may have ended that was long enough to be late.
    let look = SimulationWorld.lookMilliseconds
    guard now - news.heardAt <= pauses.silent - look, now - came <= pauses.quiet - look
    else { return nil }
    // After a sleep nothing is valid before the venue has responded.
    let begin = connection.openedAt ?? 0
    guard begin > wokenAt || (news.answeredAt > wokenAt && came > wokenAt) else { return nil }
    switch connection.pace {
    case .slow: return .late
    case .doubtful: return nil
    case .prompt: return wire.name == .kraken && looks.single ? .proven : .live
    }
  }
}
