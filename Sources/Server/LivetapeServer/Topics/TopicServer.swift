// What stands between the screens and the pages that look at them, as a pure state machine: which
// page has which topic open, what changed since the last frame, what has to be sent. Sockets, the
// feed hub and the clock are its host's business.

package import AppState
package import MarketModel
import MarketStreams
import OrderService
import PaperTrading
import PriceAlerts

/// Serves topics to pages, frame by frame.
package struct TopicServer: Sendable {
  /// The least time between two frames of a page that asks for no other, in milliseconds.
  static let frameMilliseconds: Int64 = 33
  /// What a page may ask for instead: from a display's 60 frames a second to one.
  static let frameBounds: ClosedRange<Int64> = 16...1000
  /// How long a frame waits for others to go with it when it would show but a count or a time of
  /// the connections, in milliseconds.
  static let patienceMilliseconds: Int64 = 1000
  /// The most topics a page may have open.
  static let maximumTopicsPerPage = 128
  /// The most pages at a time.
  package static let maximumPages = 256
  /// Errors after which a page is closed.
  static let maximumErrors = 20
  /// Messages a page may send in a second.
  static let maximumMessagesPerSecond = 50
  /// The most products a page may have open: each is asked for at its venue.
  static let maximumProductsPerPage = 8
  /// Products that a page may open in a second.
  static let maximumProductsPerSecond = 16
  /// The most bytes of answers that may wait for a page whose socket is full.
  package static let maximumWaitingBytes = 256 << 10

  private let catalogue: TopicCatalogue
  private let pageLimit: Int
  var slots: [String: TopicSlot] = [:]
  var pages: [PageID: PageRecord] = [:]
  var visitors: [Visitor: VisitorRecord] = [:]
  /// Large states that pages fetch.
  var documents = TopicDocuments()
  var connections: [Venue: ConnectionStatus] = [:]
  var followers: [StreamInterest: Set<String>] = [:]
  /// The latest value of every stream that is followed, as it was read.
  var values: [MarketKey: MarketValue] = [:]
  /// The candles of every instrument that is followed.
  var candles: [InstrumentKey: CandleStreamState] = [:]
  /// What the order service said last; nil before it has said anything.
  var orders: TradingOverview?
  /// What the order service said last of what is owned; nil before it has said anything.
  var position: PositionReport?
  /// A person's lists, the same for all pages.
  var lists: MarketListsState
  /// The alerts, the same for all pages.
  var alerts = AlertsState()
  /// When the books that pages look at could be believed.
  var truths: TruthBoard
  /// What goes wrong on demand, the same for all pages.
  var faults = FaultsState()
  /// What the survey knows; nil while nobody looks.
  var survey: SurveyState?
  /// Streams that may have changed since their values were read.
  var unread: Set<MarketKey> = []
  /// The oldest message of each of these.
  var stamps: [MarketKey: MessageStamp] = [:]
  /// How long messages take, as it was shown last.
  var latency: [LatencyReport] = []
  var latencyShownAt: MonotonicTime?
  /// What was made and left out since the start.
  var counts = TopicCounts()
  /// The latest number of an object that a script was told.
  var lastSequence: Int64 = 0
  /// When the host calls next; nil when it was not asked to.
  var wakesAt: MonotonicTime?

  /// Starts without pages; takes `pageLimit` of them at a time.
  package init(
    catalogue: TopicCatalogue, lists: MarketListsState = MarketListsState(),
    truths: TruthBoard = TruthBoard(), pageLimit: Int = TopicServer.maximumPages
  ) {
    self.catalogue = catalogue
    self.lists = lists
    self.truths = truths
    self.pageLimit = pageLimit
  }

  /// Whether one more page may connect; a quarter of the places is not for viewers.
  func hasRoom(forViewer isViewer: Bool) -> Bool {
    guard pages.count < pageLimit else { return false }
    return !isViewer || pages.values.count(where: \.isViewer) < ViewerShare.of(pageLimit)
  }

  /// A page has connected.
  ///
  /// A viewer's frames say that it may change nothing, and it may not.
  package mutating func connect(
    _ page: PageID, isViewer: Bool = false, visitor: Visitor? = nil, reader: PageReader = .page,
    at now: ClockReading
  ) -> [TopicEffect] {
    guard hasRoom(forViewer: isViewer) else {
      return [.close(page, code: 1013, reason: "too many pages are open")]
    }
    pages[page] = PageRecord(
      connectedAt: now, isViewer: isViewer, visitor: visitor, reader: reader)
    return []
  }

  /// A page is gone; topics that nobody else has open end with it.
  package mutating func disconnect(_ page: PageID, at now: ClockReading) -> [TopicEffect] {
    guard let record = pages.removeValue(forKey: page) else { return [] }
    return record.topics.keys.sorted().flatMap { name in
      close(name, for: page, at: now) + countClosed(name, by: record.visitor, at: now)
    }
  }

  /// A page's socket can take more again: everything it has open is sent anew.
  package mutating func resume(_ page: PageID, at now: ClockReading) -> [TopicEffect] {
    guard let record = pages[page], record.isBehind else { return [] }
    pages[page]?.isBehind = false
    pages[page]?.waitingBytes = 0
    return requestFrame(for: [page], .counts, at: now)
  }

  /// A page's socket takes nothing more: it gets no patches until it does.
  package mutating func pause(_ page: PageID) {
    if pages[page]?.isBehind == false { counts.fallenBehind &+= 1 }
    pages[page]?.fallBehind()
  }

  /// So many bytes have been handed to a page's socket.
  ///
  /// Frames stop while a page is behind; its answers wait, and too many of them close it.
  package mutating func sent(_ bytes: Int, to page: PageID) -> [TopicEffect] {
    guard let record = pages[page], record.isBehind else { return [] }
    pages[page]?.waitingBytes += bytes
    guard record.waitingBytes + bytes > TopicServer.maximumWaitingBytes else { return [] }
    return [.close(page, code: 1008, reason: "too many answers wait to be read")]
  }

  /// A venue's connection has changed.
  package mutating func receive(_ status: ConnectionStatus, at now: ClockReading) -> [TopicEffect] {
    let before = connections.updateValue(status, forKey: status.venue)
    let isNews = before?.phase != status.phase || before?.reason != status.reason
    return deliverToAll(.connection(status), isNews ? .counts : .patient, at: now)
  }

  /// The answer to a product request.
  mutating func receive(
    _ result: Result<Product, ProductFailure>, for product: Symbol, at now: ClockReading
  ) -> [TopicEffect] {
    for name in slots.keys { slots[name]?.fetching.remove(product) }
    return deliverToAll(.product(product, result), .counts, at: now)
  }

  /// Time has passed; about four times a second.
  package mutating func timer(at now: ClockReading) -> [TopicEffect] {
    let effects = deliverToAll(.timer, .hasty, at: now)
    truths.look(at: now.wall.milliseconds)
    return effects + keepTruths(at: now)
  }

  private mutating func deliverToAll(
    _ input: ScreenInput, _ haste: FrameHaste, at now: ClockReading
  ) -> [TopicEffect] {
    slots.keys.sorted().flatMap { deliver(input, to: $0, haste, at: now) }
  }

  /// Hands news to one topic's screen.
  mutating func deliver(
    _ input: ScreenInput, to name: String, _ haste: FrameHaste = .counts, at now: ClockReading
  ) -> [TopicEffect] {
    guard let effects = slots[name]?.screen.receive(input, at: now) else { return [] }
    // Without streams of its own a topic has no prices that time could make late.
    let isPatient = haste == .hasty && slots[name]?.screen.hasStreams == false
    let haste = isPatient ? .patient : haste
    return settle(effects, of: name, haste, at: now)
  }

  /// Performs an action on a topic's screen, opening the screen for the moment when no page has it.
  mutating func act(
    _ action: TopicAction, on name: String, at now: ClockReading
  ) -> [TopicEffect] {
    if slots[name] != nil {
      let effects = slots[name]?.screen.perform(action, at: now) ?? []
      return settle(effects, of: name, .counts, at: now)
    }
    guard var screen = catalogue.screen(for: name) else { return [] }
    for status in connections.values { _ = screen.receive(.connection(status), at: now) }
    return screen.perform(action, at: now).filter { $0.concernsAll }.map { .perform($0) }
  }

  /// Opens a topic for a page; false when there is no such topic.
  ///
  /// The caller asks for the frame that carries its snapshot.
  mutating func open(
    _ name: String, for page: PageID, at now: ClockReading, into effects: inout [TopicEffect]
  ) -> Bool {
    guard prepare(name, at: now, into: &effects) else { return false }
    slots[name]?.pages.insert(page)
    if pages[page]?.topics[name] == nil { countOpened(name, by: pages[page]?.visitor) }
    pages[page]?.topics[name, default: PageTopic()].held = nil
    return true
  }

  /// Whether there is a topic of this name.
  func exists(_ name: String) -> Bool {
    slots[name] != nil || catalogue.screen(for: name) != nil
  }

  /// Makes a topic's screen unless it is there; false when there is no such topic.
  private mutating func prepare(
    _ name: String, at now: ClockReading, into effects: inout [TopicEffect]
  ) -> Bool {
    if slots[name] != nil { return true }
    guard let screen = catalogue.screen(for: name) else { return false }
    slots[name] = TopicSlot(screen: screen)
    for venue in connections.keys.sorted() {
      guard let status = connections[venue] else { continue }
      effects += deliver(.connection(status), to: name, at: now)
    }
    effects += follow(name, at: now)
    if name == TopicServer.listsTopic { effects += deliver(.lists(lists), to: name, at: now) }
    if name == TopicServer.alertsTopic { effects += deliver(.alerts(alerts), to: name, at: now) }
    if name == TopicServer.faultsTopic { slots[name]?.screen = FaultsTopic(state: faults) }
    if name == TopicServer.latencyTopic { slots[name]?.screen = LatencyTopic(reports: latency) }
    showTruth(name)
    if let orders { effects += deliver(.orders(orders), to: name, at: now) }
    if let position { effects += deliver(.position(position), to: name, at: now) }
    effects += deliver(.timer, to: name, at: now)
    return true
  }

  private mutating func drop(_ name: String, at now: ClockReading) -> [TopicEffect] {
    guard let slot = slots.removeValue(forKey: name) else { return [] }
    let fetching = slot.fetching
    let last = endTruth(of: slot.screen, at: now)
    let abandoned = fetching.sorted { $0.text < $1.text }.filter { product in
      !slots.values.contains { $0.fetching.contains(product) }
    }
    return last + unfollow(name, except: []) + abandoned.map { .abandon($0) }
  }

  /// Closes a topic for a page.
  mutating func close(
    _ name: String, for page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    pages[page]?.waiting.remove(name)
    let wasOpen = pages[page]?.topics.removeValue(forKey: name) != nil
    slots[name]?.pages.remove(page)
    let opened = wasOpen ? countClosed(name, by: pages[page]?.visitor, at: now) : []
    guard let slot = slots[name], slot.pages.isEmpty else { return opened }
    return drop(name, at: now) + opened
  }

  /// Turns a screen's effects into the topic server's, and marks the topic for the next frame.
  private mutating func settle(
    _ effects: [ScreenEffect], of name: String, _ haste: FrameHaste, at now: ClockReading
  ) -> [TopicEffect] {
    var result: [TopicEffect] = []
    for effect in effects {
      if effect == .wantedChanged {
        result += follow(name, at: now)
      } else {
        if case .fetchProduct(let product) = effect { slots[name]?.fetching.insert(product) }
        result.append(.perform(effect))
      }
    }
    slots[name]?.isDirty = true
    result += requestFrame(for: slots[name]?.pages ?? [], haste, at: now)
    return result + noteTruth(of: name, at: now)
  }
}

extension ScreenEffect {
  /// Whether it means something without the screen that asked for it.
  fileprivate var concernsAll: Bool {
    switch self {
    case .startVenue, .stopVenue, .retryVenue: true
    case .fetchProduct, .wantedChanged: false
    }
  }
}
