import MarketModel
import WireJSON

struct OpenTopic {
  var state: PageState?
  /// The number of the next part; nil when any snapshot will do.
  var next: Int64?
  /// Whether the server has sent it on the present socket.
  var isConfirmed = false
  var book: ShownBook?
}

/// An open book of ungrouped rows.
struct OpenBook {
  let topic: String
  let venue: Venue
  let symbol: Symbol

  /// Nil for any other topic.
  init?(_ topic: String) {
    guard topic.hasPrefix("book/"), !topic.contains("?") else { return nil }
    let name = String(topic.dropFirst(5))
    self.topic = topic
    if name.contains(":"), let key = InstrumentKey(text: name) {
      (venue, symbol) = (key.venue, key.symbol)
    } else {
      guard let symbol = Symbol(name) else { return nil }
      self.symbol = symbol
      venue = name.contains("/USD") ? .kraken : .bitmex
    }
  }
}

/// A page with its socket: opens topics, merges patches, judges books and reports what it shows.
///
/// The rules are those of `Web/page` (link.js, topics.js, book/proof.js).
final class SimulatedPage {
  /// A server's silence after which a page sends a ping, in milliseconds.
  static let askAfterMilliseconds: Int64 = 500
  /// A silence after which the first message is not valid before the server has responded.
  static let doubtAfterMilliseconds: Int64 = 1500
  /// A silence after which a page closes its socket, in milliseconds.
  static let lostAfterMilliseconds: Int64 = 5000

  let number: Int
  /// What the user views, in the order of subscription.
  private(set) var wanted: [String] = []
  private(set) var topics: [String: OpenTopic] = [:]
  private(set) var isConnected = false
  private(set) var heardAt: Int64 = 0
  private var askedAt: Int64 = 0
  private var pings: Int64 = 0
  /// The ping that must be answered before anything is valid; nil for none.
  private var doubt: Int64?
  private var judge = BookJudge()
  var onSend: (String) -> Void = { _ in }
  private let find: (SimulationInvariant, String) -> Void
  private let mistake: PlantedMistake?

  init(
    _ number: Int, mistake: PlantedMistake?,
    find: @escaping (SimulationInvariant, String) -> Void
  ) {
    self.number = number
    self.mistake = mistake
    self.find = find
  }

  private var names: [String] { topics.keys.sorted() }
  /// The ungrouped books among its topics, sorted.
  private(set) var books: [OpenBook] = []

  // MARK: User actions

  func open(_ topic: String) {
    if !wanted.contains(topic) { wanted.append(topic) }
    topics[topic] = topics[topic] ?? OpenTopic()
    topics[topic]?.next = nil
    books = names.compactMap(OpenBook.init)
    if isConnected { say("open", [topic]) }
  }

  func close(_ topic: String) {
    wanted.removeAll { $0 == topic }
    topics[topic] = nil
    books = names.compactMap(OpenBook.init)
    if isConnected { say("close", [topic]) }
  }

  private func say(_ verb: String, _ names: [String]) {
    let list = names.map { "\"\($0)\"" }.joined(separator: ",")
    onSend("{\"\(verb)\":[\(list)]}")
  }

  // MARK: The socket

  /// Handles an open socket: resubscribes everything.
  func connected(at milliseconds: Int64) {
    isConnected = true
    heardAt = milliseconds
    doubt = nil
    for topic in names { topics[topic]?.next = nil }
    if !wanted.isEmpty { say("open", wanted) }
  }

  /// Handles a lost socket: nothing is live any more.
  func disconnected() {
    isConnected = false
    for topic in names { topics[topic]?.isConfirmed = false }
  }

  func slept(until milliseconds: Int64) {
    guard isConnected else { return }
    question(at: milliseconds)
  }

  /// Invalidates everything until the next response.
  private func question(at milliseconds: Int64) {
    heardAt = milliseconds
    ask(at: milliseconds)
    doubt = pings
  }

  /// Advances time; false when the server has been silent for too long.
  func tick(at milliseconds: Int64) -> Bool {
    guard isConnected else { return true }
    if milliseconds - heardAt > SimulatedPage.lostAfterMilliseconds { return false }
    if milliseconds - heardAt >= SimulatedPage.askAfterMilliseconds
      && milliseconds - askedAt >= SimulatedPage.askAfterMilliseconds
    {
      ask(at: milliseconds)
    }
    return true
  }

  private func ask(at milliseconds: Int64) {
    askedAt = milliseconds
    pings += 1
    onSend("{\"ping\":\(pings)}")
  }

  func receive(_ bytes: [UInt8], at milliseconds: Int64) {
    if milliseconds - heardAt > SimulatedPage.doubtAfterMilliseconds {
      question(at: milliseconds)
    }
    heardAt = milliseconds
    guard let message = try? PageState(bytes) else {
      return find(.sequence, "page \(number): expected JSON, found \(bytes.count) other bytes")
    }
    if let doubt, let pong = message["pong"]?.integer, pong >= doubt { self.doubt = nil }
    if let parts = message["topics"]?.bytes { take(parts) }
  }

  private func take(_ parts: [UInt8]) {
    let span = parts.span
    var cursor = JSONCursor()
    var first = true
    do throws(JSONError) {
      try cursor.beginArray(span)
      while try cursor.nextElement(span, first: &first) {
        take(try PageState(parts, span, &cursor))
      }
    } catch {
      find(.sequence, "page \(number): expected parts of topics, found \(error)")
    }
  }

  private func take(_ part: PageState) {
    guard let name = part["topic"]?.text, let sequence = part["seq"]?.integer,
      var topic = topics[name]
    else { return }
    if let snapshot = part["snapshot"] {
      topic.state = snapshot
      topic.isConfirmed = true
    } else if let patch = part["patch"], let state = topic.state {
      guard topic.next == sequence else {
        // Parts in flight from before the topic was reopened.
        guard topic.next != nil else { return }
        return find(
          .sequence,
          "page \(number), \(name): expected part \(topic.next ?? 0), found \(sequence)")
      }
      topic.state = state.merged(with: patch)
    } else {
      return
    }
    topic.next = sequence + 1
    if name.hasPrefix("book/"), let state = topic.state { draw(state, name, &topic) }
    topics[name] = topic
  }

  private func draw(_ state: PageState, _ name: String, _ topic: inout OpenTopic) {
    switch judge.judge(state) {
    case .drawn(let book): topic.book = book
    case .nothing: topic.book = nil
    case .kept(let freshness):
      guard let book = topic.book else { return }
      topic.book = ShownBook(
        rows: book.rows, rowCount: book.rowCount, isProven: false, freshness: freshness,
        lateAfter: nil)
    case .refused(let reason): find(.proof, "page \(number), \(name): \(reason)")
    }
  }

  /// The book of a topic, if it is shown as live at a time.
  func liveBook(_ topic: String, at milliseconds: Int64) -> ShownBook? {
    guard let open = topics[topic], let book = open.book else { return nil }
    if mistake == .pageIgnoresFreshness { return book.rowCount > 0 ? book : nil }
    guard isConnected, doubt == nil, open.isConfirmed, book.freshness == "live" else { return nil }
    let isInTime = book.lateAfter.map { milliseconds - heardAt <= $0 } ?? true
    return isInTime ? book : nil
  }
}
