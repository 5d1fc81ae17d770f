import FeedConnections
import LivetapeServer
import Logging
import MarketModel
import NIOCore
import SocketTransport
import VenueCatalogue
import VenueProtocols
import VenueSimulator

/// A simulated world, with everything that a course consists of and all actions on it; used once.
final class SimulationWorld {
  let options: SimulationOptions
  let script: SimulationScript
  let time = SimulationTime()
  let wires: [VenueWire]
  let pages: SimulatedPages
  let feeds: FeedHub
  /// The order service; nil in a world without the exchange.
  let orders: SimulatedOrders?
  private(set) var visits: [PageVisit] = []
  private let log: SimulationLog
  private(set) var checks = 0
  private(set) var liveLooks = 0
  private var actionsDone = 0
  private var doneLines: [String] = []
  private var trouble: Set<String> = []
  /// When the server's machine last woke.
  private(set) var wokenAt = -SimulationWorld.wakingMilliseconds
  /// Delays of venues' messages: the age that they add, and until when; a late message may be the
  /// last before an allowed silence.
  private var venueDelays: [(venue: Venue, added: Int64, until: Int64)] = []
  var strips = StripAudits()

  init(_ options: SimulationOptions) {
    self.options = options
    let script = SimulationScript(
      seed: options.seed, troubleMilliseconds: options.troubleMilliseconds,
      venues: options.venues)
    self.script = script
    let (time, log) = (time, SimulationLog(keepsLines: options.keepsLines))
    self.log = log
    let wires = script.venues.enumerated().map { index, venue in
      let simulation = SimulationWorld.simulation(
        of: venue, options.seed, options.calm ?? script.calm)
      let site = VenueSite(venue, simulation, time: time)
      let wire = VenueWire(
        site, seed: options.seed &+ UInt64(index),
        budget: options.mistake == .hubIsHasty
          ? ConnectionBudget(attempts: 3) : venue.descriptor.budget, time: time,
        mistake: options.mistake
      ) { log.take($0, at: time.milliseconds) }
      wire.ordinary = script.delays[index]
      return wire
    }
    self.wires = wires
    let ways = NIOLoopBound(wires, eventLoop: time.loop)
    feeds = FeedHub(
      venues: script.venues.enumerated().map { index, venue in
        SimulationWorld.configuration(of: venue, options, number: index)
      }, loop: time.loop, logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() },
      clock: time.clock, frameMilliseconds: 16, lingerMilliseconds: 250
    ) { request, _, deliver in
      let wire = ways.value.first { $0.name.rawValue == request.endpoint.host } ?? ways.value[0]
      return wire.connect(request, deliver)
    }
    let pages = SimulatedPages(feeds: feeds, time: time)
    self.pages = pages
    orders =
      script.venues.contains(.exchange)
      ? SimulatedOrders(
        feeds: feeds, pages: pages, time: time, seed: options.seed, mistake: options.mistake
      ) { log.take($0, at: time.milliseconds) } : nil
  }

  private static func simulation(
    of venue: Venue, _ seed: UInt64, _ calm: Int64
  ) -> any (FaultInjecting & TruthTelling) {
    var options = SimulatedVenues.Options()
    options.limitsKrakenCalls = false
    options.markets[venue] = OpenedMarkets(
      only: TroublePlan.symbols.filter { $0.0 == venue }.map(\.1), slowedBy: calm,
      levels: calm == 1 ? .max : SimulationWorld.calmLevels)
    let own = seed &* 0x9e37_79b9 &+ 1
    return SimulatedVenues.truthful(
      of: venue, seed: own, faults: own, start: SimulationTime.start, options)
  }

  /// Levels a side of the books of calm markets: more than pages request.
  private static let calmLevels = 250

  private static func configuration(
    of venue: Venue, _ options: SimulationOptions, number: Int
  ) -> VenueConfiguration {
    let isStream = venue.descriptor.transport == .tcp
    return VenueConfiguration(
      endpoint: Endpoint(scheme: isStream ? .tcp : .ws, host: venue.rawValue, port: 80),
      session: venue.adapter.session(SessionSetup(origin: .simulated, seed: 1)),
      jitterSeed: options.seed &+ UInt64(number))
  }

  // MARK: The course

  func run() -> SimulationReport {
    begin()
    while time.awakeMilliseconds < options.troubleMilliseconds, log.finding == nil {
      time.run(milliseconds: SimulationWorld.lookMilliseconds)
      look()
      lookAtStrips()
    }
    if log.finding == nil { recover() }
    let report = SimulationReport(
      seed: options.seed, finding: log.finding, traceHash: log.trace.hash, steps: log.trace.steps,
      checks: checks, orders: orders?.acknowledgedCount ?? 0,
      virtualMilliseconds: time.milliseconds, actions: actionsDone,
      script: doneLines, trouble: trouble, lines: log.trace.lines, liveLooks: liveLooks,
      stripMilliseconds: strips.sums.values.reduce(0, +))
    end()
    return report
  }

  /// How long the server may take after a sleep to judge what it shows: its timers run four times a
  /// second, and a page's request may be answered before they do.
  private static let wakingMilliseconds: Int64 = 100

  /// A pause of the server's machine that its hub need not notice, in milliseconds.
  private static let shortSleepMilliseconds: Int64 = 2000

  /// How often rules are checked even when nothing happens, in milliseconds.
  static let lookMilliseconds: Int64 = 100

  private func begin() {
    pages.onClose = { [weak self] page, _ in
      self?.visits.first { $0.id == page }?.lose(forMilliseconds: 1000)
    }
    visits = (0..<script.pages).map { number in
      PageVisit(
        number, pages: pages, time: time, latency: 1 + Int64(number) * 7,
        highWaterMark: script.highWaterMark, mistake: options.mistake,
        report: { [log, time] event in log.take(event, at: time.milliseconds) },
        heard: { [weak self] in self?.look(at: number) })
    }
    for wire in wires { wire.site.start() }
    pages.start()
    pages.onAsk = { [weak self] command, reply in self?.orders?.submit(command, reply) }
    orders?.start()
    feeds.start()
    for visit in visits { visit.connect() }
    let actions = script.actions.prefix(options.maximumActions ?? .max)
    for planned in actions {
      time.after(milliseconds: planned.milliseconds) { [weak self] in self?.act(planned.action) }
    }
  }

  private func end() {
    for visit in visits { visit.end() }
    visits = []
    orders?.end()
    pages.end()
    for wire in wires {
      wire.end()
      wire.site.end()
    }
    for venue in script.venues { feeds.stop(venue) }
    time.end()
  }

  // MARK: Actions

  private func act(_ action: SimulationAction) {
    guard log.finding == nil else { return }
    actionsDone += 1
    let line = "\(time.milliseconds) ms: \(action)"
    doneLines.append(line)
    trouble.formUnion(SimulatedTrouble.words(of: action))
    log.take(.step("act", actionsDone, Array(action.description.utf8)), at: time.milliseconds)
    switch action {
    case .venue(let venue, let faults): breakVenue(venue, faults)
    case .wire(let venue, let fault, let time): breakWire(venue, fault, time)
    case .clock(let off):
      let before = time.reading.wall.milliseconds
      time.setWall(offMilliseconds: off)
      strips.pass(from: before, to: time.reading.wall.milliseconds)
    case .sleep(let milliseconds): sleep(milliseconds)
    case .open(let page, let topic): open(page, topic)
    case .close(let page, let topic): visits[page].page.close(topic)
    case .leave(let page, let time): visits[page].lose(forMilliseconds: time)
    case .stall(let page, let time): visits[page].stall(milliseconds: time)
    case .frames(let page, let time): visits[page].ask(frames: time)
    case .retry(let page, let venue): visits[page].retry(venue)
    case .order(let page, let order): visits[page].order(order)
    case .crash: orders?.crash()
    case .diskFull(let time): orders?.fillDisk(milliseconds: time)
    case .diskSlow(let time): orders?.commitMilliseconds = time
    }
  }

  func wire(to venue: Venue) -> VenueWire? { wires.first { $0.name == venue } }

  private func breakVenue(_ venue: Venue, _ faults: String) {
    guard let wire = wire(to: venue), let spec = try? FaultSpec(faults),
      spec.problem(at: venue) == nil
    else { return }
    wire.site.inject(spec.orders)
    strips.note(spec.orders, of: venue, at: time.milliseconds)
    for order in spec.orders {
      guard case .delay(let added) = order.kind else { continue }
      let until = time.milliseconds + (order.milliseconds ?? 0) + 2 * added + 8000
      venueDelays.append((venue, added, until))
    }
  }

  private func breakWire(
    _ venue: Venue, _ fault: SimulationAction.WireFault, _ milliseconds: Int64
  ) {
    guard let wire = wire(to: venue) else { return }
    switch fault {
    case .cut: wire.cut()
    case .half: wire.halve()
    case .refusing: wire.set(.refusing, milliseconds: milliseconds)
    case .unknown: wire.set(.unknown, milliseconds: milliseconds)
    case .black:
      wire.set(.black, milliseconds: milliseconds)
      venueDelays.append((venue, milliseconds, time.milliseconds + milliseconds + 8000))
    case .slow:
      venueDelays.append((venue, 1500, time.milliseconds + milliseconds + 11_000))
      wire.slow(milliseconds: milliseconds)
    }
  }

  private func sleep(_ milliseconds: Int64) {
    let before = time.reading.wall.milliseconds
    time.sleep(milliseconds: milliseconds)
    strips.pass(from: before, to: before + milliseconds)
    wokenAt = time.milliseconds
    // The hub does not notice a short sleep: delayed messages count as of their arrival.
    let added = min(milliseconds, SimulationWorld.shortSleepMilliseconds)
    for venue in script.venues { venueDelays.append((venue, added, wokenAt + 8000)) }
    for visit in visits { visit.page.slept(until: wokenAt) }
  }

  private func open(_ page: Int, _ topic: String) {
    visits[page].page.open(topic)
  }

  // MARK: Checks

  /// Checks every rule about what is shown now.
  func look() {
    orders?.checkReplay()
    for visit in visits { look(at: visit.number) }
  }

  /// Checks every rule about what one page shows now.
  private func look(at page: Int) {
    guard log.finding == nil, page < visits.count else { return }
    checks += 1
    let visit = visits[page]
    visit.checkBounds()
    for book in visit.page.books { look(at: book, of: visit) }
  }

  private func look(at open: OpenBook, of visit: PageVisit) {
    let now = time.milliseconds
    let (topic, symbol) = (open.topic, open.symbol)
    guard let book = visit.page.liveBook(topic, at: now), let wire = wire(to: open.venue),
      now - wokenAt > SimulationWorld.wakingMilliseconds + visit.frameMilliseconds
    else { return }
    liveLooks += 1
    let allowed = allowance(wire, symbol, visit)
    let words = "page \(visit.number), \(topic), called live\(book.isProven ? " and proven" : "")"
    guard let age = wire.site.age(of: book.rows, symbol) else {
      return find(.truth, "\(words): rows that the venue never had")
    }
    // The age as of the page's latest message.
    let known = max(0, age - (now - visit.page.heardAt))
    guard known > allowed else { return }
    find(.truth, "\(words): expected rows of the last \(allowed) ms, found some of \(known) ms ago")
  }

  /// The maximum age of a book shown as live: the silence allowed to its venue, plus all delays
  /// between venue and page.
  private func allowance(_ wire: VenueWire, _ symbol: Symbol, _ visit: PageVisit) -> Int64 {
    let now = time.milliseconds
    let delays = venueDelays.filter { $0.venue == wire.name && $0.until > now }
    // Kraken's heartbeats continue while a fault drops a book's changes: the loss shows at its next
    // message, or after a quiet book's pause: three times its median pause.
    let pause = max(5000, 3 * (wire.current?.news.pauses[symbol.text] ?? 0))
    let silence: Int64 =
      switch wire.name {
      case .kraken: strips.mayLack(.kraken, at: now) ? pause : 3500
      case .bitmex: 6000
      // Without heartbeats only a book's own rhythm makes it late.
      default: max(6000, 3 * wire.site.longestPause(of: symbol))
      }
    return silence + 300 + visit.frameMilliseconds + visit.socketLatency + wire.longestDelay
      + delays.reduce(0) { $0 + $1.added }
  }

  func find(_ invariant: SimulationInvariant, _ evidence: String) {
    log.take(.finding(invariant, evidence), at: time.milliseconds)
  }
}

// MARK: - Recovery

extension SimulationWorld {
  /// How long recovery may take after the last fault, in milliseconds: a dead connection is found
  /// in 10 s, the back-off takes up to 10 s, a lost snapshot is requested again after 10 s;
  /// BitMEX's budget may space attempts by 3 min; resyncs where no snapshot comes by itself are up
  /// to a minute apart.
  private var recoveryMilliseconds: Int64 {
    if script.venues.contains(.bitmex) { return 300_000 }
    return Set(script.venues).isSubset(of: [.kraken, .exchange]) ? 60_000 : 150_000
  }

  private func recover() {
    for wire in wires {
      wire.site.clearFaults()
      if options.mistake != .neverHeals { wire.heal() }
    }
    orders?.heal()
    let deadline = time.milliseconds + recoveryMilliseconds
    var wrong = "nothing was looked at"
    while time.milliseconds < deadline, log.finding == nil {
      time.run(milliseconds: SimulationWorld.lookMilliseconds)
      look()
      lookAtStrips()
      guard let problem = problem else {
        orders?.checkReplay()
        return
      }
      wrong = problem
    }
    find(.recovery, "\(recoveryMilliseconds) ms after the last fault: \(wrong)")
  }

  /// What is not right yet; nil when everything is.
  private var problem: String? {
    for wire in wires { if let problem = problem(of: wire) { return problem } }
    for visit in visits { if let problem = problem(of: visit) { return problem } }
    return nil
  }

  private func problem(of wire: VenueWire) -> String? {
    if wire.name == .exchange, orders?.isReady == false { return "orders are not taken" }
    let wanted = pages.wanted(of: wire.name)
    // The order service follows the exchange even without subscribed pages.
    guard !wanted.isEmpty || wire.name == .exchange else { return nil }
    guard pages.statuses[wire.name]?.phase == .live else {
      let status = pages.statuses[wire.name]
      let next = status?.nextAttempt.map { $0.monotonic.nanoseconds / 1_000_000 }
      return "\(wire.name) is \(status?.phase.rawValue ?? "unknown") after "
        + "\(status?.reconnects ?? 0) reconnects, next at \(next ?? 0) ms: \(status?.reason ?? "")"
    }
    let expected = wire.site.simulation.streams(for: wanted)
    let found = wire.current?.client.map { wire.site.streams(of: $0) } ?? []
    return found == expected
      ? nil : "\(wire.name): expected the streams \(expected), found \(found)"
  }

  private func problem(of visit: PageVisit) -> String? {
    guard visit.page.isConnected else { return "page \(visit.number) is not connected" }
    for open in visit.page.books {
      guard let wire = wire(to: open.venue) else { continue }
      let (topic, symbol) = (open.topic, open.symbol)
      let now = time.milliseconds
      guard let book = visit.page.liveBook(topic, at: now) else {
        let found = visit.page.topics[topic]?.book?.freshness ?? "nothing"
        return "page \(visit.number) calls \(topic) \(found)"
      }
      let near = 300 + visit.frameMilliseconds + visit.socketLatency + wire.longestDelay
      guard let age = wire.site.age(of: book.rows, symbol), age <= near else {
        return "page \(visit.number) shows another \(topic) than the venue's"
      }
    }
    return nil
  }
}
