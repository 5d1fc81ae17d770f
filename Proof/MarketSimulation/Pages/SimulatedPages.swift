// The topic server with its pages, without sockets: the counterpart of `PageHub`, with the same
// order of calls.
//
// Not simulated: candles, survey, products, lists and alerts, since their services call venues over
// HTTP or write files. A topic that follows them is served, but receives no data.

import AppState
import FeedConnections
import LivetapeServer
import MarketModel
import NIOCore
import OrderService
import PaperTrading
import VenueCatalogue

final class SimulatedPages {
  private let time: SimulationTime
  private let feeds: FeedHub
  private(set) var server: TopicServer
  private var observations: [StreamInterest: FeedObservation] = [:]
  private var connections: FeedObservation?
  private var wake: Scheduled<Void>?
  private var sockets: [PageID: PageSocketWire] = [:]
  private var nextPage = 1
  private var pausesSeen: UInt64 = 0
  private(set) var statuses: [Venue: ConnectionStatus] = [:]
  private let rules = TradingRules(oneStock: ExchangeCatalogue.symbol).marked
  var onClose: (PageID, String) -> Void = { _, _ in }
  /// Handles order commands; the second parameter receives the response.
  var onAsk: (ClientCommand, @escaping @Sendable (OrderResponse) -> Void) -> Void = { _, _ in }

  init(feeds: FeedHub, time: SimulationTime) {
    self.feeds = feeds
    self.time = time
    server = TopicServer(catalogue: .screens(origin: .simulated))
  }

  func start() {
    let pages = NIOLoopBound(self, eventLoop: time.loop)
    connections = feeds.observeConnections { status in pages.value.take(status) }
    tickLater()
  }

  func end() {
    connections?.cancel()
    connections = nil
    for interest in interests { observations.removeValue(forKey: interest)?.cancel() }
    sockets = [:]
    wake?.cancel()
    onClose = { _, _ in }
    onAsk = { _, _ in }
  }

  func wanted(of venue: Venue) -> [Subscription] {
    interests.compactMap { interest in
      guard case .values(let key) = interest, key.venue == venue else { return nil }
      return key.subscription
    }.sorted()
  }

  /// Whether a page shows a market's book, ungrouped or grouped.
  func looks(at symbol: Symbol, of venue: Venue) -> (single: Bool, grouped: Bool) {
    var found = (single: false, grouped: false)
    for case .values(let key) in observations.keys
    where key.venue == venue && key.subscription.channel == .book
      && key.subscription.symbol == symbol
    {
      if key.subscription.grouping.isNone { found.single = true } else { found.grouped = true }
    }
    return found
  }

  /// All followed streams, in a stable order.
  private var interests: [StreamInterest] {
    observations.keys.sorted(by: StreamInterest.precedes)
  }

  private func take(_ status: ConnectionStatus) {
    statuses[status.venue] = status
    perform(server.receive(status, at: time.reading))
  }

  private func tickLater() {
    time.after(milliseconds: 250) { [weak self] in
      guard let self else { return }
      tick()
      tickLater()
    }
  }

  // MARK: Pages

  func connect(_ socket: PageSocketWire) -> PageID {
    catchUp()
    let page = PageID(number: nextPage)
    nextPage += 1
    sockets[page] = socket
    perform(server.connect(page, at: time.reading))
    return page
  }

  func receive(_ bytes: [UInt8], from page: PageID) {
    catchUp()
    perform(server.receive(bytes, from: page, at: time.reading))
  }

  func resume(_ page: PageID) {
    catchUp()
    perform(server.resume(page, at: time.reading))
  }

  func disconnect(_ page: PageID) {
    sockets[page] = nil
    perform(server.disconnect(page, at: time.reading))
  }

  // MARK: Orders

  func receive(_ overview: TradingOverview) {
    perform(server.receive(overview, at: time.reading))
  }

  func receive(_ report: PositionReport) { perform(server.receive(report, at: time.reading)) }

  func receive(_ notices: [OrderNotice]) { perform(server.receive(notices)) }

  // MARK: Effects

  private func perform(_ effects: [TopicEffect]) {
    for effect in effects {
      switch effect {
      case .send(let page, let bytes): send(bytes, to: page)
      case .close(let page, _, let reason): onClose(page, reason)
      case .observe(let interest): observe(interest)
      case .release(let interest): observations.removeValue(forKey: interest)?.cancel()
      case .perform(let effect): perform(effect)
      case .ask(let page, let ask): pass(ask, from: page)
      case .wake(let time): wake(at: time)
      // There are no scripts here.
      case .sendCandles, .look: break
      case .abandon, .keep, .keepTruths, .change, .inject, .written, .measured: break
      }
    }
  }

  private func send(_ bytes: [UInt8], to page: PageID) {
    guard let socket = sockets[page] else { return }
    let isWritable = socket.send(bytes)
    perform(server.sent(bytes.count, to: page))
    if !isWritable { server.pause(page) }
  }

  private func observe(_ interest: StreamInterest) {
    guard case .values(let key) = interest else { return }
    let pages = NIOLoopBound(self, eventLoop: time.loop)
    observations[interest] = feeds.observeChanges([key]) { key in
      let pages = pages.value
      pages.perform(pages.server.changed(key, at: pages.time.reading))
    }
  }

  private func perform(_ effect: ScreenEffect) {
    switch effect {
    case .startVenue(let venue): feeds.start(venue)
    case .stopVenue(let venue): feeds.stop(venue)
    case .retryVenue(let venue): feeds.retry(venue)
    case .fetchProduct, .wantedChanged: break
    }
  }

  private func pass(_ ask: PageAsk, from page: PageID) {
    let pages = NIOLoopBound(self, eventLoop: time.loop)
    onAsk(ask.command) { answer in
      pages.value.answer(answer, to: ask, from: page)
    }
  }

  private func answer(_ answer: OrderResponse, to ask: PageAsk, from page: PageID) {
    perform(server.receive(answer, to: ask, from: page))
  }

  private func wake(at due: MonotonicTime) {
    wake?.cancel()
    wake = nil
    let delay = due.nanoseconds - time.reading.monotonic.nanoseconds
    wake = time.after(nanoseconds: delay) { [weak self] in self?.makeFrames() }
  }

  private func tick() {
    let feeds = feeds
    perform(server.readUnseen(at: time.reading) { feeds.value(of: $0) })
    perform(server.timer(at: time.reading))
  }

  private func catchUp() {
    let pauses = feeds.catchUp()
    guard pauses != pausesSeen else { return }
    pausesSeen = pauses
    tick()
    makeFrames()
  }

  private func makeFrames() {
    catchUp()
    let feeds = feeds
    perform(server.frame(at: time.reading) { feeds.value(of: $0) })
  }
}
