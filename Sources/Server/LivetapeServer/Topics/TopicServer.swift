package import AppState
package import MarketModel
import MarketStreams
import OrderService
import PaperTrading
import PriceAlerts

/// A topic that is one value from elsewhere in the server.
enum PublishedTopic: String {
  case lists, alerts, faults, latency
}

/// Serves topics to pages, frame by frame.
///
/// A pure state machine between screens and pages: which page has which topic open, what changed
/// since the last frame, what to send. The host provides sockets, the feed hub and the clock.
package struct TopicServer: Sendable {
  /// The default minimum time between two frames of a page, in milliseconds.
  static let frameMilliseconds: Int64 = 33
  /// The configurable range: from 60 frames a second to one.
  static let frameBounds: ClosedRange<Int64> = 16...1000
  /// How long a frame with only connection counts or times waits for others, in milliseconds.
  static let patienceMilliseconds: Int64 = 1000
  static let maximumTopicsPerPage = 128
  /// The maximum number of pages.
  package static let maximumPages = 256
  /// Errors after which a page is closed.
  static let maximumErrors = 20
  static let maximumMessagesPerSecond = 50
  /// The maximum number of open products of a page: each is fetched from its venue.
  static let maximumProductsPerPage = 8
  static let maximumProductsPerSecond = 16
  /// The maximum bytes of responses pending for a page whose socket is full.
  package static let maximumWaitingBytes = 256 << 10

  private let catalogue: TopicCatalogue
  private let pageLimit: Int
  var slots: [String: TopicSlot] = [:]
  var pages: [PageID: PageRecord] = [:]
  var visitors: [Visitor: VisitorRecord] = [:]
  var documents = TopicDocuments()
  var connections: [Venue: ConnectionStatus] = [:]
  /// Venues that the configuration names: without one of them the server is not ready, even if the
  /// venue rejects this location.
  package var requestedVenues: Set<Venue> = []
  var followers: [StreamInterest: Set<String>] = [:]
  /// The last read value of every followed stream.
  var values: [MarketKey: MarketValue] = [:]
  var candles: [InstrumentKey: CandleStreamState] = [:]
  /// nil before the order service has sent any.
  var orders: TradingOverview?
  /// nil before the order service has sent any.
  var positions: [Symbol: PositionReport] = [:]
  var lists: MarketListsState
  private var published: [PublishedTopic: any PageEncodable & Sendable]
  /// Integrity records of the books on pages.
  var truths: TruthBoard
  /// nil while no page shows it.
  var survey: SurveyState?
  /// Streams that may have changed since they were read.
  var unread: Set<MarketKey> = []
  /// The oldest unread message of each stream.
  var stamps: [MarketKey: MessageStamp] = [:]
  var latencyShownAt: MonotonicTime?
  var counts = TopicCounts()
  /// The last sequence number sent to a script.
  var lastSequence: Int64 = 0
  /// When the host calls next; nil if not scheduled.
  var wakesAt: MonotonicTime?

  /// Creates a server without pages, for at most `pageLimit` of them.
  package init(
    catalogue: TopicCatalogue, lists: MarketListsState = MarketListsState(),
    truths: TruthBoard = TruthBoard(), pageLimit: Int = TopicServer.maximumPages
  ) {
    self.catalogue = catalogue
    self.lists = lists
    published = [
      .lists: lists, .alerts: AlertsState(), .faults: FaultsState(), .latency: LatencyState(),
    ]
    self.truths = truths
    self.pageLimit = pageLimit
  }

  /// Whether another page may connect; a quarter of the places is not available to viewers.
  func hasRoom(forViewer isViewer: Bool) -> Bool {
    guard pages.count < pageLimit else { return false }
    return !isViewer || pages.values.count(where: \.isViewer) < ViewerShare.of(pageLimit)
  }

  /// Connects a page.
  ///
  /// A viewer is read-only, and its frames report that.
  package mutating func connect(
    _ page: PageID, isViewer: Bool = false, visitor: Visitor? = nil, reader: PageReader = .page,
    at now: ClockReading
  ) -> [TopicEffect] {
    guard hasRoom(forViewer: isViewer) else {
      return [.close(page, code: 1013, reason: "too many pages are open")]
    }
    pages[page] = PageRecord(connectedAt: now, isViewer: isViewer, visitor: visitor, reader: reader)
    return []
  }

  /// Disconnects a page and ends topics that no other page has open.
  package mutating func disconnect(_ page: PageID, at now: ClockReading) -> [TopicEffect] {
    guard let record = pages.removeValue(forKey: page) else { return [] }
    if let visitor = record.visitor { visitors[visitor]?.waiting.removeAll { $0.page == page } }
    return record.topics.keys.sorted().flatMap { name in
      close(name, for: page, at: now) + countClosed(name, by: record.visitor, at: now)
    }
  }

  /// Resumes a page whose socket has drained, with whole states.
  package mutating func resume(_ page: PageID, at now: ClockReading) -> [TopicEffect] {
    guard let record = pages[page], record.isBehind else { return [] }
    pages[page]?.isBehind = false
    pages[page]?.waitingBytes = 0
    return requestFrame(for: [page], .counts, at: now)
  }

  /// Stops patches for a page whose socket is full.
  package mutating func pause(_ page: PageID) {
    if pages[page]?.isBehind == false { counts.fallenBehind &+= 1 }
    pages[page]?.fallBehind()
  }

  /// Records bytes written to a page's socket.
  ///
  /// While a page is behind, its responses wait, and too many of them close it.
  package mutating func sent(_ bytes: Int, to page: PageID) -> [TopicEffect] {
    guard let record = pages[page], record.isBehind else { return [] }
    pages[page]?.waitingBytes += bytes
    guard record.waitingBytes + bytes > TopicServer.maximumWaitingBytes else { return [] }
    return [.close(page, code: 1008, reason: "too many answers wait to be read")]
  }

  /// Applies a connection's status.
  package mutating func receive(_ status: ConnectionStatus, at now: ClockReading) -> [TopicEffect] {
    let before = connections.updateValue(status, forKey: status.venue)
    let isNews = before?.phase != status.phase || before?.reason != status.reason
    return deliverToAll(.connection(status), isNews ? .counts : .patient, at: now)
  }

  mutating func receive(
    _ result: Result<Product, ProductFailure>, for product: Symbol, at now: ClockReading
  ) -> [TopicEffect] {
    for name in slots.keys { slots[name]?.fetching.remove(product) }
    return deliverToAll(.product(product, result), .counts, at: now)
  }

  /// Advances time; call about four times a second.
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

  mutating func deliver(
    _ input: ScreenInput, to name: String, _ haste: FrameHaste = .counts, at now: ClockReading
  ) -> [TopicEffect] {
    guard let effects = slots[name]?.screen.receive(input, at: now) else { return [] }
    let isPatient = haste == .hasty && slots[name]?.screen.hasPrices == false
    let haste = isPatient ? .patient : haste
    return settle(effects, of: name, haste, at: now)
  }

  /// Replaces a topic that is one value from elsewhere in the server; an equal value is no change.
  mutating func publish<Value: PageEncodable & Equatable & Sendable>(
    _ value: Value, as topic: PublishedTopic, at now: ClockReading
  ) -> [TopicEffect] {
    guard published[topic] as? Value != value else { return [] }
    published[topic] = value
    let name = topic.rawValue
    guard slots[name] != nil else { return [] }
    slots[name]?.screen = ValueTopic(value: value)
    return settle([], of: name, .counts, at: now)
  }

  func isShown(_ topic: PublishedTopic) -> Bool { slots[topic.rawValue] != nil }

  private func screen(for name: String) -> (any TopicScreen)? {
    PublishedTopic(rawValue: name).flatMap { published[$0] }.map { ValueTopic(value: $0) }
      ?? catalogue.screen(for: name)
  }

  /// Performs an action on a topic's screen, creating one temporarily if no page has it open.
  mutating func act(_ action: TopicAction, on name: String, at now: ClockReading) -> [TopicEffect] {
    if slots[name] != nil {
      let effects = slots[name]?.screen.perform(action, at: now) ?? []
      return settle(effects, of: name, .counts, at: now)
    }
    guard var screen = catalogue.screen(for: name) else { return [] }
    for status in connections.values { _ = screen.receive(.connection(status), at: now) }
    return screen.perform(action, at: now).filter { $0.concernsAll }.map { .perform($0) }
  }

  /// Opens a topic for a page; false if it does not exist.
  ///
  /// The caller requests the frame with its snapshot.
  mutating func open(
    _ name: String, for page: PageID, at now: ClockReading, into effects: inout [TopicEffect]
  ) -> Bool {
    guard prepare(name, at: now, into: &effects) else { return false }
    slots[name]?.pages.insert(page)
    if pages[page]?.topics[name] == nil { countOpened(name, by: pages[page]?.visitor) }
    pages[page]?.topics[name, default: PageTopic()].held = nil
    return true
  }

  func exists(_ name: String) -> Bool { slots[name] != nil || screen(for: name) != nil }

  private mutating func prepare(
    _ name: String, at now: ClockReading, into effects: inout [TopicEffect]
  ) -> Bool {
    if slots[name] != nil { return true }
    guard let screen = screen(for: name) else { return false }
    slots[name] = TopicSlot(screen: screen)
    for venue in connections.keys.sorted() {
      guard let status = connections[venue] else { continue }
      effects += deliver(.connection(status), to: name, at: now)
    }
    effects += follow(name, at: now)
    showTruth(name)
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

  mutating func close(_ name: String, for page: PageID, at now: ClockReading) -> [TopicEffect] {
    leaveQueue(name, of: page)
    let wasOpen = pages[page]?.topics.removeValue(forKey: name) != nil
    slots[name]?.pages.remove(page)
    let opened = wasOpen ? countClosed(name, by: pages[page]?.visitor, at: now) : []
    guard let slot = slots[name], slot.pages.isEmpty else { return opened }
    return drop(name, at: now) + opened
  }

  /// Converts a screen's effects to the topic server's, and marks the topic for the next frame.
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
  /// Whether it is meaningful without its screen.
  fileprivate var concernsAll: Bool {
    switch self {
    case .startVenue, .stopVenue, .retryVenue: true
    case .fetchProduct, .wantedChanged: false
    }
  }
}
