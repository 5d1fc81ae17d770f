import LivetapeServer
import MarketModel

/// A page and its socket through all its connections; open as long as its world lasts.
final class PageVisit {
  /// The most that one message may add to a full socket, in bytes.
  private static let largestMessage = 64 << 10

  let number: Int
  private(set) var id: PageID?
  private(set) var frameMilliseconds: Int64 = 33
  let socketLatency: Int64
  private let pages: SimulatedPages
  private let time: SimulationTime
  private let highWaterMark: Int
  private let mistake: PlantedMistake?
  private let report: (SimulationEvent) -> Void
  private let heard: () -> Void
  private var socket: PageSocketWire?
  private var visits = 0
  private var messages = 0
  private var isOver = false
  private var placed = 0
  private var latestOrder: String?
  private(set) var page: SimulatedPage

  init(
    _ number: Int, pages: SimulatedPages, time: SimulationTime, latency: Int64, highWaterMark: Int,
    mistake: PlantedMistake?, report: @escaping (SimulationEvent) -> Void,
    heard: @escaping () -> Void
  ) {
    self.number = number
    self.pages = pages
    self.time = time
    socketLatency = latency
    self.highWaterMark = highWaterMark
    self.mistake = mistake
    self.report = report
    self.heard = heard
    page = SimulatedPage(number, mistake: mistake) { report(.finding($0, $1)) }
    page.onSend = { [weak self] in self?.send($0) }
    tickLater()
  }

  func connect() {
    guard id == nil, !isOver else { return }
    visits += 1
    let mine = visits
    let socket = PageSocketWire(
      latency: socketLatency, highWaterMark: highWaterMark, time: time,
      deliver: { [weak self] messages in
        guard let self else { return }
        for message in messages where visits == mine && id != nil { receive(message) }
        heard()
      },
      drained: { [weak self] in
        guard let self, visits == mine, let id else { return }
        pages.resume(id)
      })
    socket.isNeverFull = mistake == .socketNeverFull
    self.socket = socket
    id = pages.connect(socket)
    frameMilliseconds = 33
    page.connected(at: time.milliseconds)
  }

  /// Loses the socket, and reconnects after a while.
  func lose(forMilliseconds milliseconds: Int64) {
    guard let id else { return }
    pages.disconnect(id)
    self.id = nil
    socket = nil
    page.disconnected()
    report(.step("page gone", number, []))
    time.after(milliseconds: milliseconds) { [weak self] in self?.connect() }
  }

  func stall(milliseconds: Int64) { socket?.stall(milliseconds: milliseconds) }

  func ask(frames milliseconds: Int64) {
    guard id != nil else { return }
    frameMilliseconds = max(frameMilliseconds, milliseconds)
    send("{\"frameMilliseconds\":\(milliseconds)}")
  }

  func retry(_ venue: Venue) { send("{\"do\":\"venue.retry\",\"venue\":\"\(venue.rawValue)\"}") }

  func end() {
    isOver = true
    if let id { pages.disconnect(id) }
    id = nil
    socket = nil
  }

  /// The bytes that wait for a page are bounded.
  func checkBounds() {
    guard let socket else { return }
    let most =
      highWaterMark + PageVisit.largestMessage + TopicServer.maximumWaitingBytes
    if socket.framesWhileFull > 0 {
      report(.finding(.bounds, "page \(number): a frame for a socket that is full"))
    }
    guard socket.waitingBytes > most else { return }
    report(
      .finding(
        .bounds,
        "page \(number): expected at most \(most) bytes to wait, found \(socket.waitingBytes)"))
  }

  // MARK: Orders

  func order(_ order: SimulatedOrder) {
    switch order {
    case .place(let type, let side, let quantity, let price, let life):
      placed += 1
      let name = "p\(number)-\(placed)"
      var text = "{\"do\":\"order.place\",\"order\":{\"clientId\":\"\(name)\""
      text += ",\"type\":\"\(type)\",\"side\":\"\(side)\",\"quantity\":\"\(quantity)\""
      if let price { text += ",\"price\":\"\(price)\"" }
      if let life { text += ",\"timeInForce\":\"\(life)\"" }
      latestOrder = text + "}}"
      send(text + "}}")
    case .again: if let latestOrder { send(latestOrder) }
    case .cancel(let id): send("{\"do\":\"order.cancel\",\"id\":\"\(id)\"}")
    case .cancelAll(let id): send("{\"do\":\"orders.cancelAll\",\"id\":\"\(id)\"}")
    case .amend(let id, let quantity, let price):
      placed += 1
      var text = "{\"do\":\"order.amend\",\"id\":\"\(id)\""
      text += ",\"order\":{\"clientId\":\"p\(number)-\(placed)\""
      if let quantity { text += ",\"quantity\":\"\(quantity)\"" }
      if let price { text += ",\"price\":\"\(price)\"" }
      send(text + "}}")
    }
  }

  private func send(_ text: String) {
    guard let id else { return }
    let bytes = Array(text.utf8)
    report(.step("page says", number, bytes))
    time.after(milliseconds: socketLatency) { [weak self] in
      guard let self, self.id == id else { return }
      pages.receive(bytes, from: id)
    }
  }

  private func receive(_ bytes: [UInt8]) {
    messages += 1
    report(.step("page hears", number, bytes))
    if mistake == .pageLosesMessages, messages % 40 == 0 { return }
    page.receive(mistake == .pageGetsOtherRows ? tampered(bytes) : bytes, at: time.milliseconds)
  }

  /// Changes a digit in the first price of a side.
  private func tampered(_ bytes: [UInt8]) -> [UInt8] {
    guard messages > 40, let start = bytes.firstRange(of: Array("\"bids\":[[\"".utf8)) else {
      return bytes
    }
    var bytes = bytes
    let place = start.upperBound
    bytes[place] = bytes[place] == UInt8(ascii: "9") ? UInt8(ascii: "8") : bytes[place] + 1
    return bytes
  }

  private func tickLater() {
    time.after(milliseconds: 250) { [weak self] in
      guard let self, !isOver else { return }
      if !page.tick(at: time.milliseconds) { lose(forMilliseconds: 250) }
      tickLater()
    }
  }
}
