import FeedConnections
import MarketModel
import NIOCore
import SocketTransport
import VenueCatalogue
import VenueProtocols
import VenueSimulator

/// One connection between the hub and a venue, or an attempt, over the simulated network.
final class WireConnection: FeedTransport {
  private let wire: VenueWire
  private let request: TransportRequest
  private let number: Int
  private var deliver: ((TransportEvent) -> Void)?
  private(set) var client: ClientID?
  private var isStream: Bool { request.endpoint.scheme == .tcp }
  /// When the latest message of each direction arrives, in nanoseconds as timers count them: data
  /// in flight when the machine falls asleep arrives before what is sent after it wakes.
  private var arrivesAtHub: Int64 = 0
  private var arrivesAtVenue: Int64 = 0
  /// When the venue last sent something, in nanoseconds.
  private var sentToHub: Int64 = -1
  /// Messages held until the end of a silence, in order.
  private var heldForHub: [TransportEvent] = []
  private var heldForVenue: [() -> Void] = []
  /// The venue has closed, and the hub has not noticed.
  private var isHalf = false
  private var isVenueGone = false
  private var resyncs = ResyncWatch()
  private var answers = AnswerWatch()
  /// When the hub could first send, in milliseconds; nil before.
  private(set) var openedAt: Int64?

  init(
    _ wire: VenueWire, _ request: TransportRequest, number: Int,
    _ deliver: @escaping (TransportEvent) -> Void
  ) {
    self.wire = wire
    self.request = request
    self.number = number
    self.deliver = deliver
  }

  /// Whether nothing more can happen on it.
  var isOver: Bool { deliver == nil && isVenueGone }

  /// Whether the hub uses it and may send.
  var isUp: Bool { openedAt != nil && deliver != nil }
  var news: BookNews { resyncs.news }
  var pace: AnswerWatch.Pace { answers.pace(at: time.milliseconds) }

  private var time: SimulationTime { wire.time }

  // MARK: Opening

  func begin() {
    let deadline = request.options.deadlineMilliseconds
    time.after(milliseconds: deadline) { [weak self] in
      guard let self, client == nil else { return }
      fail(.handshakeTimeout(request.endpoint.host, milliseconds: deadline))
    }
    time.after(nanoseconds: wire.nextDelay()) { [weak self] in self?.reach() }
  }

  private func reach() {
    let host = request.endpoint.host
    switch wire.condition {
    case .refusing: fail(.refused(host))
    case .unknown: fail(.unknownHost(host))
    case .black: return
    case .open:
      take(.connected)
      time.after(nanoseconds: 2 * wire.nextDelay()) { [weak self] in self?.shakeHands() }
    }
  }

  private func shakeHands() {
    guard deliver != nil, wire.condition != .black else { return }
    let venueRequest = VenueRequest(path: wire.name.descriptor.simulatedPath)
    if let refusal = wire.site.refusal(of: venueRequest) {
      fail(
        .upgradeRefused(
          UpgradeRefusal(
            status: refusal.status, body: refusal.body,
            retryAfterSeconds: refusal.headers["retry-after"].flatMap { Int($0) })))
      return
    }
    arrivesAtHub = time.awakeNanoseconds
    client = wire.site.accept(self, venueRequest)
    if !isStream { take(.accepted(.simulated)) }
    take(.opened)
  }

  private func fail(_ error: TransportError) {
    isVenueGone = true
    end(.transport(error))
  }

  // MARK: From the venue

  func say(_ bytes: [UInt8], binary: Bool) {
    guard !isHalf, !isVenueGone else { return }
    if isStream {
      // TCP has no message boundaries: half of the messages come in two parts.
      let cut = bytes.count > 1 && bytes.count % 2 == 0 ? bytes.count / 3 + 1 : bytes.count
      sendToHub(.message(ByteBuffer(bytes: bytes[..<cut]), .stream))
      if cut < bytes.count { sendToHub(.message(ByteBuffer(bytes: bytes[cut...]), .stream)) }
    } else {
      sendToHub(.message(ByteBuffer(bytes: bytes), binary ? .binary : .text))
    }
  }

  /// Closes the connection from the venue's side; 1006 closes without a close frame.
  func close(byVenue code: UInt16, _ reason: String) {
    guard !isVenueGone else { return }
    isVenueGone = true
    guard !isHalf else { return }
    sendToHub(.ended(.closed(code: isStream ? 1006 : code, reason: reason)))
  }

  private func sendToHub(_ event: TransportEvent) {
    // Data sent at one moment arrives at one moment, as one packet.
    if sentToHub != time.nanoseconds {
      arrivesAtHub = max(arrivesAtHub, time.awakeNanoseconds + wire.nextDelay())
      sentToHub = time.nanoseconds
    }
    time.after(nanoseconds: arrivesAtHub - time.awakeNanoseconds) { [weak self] in
      self?.arrive(event)
    }
  }

  private func arrive(_ event: TransportEvent) {
    guard !isHalf else { return }
    if wire.condition == .black || !heldForHub.isEmpty {
      heldForHub.append(event)
    } else {
      take(event)
    }
  }

  private func take(_ event: TransportEvent) {
    guard let deliver else { return }
    switch event {
    case .message(let buffer, _):
      let bytes = Array(buffer.readableBytesView)
      wire.note("hear", number, bytes)
      answers.hear(bytes, at: time.milliseconds)
      if let symbol = resyncs.hear(bytes, at: time.milliseconds) { wire.images.insert(symbol) }
    case .numberedPong(let ping):
      wire.note("event", number)
      answers.answer(ping, at: time.milliseconds)
    case .opened:
      openedAt = time.milliseconds
      wire.note("event", number)
    case .ended(let problem):
      wire.note("end", number, Array(problem.description.utf8))
      wire.images.subtract(news.gone)
      self.deliver = nil
    default: wire.note("event", number)
    }
    deliver(event)
  }

  private func end(_ problem: ConnectionProblem) { take(.ended(problem)) }

  // MARK: From the hub

  func send(_ message: OutboundMessage) {
    guard deliver != nil, let client else { return }
    wire.note("say", number, message.bytes)
    answers.say(message.bytes, at: time.milliseconds)
    let copies = wire.mistake == .asksTwice && ResyncWatch.isRequest(message.bytes) ? 2 : 1
    for _ in 0..<copies { post(message, client) }
  }

  private func post(_ message: OutboundMessage, _ client: ClientID) {
    if let problem = resyncs.say(message.bytes, at: time.milliseconds) {
      wire.find(.oneResync, problem)
    }
    wire.images.subtract(news.lost)
    sendToVenue { [weak self] in
      guard let self, !isVenueGone else { return }
      wire.site.receive(message.bytes, binary: message.kind == .binary, from: client)
    }
  }

  func fetch(_ request: FetchRequest) {
    guard deliver != nil else { return }
    wire.note("fetch", number, Array(request.path.utf8))
    time.after(nanoseconds: wire.nextDelay()) { [weak self] in
      guard let self, deliver != nil else { return }
      guard wire.condition == .open else {
        // A request that can't be sent fails at once, one without a response after a while.
        let delay = wire.condition == .black ? WireConnection.fetchMilliseconds : 0
        return respond(FetchedResponse(path: request.path, status: 0), after: delay * 1_000_000)
      }
      let response = wire.site.respond(to: WireConnection.request(request.path))
      respond(
        FetchedResponse(
          path: request.path, status: response?.status ?? 404,
          retryAfterSeconds: response?.headers["retry-after"].flatMap { Int($0) },
          body: response?.body ?? []), after: wire.nextDelay())
    }
  }

  /// How long the hub waits for a response over HTTP, in milliseconds.
  private static let fetchMilliseconds: Int64 = 10_000

  private func respond(_ response: FetchedResponse, after nanoseconds: Int64) {
    time.after(nanoseconds: nanoseconds) { [weak self] in
      self?.take(.message(ByteBuffer(bytes: response.message), .text))
    }
  }

  private static func request(_ text: String) -> VenueRequest {
    let parts = text.split(separator: "?", maxSplits: 1)
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { member in
      let sides = member.split(separator: "=", maxSplits: 1).map(String.init)
      return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
    }
    return VenueRequest(path: String(parts.first ?? ""), query: query)
  }

  func ping() {
    guard deliver != nil, let client, !isStream else { return }
    let sent = time.nanoseconds
    sendToVenue { [weak self] in
      guard let self, !isVenueGone, wire.site.answersPings(of: client) else { return }
      sendToHub(.pong(roundTripMicroseconds: (time.nanoseconds - sent) / 1000))
    }
  }

  func ping(number ping: Int64) {
    guard deliver != nil, let client, !isStream else { return }
    answers.ping(ping, at: time.milliseconds)
    sendToVenue { [weak self] in
      guard let self, !isVenueGone, wire.site.answersPings(of: client) else { return }
      time.after(nanoseconds: wire.site.pongDelay(of: client)) { [weak self] in
        guard let self, !isVenueGone else { return }
        sendToHub(.numberedPong(ping))
      }
    }
  }

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    deliver = nil
    wire.images.subtract(news.gone)
    wire.note("close", number)
    if let client {
      sendToVenue { [weak self] in
        guard let self, !isVenueGone else { return }
        isVenueGone = true
        wire.site.disconnect(client)
      }
    } else {
      isVenueGone = true
    }
    return time.loop.makeSucceededVoidFuture()
  }

  private func sendToVenue(_ body: @escaping () -> Void) {
    guard !isHalf else { return }
    arrivesAtVenue = max(arrivesAtVenue, time.awakeNanoseconds + wire.nextDelay())
    time.after(nanoseconds: arrivesAtVenue - time.awakeNanoseconds) { [weak self] in
      guard let self, !isHalf else { return }
      if wire.condition == .black || !heldForVenue.isEmpty {
        heldForVenue.append(body)
      } else {
        body()
      }
    }
  }

  // MARK: Faults

  func cut() {
    leaveVenue()
    end(.closed(code: 1006, reason: ""))
  }

  /// Closes the venue's end; the hub receives nothing more.
  func halve() {
    leaveVenue()
    isHalf = true
    heldForHub = []
  }

  private func leaveVenue() {
    guard !isVenueGone else { return }
    isVenueGone = true
    if let client { wire.site.disconnect(client) }
  }

  func resume() {
    let (events, bodies) = (heldForHub, heldForVenue)
    (heldForHub, heldForVenue) = ([], [])
    for event in events { take(event) }
    for body in bodies { body() }
  }

  func forget() {
    deliver = nil
    (heldForHub, heldForVenue) = ([], [])
  }
}

/// The regular pings of one connection.
struct AnswerWatch {
  /// The pace of all the venue's messages, inferred from its pongs.
  enum Pace {
    /// No limit: pongs are prompt, or there was none yet.
    case prompt
    /// The venue may count as late, or not.
    case doubtful
    /// The venue is late.
    case slow
  }

  /// In milliseconds: faster pongs are prompt; those from the second bound on are slow; a venue
  /// without a pong up to the third may never respond.
  private static let bounds: (prompt: Int64, slow: Int64, deaf: Int64) = (1500, 2000, 59_000)

  private var waiting: [(number: Int64, at: Int64)] = []
  private var latest: Int64?

  mutating func say(_ bytes: [UInt8], at milliseconds: Int64) {
    if let number = AnswerWatch.number(of: "ping", bytes) {
      ping(number, at: milliseconds)
    }
  }

  mutating func ping(_ number: Int64, at milliseconds: Int64) {
    waiting.append((number, milliseconds))
  }

  mutating func hear(_ bytes: [UInt8], at milliseconds: Int64) {
    if let number = AnswerWatch.number(of: "pong", bytes) { answer(number, at: milliseconds) }
  }

  mutating func answer(_ number: Int64, at milliseconds: Int64) {
    guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
    latest = milliseconds - waiting[place].at
    waiting.removeFirst(place + 1)
  }

  func pace(at milliseconds: Int64) -> Pace {
    guard let latest else { return .prompt }
    let pending = waiting.first.map { milliseconds - $0.at } ?? 0
    let time = max(latest, pending)
    if time < AnswerWatch.bounds.prompt { return .prompt }
    return time < AnswerWatch.bounds.slow || pending > AnswerWatch.bounds.deaf ? .doubtful : .slow
  }

  /// The number of a message with this method; nil when it has none.
  private static func number(of method: String, _ bytes: [UInt8]) -> Int64? {
    guard bytes.count < 512, let message = try? PageState(bytes),
      message["method"]?.text == method
    else { return nil }
    return message["req_id"]?.integer
  }
}
