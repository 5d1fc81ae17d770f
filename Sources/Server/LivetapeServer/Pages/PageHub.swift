import AppState
import FeedConnections
import Logging
import MarketModel
import MarketStreams
import NIOCore
import OrderService
import PriceAlerts
import SocketTransport

/// The host of the topic server: sockets, feed hub, clock and timer.
///
/// Everything runs on one event loop, shared with the feed hub and the pages' channels.
final class PageHub: Sendable {
  /// The loop that everything runs on; every page's channel must be on it.
  let loop: any EventLoop
  let feeds: FeedHub
  let candles: CandleService
  let survey: SurveyService
  private let products: ProductClient?
  let trading: any OrderAccess
  private let lists: KeptFile<MarketLists>
  private let truths: KeptFile<TruthBoard>
  private let alerts: AlertService
  private let breakable: BreakableVenues
  let clock: HubClock
  private let logger: Logger
  let box: NIOLoopBoundBox<State>

  /// State confined to the loop.
  struct State {
    var server: TopicServer
    var channels: [PageID: any NIOCore.Channel] = [:]
    var nextPage = 1
    var observations: [StreamInterest: FeedObservation] = [:]
    var connections: FeedObservation?
    var timer: RepeatedTask?
    var wake: Scheduled<Void>?
    var phases: [Venue: ConnectionPhase] = [:]
    var connectionsOpened: [Venue: Int] = [:]
    var productQueue = ProductQueue()
    var productRequests: [Symbol: (number: Int, task: Task<Void, Never>)] = [:]
    var nextRequest = 1
    /// The number of the hub's pauses already applied to pages.
    var pausesSeen: UInt64 = 0
    var truthProblem: Sentence?
    var scripts = ScriptRequests()
    /// Bytes written to pages' sockets since the start.
    var bytesSent: UInt64 = 0
  }

  init(
    feeds: FeedHub, candles: CandleService, survey: SurveyService, products: ProductClient?,
    trading: any OrderAccess, lists: KeptFile<MarketLists>, truths: KeptFile<TruthBoard>,
    alerts: AlertService, breakable: BreakableVenues, catalogue: TopicCatalogue,
    requestedVenues: Set<Venue>, pageLimit: Int, loop: any EventLoop, clock: HubClock,
    logger: Logger
  ) {
    self.loop = loop
    self.feeds = feeds
    self.candles = candles
    self.survey = survey
    self.products = products
    self.trading = trading
    self.lists = lists
    self.truths = truths
    self.alerts = alerts
    self.breakable = breakable
    self.clock = clock
    self.logger = logger
    var server = TopicServer(
      catalogue: catalogue, lists: MarketListsState(lists.kept, problem: lists.problem),
      truths: truths.kept, pageLimit: pageLimit)
    server.requestedVenues = requestedVenues
    box = NIOLoopBoundBox.makeBoxSendingValue(State(server: server), eventLoop: loop)
  }

  func start() {
    loop.execute {
      self.noteTruth(self.truths.problem)
      self.trading.listen { news in self.take(news) }
      self.trading.start(feeds: self.feeds)
      self.alerts.start { state in
        self.perform(self.box.value.server.publish(state, as: .alerts, at: self.clock.now()))
      }
      self.breakable.listen { state in
        self.loop.perform {
          self.perform(self.box.value.server.publish(state, as: .faults, at: self.clock.now()))
        }
      }
      self.box.value.connections = self.feeds.observeConnections { status in
        self.loop.perform {
          self.count(status)
          self.perform(self.box.value.server.receive(status, at: self.clock.now()))
        }
      }
      self.box.value.timer = self.loop.scheduleRepeatedTask(
        initialDelay: .milliseconds(250), delay: .milliseconds(250)
      ) { _ in
        self.tick()
        self.tidyScripts()
        self.showLatency()
      }
    }
  }

  /// Closes every page and stops the feeds.
  func shutDown() {
    loop.execute {
      self.box.value.timer?.cancel()
      self.box.value.wake?.cancel()
      self.box.value.connections?.cancel()
      for observation in self.box.value.observations.values { observation.cancel() }
      self.box.value.observations = [:]
      for request in self.box.value.productRequests.values { request.task.cancel() }
      for channel in self.box.value.channels.values { channel.close(promise: nil) }
    }
  }

  /// Stores the remaining state once every page is closed.
  func close() async {
    try? await loop.submit {
      self.keep(self.box.value.server.lastTruths(at: self.clock.now()))
    }.get()
    await truths.close()
    await lists.close()
    await alerts.close()
  }

  /// Whether another page may connect; on the loop.
  func hasRoom(forViewer isViewer: Bool) -> Bool {
    box.value.server.hasRoom(forViewer: isViewer)
  }

  /// Connects a page; on the loop.
  func connect(
    _ channel: any NIOCore.Channel, isViewer: Bool, visitor: Visitor, reader: PageReader = .page
  ) -> PageID {
    catchUp()
    let page = nextPage()
    box.value.channels[page] = channel
    perform(
      box.value.server.connect(
        page, isViewer: isViewer, visitor: visitor, reader: reader, at: clock.now()))
    return page
  }

  /// A number that no page has had.
  func nextPage() -> PageID {
    defer { box.value.nextPage += 1 }
    return PageID(number: box.value.nextPage)
  }

  /// Handles a page's message; on the loop.
  func receive(_ bytes: [UInt8], from page: PageID) {
    catchUp()
    perform(box.value.server.receive(bytes, from: page, at: clock.now()))
  }

  /// Resumes a page whose socket has drained; on the loop.
  func resume(_ page: PageID) {
    catchUp()
    perform(box.value.server.resume(page, at: clock.now()))
  }

  /// Removes a page; on the loop.
  func disconnect(_ page: PageID) {
    box.value.channels[page] = nil
    perform(box.value.server.disconnect(page, at: clock.now()))
  }

  /// The latency per venue and rung, of the last minute and since the start; callable from any
  /// thread.
  func latency() async -> [LatencyReport] { await feeds.latency() }

  /// Sends the ladder once a second while a page shows it.
  private func showLatency() {
    let now = clock.now()
    guard box.value.server.wantsLatency(at: now) else { return }
    let latency = LatencyState(reports: feeds.latencyNow())
    perform(box.value.server.publish(latency, as: .latency, at: now))
  }

  /// Counts a connection once its handshake is complete.
  private func count(_ status: ConnectionStatus) {
    let before = box.value.phases.updateValue(status.phase, forKey: status.venue)
    let isOpening = before == nil || before == .connecting || before == .handshaking
    switch status.phase {
    case .awaitingReady, .subscribing, .live:
      if isOpening { box.value.connectionsOpened[status.venue, default: 0] += 1 }
    default: break
    }
  }

  func perform(_ effects: [TopicEffect]) {
    for effect in effects {
      switch effect {
      case .send(let page, let bytes): send(bytes, to: page)
      case .sendCandles(let page, let head): sendCandles(head, to: page)
      case .look: answerScripts()
      case .close(let page, let code, let reason):
        box.value.channels[page]?.triggerUserOutboundEvent(
          WebSocketCommand.close(code: code, reason: reason), promise: nil)
      case .observe(let interest): observe(interest)
      case .release(let interest):
        box.value.observations.removeValue(forKey: interest)?.cancel()
      case .perform(let effect): perform(effect)
      case .abandon(let product): abandon(product)
      case .ask(let page, let ask): pass(ask, from: page)
      case .keep(let lists): keep(lists)
      case .keepTruths(let board): keep(board)
      case .change(let page, let command):
        if let problem = alerts.perform(command) {
          perform(box.value.server.refuse("bad_alert", problem.sentence, to: page))
        }
      case .inject(let page, let command): breakVenue(command, for: page)
      case .written(let frame):
        perform(box.value.server.written(frame, at: clock.now()))
      case .measured(let venue, let rung, let nanoseconds, let within):
        feeds.record(rung, nanoseconds, within: within, of: venue)
      case .wake(let time): wake(at: time)
      }
    }
  }

  /// Schedules the next frames; an immediate wake runs after all input that arrived with its cause.
  private func wake(at time: MonotonicTime) {
    box.value.wake?.cancel()
    box.value.wake = nil
    let delay = time.nanoseconds - clock.now().monotonic.nanoseconds
    if delay <= 0 {
      loop.execute { self.makeFrames() }
    } else {
      box.value.wake = loop.scheduleTask(in: .nanoseconds(delay)) { self.makeFrames() }
    }
  }

  private func tick() {
    let feeds = feeds
    perform(box.value.server.readUnseen(at: clock.now()) { feeds.value(of: $0) })
    perform(box.value.server.timer(at: clock.now()))
  }

  /// Ages values before pages receive anything that would make them look current.
  func catchUp() {
    let pauses = feeds.catchUp()
    guard pauses != box.value.pausesSeen else { return }
    box.value.pausesSeen = pauses
    tick()
    makeFrames()
  }

  private func makeFrames() {
    catchUp()
    let feeds = feeds
    perform(box.value.server.frame(at: clock.now()) { feeds.value(of: $0) })
  }

  private func pass(_ ask: PageAsk, from page: PageID) {
    trading.submit(ask.command, isRepeat: ask.isRepeat) { answer in
      self.loop.execute { self.perform(self.box.value.server.receive(answer, to: ask, from: page)) }
    }
  }

  private func breakVenue(_ command: FaultCommand, for page: PageID) {
    breakable.perform(command) { problem in
      guard let problem else { return }
      self.loop.perform {
        self.perform(self.box.value.server.refuse("bad_fault", problem, to: page))
      }
    }
  }

  private func keep(_ changed: MarketLists) {
    lists.keep(changed) { problem in
      self.loop.execute {
        self.perform(
          self.box.value.server.receive(listsProblem: problem, at: self.clock.now()))
      }
    }
  }

  private func keep(_ board: TruthBoard) {
    truths.keep(board) { problem in self.loop.execute { self.noteTruth(problem) } }
  }

  private func noteTruth(_ problem: Sentence?) {
    if let problem, problem != box.value.truthProblem { logger.warning("\(problem)") }
    box.value.truthProblem = problem
  }

  private func take(_ news: TradingNews) {
    switch news {
    case .overview(let overview):
      perform(box.value.server.receive(overview, at: clock.now()))
    case .position(let report): perform(box.value.server.receive(report, at: clock.now()))
    case .notices(let notices): perform(box.value.server.receive(notices))
    case .storage, .skippedTick, .stored, .opened, .closed: break
    }
  }

  func send(_ bytes: [UInt8], to page: PageID) {
    guard let channel = box.value.channels[page] else { return }
    channel.writeAndFlush(WebSocketMessage.text(ByteBuffer(bytes: bytes)), promise: nil)
    box.value.bytesSent &+= UInt64(bytes.count)
    perform(box.value.server.sent(bytes.count, to: page))
    if !channel.isWritable { box.value.server.pause(page) }
  }

  /// A state that was too large for a message; callable from any thread.
  func document(_ name: String) async -> TopicDocuments.Document? {
    try? await loop.submit { self.box.value.server.documents[name] }.get()
  }

  func keepCompressed(_ bytes: [UInt8], of name: String) {
    loop.execute { self.box.value.server.documents.setCompressed(bytes, of: name) }
  }

  private func observe(_ interest: StreamInterest) {
    switch interest {
    case .values(let key):
      box.value.observations[interest] = feeds.observeChanges([key]) { key in
        self.loop.perform {
          self.perform(
            self.box.value.server.changed(
              key, at: self.clock.now(), by: self.feeds.measure(key.venue)))
        }
      }
    case .candles(let instrument):
      box.value.observations[interest] = candles.observe(instrument) { state in
        self.perform(self.box.value.server.receive(state, of: instrument, at: self.clock.now()))
      }
    case .survey:
      box.value.observations[interest] = survey.observe { known in
        self.perform(self.box.value.server.receive(known, at: self.clock.now()))
      }
    case .orders, .positions: break
    }
  }

  private func perform(_ effect: ScreenEffect) {
    switch effect {
    case .startVenue(let venue): feeds.start(venue)
    case .stopVenue(let venue): feeds.stop(venue)
    case .retryVenue(let venue): feeds.retry(venue)
    case .fetchProduct(let product): fetch(product)
    case .wantedChanged: break
    }
  }

  private func fetch(_ product: Symbol) {
    guard products != nil, let next = box.value.productQueue.want(product) else { return }
    request(next)
  }

  private func request(_ product: Symbol) {
    guard let products else { return }
    let number = box.value.nextRequest
    box.value.nextRequest += 1
    let task = Task {
      let result = await products.product(product)
      loop.perform { self.take(result, of: product, request: number) }
    }
    box.value.productRequests[product] = (number, task)
  }

  private func take(
    _ result: Result<Product, ProductFailure>, of product: Symbol, request number: Int
  ) {
    guard box.value.productRequests[product]?.number == number else { return }
    end(product)
    perform(box.value.server.receive(result, for: product, at: clock.now()))
  }

  private func abandon(_ product: Symbol) {
    box.value.productRequests[product]?.task.cancel()
    end(product)
  }

  private func end(_ product: Symbol) {
    box.value.productRequests[product] = nil
    if let next = box.value.productQueue.end(product) { request(next) }
  }
}
