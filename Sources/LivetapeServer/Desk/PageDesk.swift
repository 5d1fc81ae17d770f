// The desk between the screens and the pages that look at them, as a pure state machine: which page
// has which topic open, what changed since the last frame, what has to be sent. Sockets, the feed
// hub and the clock are its host's business.

import AppState
import ChartModel
import MarketModel
import OrderService
import PaperTrading

/// A page's connection, numbered by the host and never reused.
struct PageID: Hashable, Sendable, Comparable {
  let number: Int
  static func < (left: PageID, right: PageID) -> Bool { left.number < right.number }
}

/// What the desk wants of a stream.
enum StreamInterest: Hashable, Sendable {
  /// The newest value.
  case values(MarketKey)
  /// Everything that happens.
  case events(MarketKey)

  /// The stream.
  var key: MarketKey {
    switch self {
    case .values(let key), .events(let key): key
    }
  }

  /// A stable order for effects.
  static func precedes(_ left: StreamInterest, _ right: StreamInterest) -> Bool {
    if left.key != right.key {
      return (left.key.venue, left.key.subscription) < (right.key.venue, right.key.subscription)
    }
    if case .values = left, case .events = right { return true }
    return false
  }
}

/// What the host must do for the desk, in order.
enum DeskEffect: Sendable, Equatable {
  /// Send this text message to a page.
  case send(PageID, [UInt8])
  /// Close a page's socket.
  case close(PageID, code: UInt16, reason: String)
  /// Follow a stream and hand its values, or its events, to the desk.
  case observe(StreamInterest)
  /// Follow a stream no longer.
  case release(StreamInterest)
  /// Do what a screen asked for.
  case perform(ScreenEffect)
  /// Nobody waits for this product any more.
  case abandon(Symbol)
  /// Ask the trading desk and hand its answer to the desk.
  case ask(PageID, PageAsk)
  /// Tell a page the answer to its wish.
  case answer(PageID, PageAsk, OrderResponse)
  /// Tell a page news of an order.
  case notify(PageID, OrderNotice)
  /// Call ``PageDesk/frame(at:)`` at the next frame.
  case scheduleFrame
}

/// Topics, pages and frames.
struct PageDesk: Sendable {
  /// The most topics a page may have open.
  static let maximumTopicsPerPage = 128
  /// The most pages at a time.
  static let maximumPages = 256
  /// Errors after which a page is closed.
  static let maximumErrors = 20
  /// Messages a page may send in a second.
  static let maximumMessagesPerSecond = 50
  /// The most products a page may have open: each is asked for at its venue.
  static let maximumProductsPerPage = 8
  /// Products that a page may open in a second.
  static let maximumProductsPerSecond = 16
  /// The most bytes of answers that may wait for a page whose socket is full.
  static let maximumWaitingBytes = 256 << 10
  /// The most topics that are kept without a page, beyond the catalogue's own.
  static let maximumKeptTopics = ChartScreen.maximumKept

  private let catalogue: TopicCatalogue
  private let pageLimit: Int
  var slots: [String: TopicSlot] = [:]
  var pages: [PageID: PageRecord] = [:]
  private var connections: [VenueName: ConnectionStatus] = [:]
  private var followers: [StreamInterest: Set<String>] = [:]
  /// The present value of every stream that is followed.
  private var values: [MarketKey: MarketValue] = [:]
  /// Kept topics beyond the catalogue's own, the longest known first.
  private var keptTopics: [String] = []
  /// What the trading desk said last; nil before it has said anything.
  var orders: TradingOverview?
  var frameIsScheduled = false

  /// Starts without pages; takes `pageLimit` of them at a time.
  init(catalogue: TopicCatalogue, pageLimit: Int = PageDesk.maximumPages) {
    self.catalogue = catalogue
    self.pageLimit = pageLimit
  }

  /// Opens the topics that are kept from the start.
  mutating func start(at now: ClockReading) -> [DeskEffect] {
    var effects: [DeskEffect] = []
    for name in catalogue.kept { _ = prepare(name, at: now, into: &effects) }
    return effects
  }

  /// The candles behind a chart's topic; nil when nobody has opened it yet.
  func recorder(of topic: String) -> ChartRecorder? { slots[topic]?.screen.recorder }

  /// Whether there is such a topic.
  func knows(_ topic: String) -> Bool { slots[topic] != nil || catalogue.screen(for: topic) != nil }

  /// Whether one more page may connect.
  var hasRoom: Bool { pages.count < pageLimit }

  /// Pages connected now.
  var pageCount: Int { pages.count }

  /// A page has connected.
  mutating func connect(_ page: PageID, at now: ClockReading) -> [DeskEffect] {
    guard hasRoom else {
      return [.close(page, code: 1013, reason: "too many pages are open")]
    }
    pages[page] = PageRecord(connectedAt: now)
    return []
  }

  /// A page is gone; topics that nobody else has open end with it.
  mutating func disconnect(_ page: PageID, at now: ClockReading) -> [DeskEffect] {
    guard let record = pages.removeValue(forKey: page) else { return [] }
    return record.topics.sorted().flatMap { close($0, for: page) }
  }

  /// A page's socket can take more again: everything it has open is sent anew.
  mutating func resume(_ page: PageID) -> [DeskEffect] {
    guard let record = pages[page], record.isBehind else { return [] }
    pages[page]?.isBehind = false
    pages[page]?.waitingBytes = 0
    pages[page]?.snapshotsDue = record.topics
    return requestFrame()
  }

  /// A page's socket takes nothing more: it gets no patches until it does.
  mutating func pause(_ page: PageID) { pages[page]?.isBehind = true }

  /// So many bytes have been handed to a page's socket.
  ///
  /// Frames stop while a page is behind; its answers wait, and too many of them close it.
  mutating func sent(_ bytes: Int, to page: PageID) -> [DeskEffect] {
    guard let record = pages[page], record.isBehind else { return [] }
    pages[page]?.waitingBytes += bytes
    guard record.waitingBytes + bytes > PageDesk.maximumWaitingBytes else { return [] }
    return [.close(page, code: 1008, reason: "too many answers wait to be read")]
  }

  /// A value of a stream that the desk follows.
  mutating func receive(
    _ value: MarketValue, of key: MarketKey, at now: ClockReading
  ) -> [DeskEffect] {
    guard let names = followers[.values(key)] else { return [] }
    values[key] = value
    return names.sorted().flatMap { deliver(.value(key, value), to: $0, at: now) }
  }

  /// An event of a stream that the desk follows.
  mutating func receive(
    _ event: MarketEvent, of key: MarketKey, at now: ClockReading
  ) -> [DeskEffect] {
    let names = followers[.events(key)] ?? []
    return names.sorted().flatMap { deliver(.event(key, event), to: $0, at: now) }
  }

  /// A venue's connection has changed.
  mutating func receive(_ status: ConnectionStatus, at now: ClockReading) -> [DeskEffect] {
    connections[status.venue] = status
    return deliverToAll(.connection(status), at: now)
  }

  /// The answer to a product request.
  mutating func receive(
    _ result: Result<Product, ProductFailure>, for product: Symbol, at now: ClockReading
  ) -> [DeskEffect] {
    for name in slots.keys { slots[name]?.fetching.remove(product) }
    return deliverToAll(.product(product, result), at: now)
  }

  /// Time has passed; about four times a second.
  mutating func timer(at now: ClockReading) -> [DeskEffect] { deliverToAll(.timer, at: now) }

  private mutating func deliverToAll(_ input: ScreenInput, at now: ClockReading) -> [DeskEffect] {
    slots.keys.sorted().flatMap { deliver(input, to: $0, at: now) }
  }

  /// Hands news to one topic's screen.
  mutating func deliver(
    _ input: ScreenInput, to name: String, at now: ClockReading
  ) -> [DeskEffect] {
    guard let effects = slots[name]?.screen.receive(input, at: now) else { return [] }
    return settle(effects, of: name, at: now)
  }

  /// Performs an action on a topic's screen, opening the screen for the moment when no page has it.
  mutating func act(
    _ action: TopicAction, on name: String, at now: ClockReading
  ) -> [DeskEffect] {
    if slots[name] != nil {
      let effects = slots[name]?.screen.perform(action, at: now) ?? []
      return settle(effects, of: name, at: now)
    }
    guard var screen = catalogue.screen(for: name) else { return [] }
    for status in connections.values { _ = screen.receive(.connection(status), at: now) }
    return screen.perform(action, at: now).filter { $0.concernsAll }.map { .perform($0) }
  }

  /// Opens a topic for a page; false when there is no such topic.
  mutating func open(
    _ name: String, for page: PageID, at now: ClockReading, into effects: inout [DeskEffect]
  ) -> Bool {
    guard prepare(name, at: now, into: &effects) else { return false }
    slots[name]?.pages.insert(page)
    pages[page]?.topics.insert(name)
    pages[page]?.snapshotsDue.insert(name)
    effects += requestFrame()
    return true
  }

  /// Makes a topic's screen unless it is there; false when there is no such topic.
  private mutating func prepare(
    _ name: String, at now: ClockReading, into effects: inout [DeskEffect]
  ) -> Bool {
    if slots[name] != nil { return true }
    guard let screen = catalogue.screen(for: name) else { return false }
    if screen.isKept, !catalogue.kept.contains(name) { effects += keep(name) }
    slots[name] = TopicSlot(screen: screen)
    for venue in connections.keys.sorted() {
      guard let status = connections[venue] else { continue }
      effects += deliver(.connection(status), to: name, at: now)
    }
    effects += follow(name, at: now)
    if let orders { effects += deliver(.orders(orders), to: name, at: now) }
    effects += deliver(.timer, to: name, at: now)
    return true
  }

  /// Remembers a topic that goes on without pages, and lets go of the oldest that nobody has open.
  private mutating func keep(_ name: String) -> [DeskEffect] {
    keptTopics.append(name)
    guard keptTopics.count > PageDesk.maximumKeptTopics,
      let index = keptTopics.firstIndex(where: { slots[$0]?.pages.isEmpty == true })
    else { return [] }
    return drop(keptTopics.remove(at: index))
  }

  private mutating func drop(_ name: String) -> [DeskEffect] {
    let fetching = slots.removeValue(forKey: name)?.fetching ?? []
    let abandoned = fetching.sorted { $0.text < $1.text }.filter { product in
      !slots.values.contains { $0.fetching.contains(product) }
    }
    return unfollow(name, except: []) + abandoned.map { .abandon($0) }
  }

  /// Closes a topic for a page.
  mutating func close(_ name: String, for page: PageID) -> [DeskEffect] {
    pages[page]?.topics.remove(name)
    pages[page]?.snapshotsDue.remove(name)
    slots[name]?.pages.remove(page)
    guard let slot = slots[name], slot.pages.isEmpty, !slot.screen.isKept else { return [] }
    return drop(name)
  }

  /// Turns a screen's effects into the desk's, and marks the topic for the next frame.
  private mutating func settle(
    _ effects: [ScreenEffect], of name: String, at now: ClockReading
  ) -> [DeskEffect] {
    var result: [DeskEffect] = []
    for effect in effects {
      if effect == .wantedChanged {
        result += follow(name, at: now)
      } else {
        if case .fetchProduct(let product) = effect { slots[name]?.fetching.insert(product) }
        result.append(.perform(effect))
      }
    }
    slots[name]?.isDirty = true
    // A topic that is only kept waits for its next page.
    return slots[name]?.pages.isEmpty == false ? result + requestFrame() : result
  }

  /// Follows what a screen wants; of streams that are followed already it gets the present value,
  /// since the next one may be long in coming.
  private mutating func follow(_ name: String, at now: ClockReading) -> [DeskEffect] {
    guard let screen = slots[name]?.screen else { return [] }
    let wanted = Set(
      screen.wanted.map(StreamInterest.values) + screen.wantedEvents.map(StreamInterest.events))
    var effects: [DeskEffect] = []
    var present: [MarketKey] = []
    for interest in wanted.sorted(by: StreamInterest.precedes)
    where followers[interest]?.contains(name) != true {
      if followers[interest] == nil { effects.append(.observe(interest)) }
      followers[interest, default: []].insert(name)
      if case .values(let key) = interest { present.append(key) }
    }
    effects += unfollow(name, except: wanted)
    for key in present {
      guard let value = values[key] else { continue }
      effects += deliver(.value(key, value), to: name, at: now)
    }
    return effects
  }

  private mutating func unfollow(
    _ name: String, except wanted: Set<StreamInterest>
  ) -> [DeskEffect] {
    var effects: [DeskEffect] = []
    let left = followers.filter { $0.value.contains(name) && !wanted.contains($0.key) }.keys
    for interest in left.sorted(by: StreamInterest.precedes) {
      followers[interest]?.remove(name)
      if followers[interest]?.isEmpty == true {
        followers[interest] = nil
        if case .values(let key) = interest { values[key] = nil }
        effects.append(.release(interest))
      }
    }
    return effects
  }

  private mutating func requestFrame() -> [DeskEffect] {
    guard !frameIsScheduled else { return [] }
    frameIsScheduled = true
    return [.scheduleFrame]
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
