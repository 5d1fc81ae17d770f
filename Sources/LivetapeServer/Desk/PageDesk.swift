// The desk between the screens and the pages that look at them, as a pure state machine: which page
// has which topic open, what changed since the last frame, what has to be sent. Sockets, the feed
// hub and the clock are its host's business.

import AppState
import MarketModel
import VenueProtocols

/// A page's connection, numbered by the host and never reused.
struct PageID: Hashable, Sendable, Comparable {
  let number: Int
  static func < (left: PageID, right: PageID) -> Bool { left.number < right.number }
}

/// What the host must do for the desk, in order.
enum DeskEffect: Sendable, Equatable {
  /// Send this text message to a page.
  case send(PageID, [UInt8])
  /// Close a page's socket.
  case close(PageID, code: UInt16, reason: String)
  /// Follow a stream and hand its values to the desk.
  case observe(MarketKey)
  /// Follow a stream no longer.
  case release(MarketKey)
  /// Do what a screen asked for.
  case perform(ScreenEffect)
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

  private let catalogue: TopicCatalogue
  var slots: [String: TopicSlot] = [:]
  var pages: [PageID: PageRecord] = [:]
  private var connections: [VenueName: ConnectionStatus] = [:]
  private var followers: [MarketKey: Set<String>] = [:]
  var frameIsScheduled = false

  /// Starts without pages.
  init(catalogue: TopicCatalogue) { self.catalogue = catalogue }

  /// Pages connected now.
  var pageCount: Int { pages.count }

  /// A page has connected.
  mutating func connect(_ page: PageID, at now: ClockReading) -> [DeskEffect] {
    guard pages.count < PageDesk.maximumPages else {
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
    pages[page]?.snapshotsDue = record.topics
    return requestFrame()
  }

  /// A page's socket takes nothing more: it gets no patches until it does.
  mutating func pause(_ page: PageID) { pages[page]?.isBehind = true }

  /// A value of a stream that the desk follows.
  mutating func receive(
    _ value: MarketValue, of key: MarketKey, at now: ClockReading
  ) -> [DeskEffect] {
    let names = followers[key] ?? []
    return names.sorted().flatMap { deliver(.value(key, value), to: $0, at: now) }
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
    deliverToAll(.product(product, result), at: now)
  }

  /// Time has passed; about four times a second.
  mutating func timer(at now: ClockReading) -> [DeskEffect] { deliverToAll(.timer, at: now) }

  private mutating func deliverToAll(_ input: ScreenInput, at now: ClockReading) -> [DeskEffect] {
    slots.keys.sorted().flatMap { deliver(input, to: $0, at: now) }
  }

  private mutating func deliver(
    _ input: ScreenInput, to name: String, at now: ClockReading
  ) -> [DeskEffect] {
    guard let effects = slots[name]?.screen.receive(input, at: now) else { return [] }
    return settle(effects, of: name)
  }

  /// Performs an action on a topic's screen, opening the screen for the moment when no page has it.
  mutating func act(
    _ action: TopicAction, on name: String, at now: ClockReading
  ) -> [DeskEffect] {
    if slots[name] != nil {
      let effects = slots[name]?.screen.perform(action, at: now) ?? []
      return settle(effects, of: name)
    }
    guard var screen = catalogue.screen(for: name) else { return [] }
    for status in connections.values { _ = screen.receive(.connection(status), at: now) }
    return screen.perform(action, at: now).filter { $0 != .wantedChanged }.map { .perform($0) }
  }

  /// Opens a topic for a page; false when there is no such topic.
  mutating func open(
    _ name: String, for page: PageID, at now: ClockReading, into effects: inout [DeskEffect]
  ) -> Bool {
    if slots[name] == nil {
      guard let screen = catalogue.screen(for: name) else { return false }
      slots[name] = TopicSlot(screen: screen)
      effects += follow(name)
      for venue in connections.keys.sorted() {
        guard let status = connections[venue] else { continue }
        effects += deliver(.connection(status), to: name, at: now)
      }
      effects += deliver(.timer, to: name, at: now)
    }
    slots[name]?.pages.insert(page)
    pages[page]?.topics.insert(name)
    pages[page]?.snapshotsDue.insert(name)
    effects += requestFrame()
    return true
  }

  /// Closes a topic for a page.
  mutating func close(_ name: String, for page: PageID) -> [DeskEffect] {
    pages[page]?.topics.remove(name)
    pages[page]?.snapshotsDue.remove(name)
    slots[name]?.pages.remove(page)
    guard slots[name]?.pages.isEmpty == true else { return [] }
    slots[name] = nil
    return unfollow(name, except: [])
  }

  /// Turns a screen's effects into the desk's, and marks the topic for the next frame.
  private mutating func settle(_ effects: [ScreenEffect], of name: String) -> [DeskEffect] {
    var result: [DeskEffect] = []
    for effect in effects {
      if effect == .wantedChanged {
        result += follow(name)
      } else {
        result.append(.perform(effect))
      }
    }
    slots[name]?.isDirty = true
    return result + requestFrame()
  }

  private mutating func follow(_ name: String) -> [DeskEffect] {
    guard let wanted = slots[name]?.screen.wanted else { return [] }
    var effects: [DeskEffect] = []
    for key in wanted.sorted(by: PageDesk.precedes) where followers[key]?.contains(name) != true {
      if followers[key] == nil { effects.append(.observe(key)) }
      followers[key, default: []].insert(name)
    }
    return effects + unfollow(name, except: wanted)
  }

  private mutating func unfollow(_ name: String, except wanted: Set<MarketKey>) -> [DeskEffect] {
    var effects: [DeskEffect] = []
    let left = followers.filter { $0.value.contains(name) && !wanted.contains($0.key) }.keys
    for key in left.sorted(by: PageDesk.precedes) {
      followers[key]?.remove(name)
      if followers[key]?.isEmpty == true {
        followers[key] = nil
        effects.append(.release(key))
      }
    }
    return effects
  }

  private static func precedes(_ left: MarketKey, _ right: MarketKey) -> Bool {
    (left.venue, left.subscription) < (right.venue, right.subscription)
  }

  private mutating func requestFrame() -> [DeskEffect] {
    guard !frameIsScheduled else { return [] }
    frameIsScheduled = true
    return [.scheduleFrame]
  }
}
