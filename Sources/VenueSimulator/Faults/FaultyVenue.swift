// Any simulated venue with faults between it and its clients, by a plan and a seed.

public import MarketModel

/// A venue whose faults can be changed while it runs.
public protocol FaultInjecting: SimulatedVenue {
  /// What goes wrong from now on.
  var plan: FaultPlan { get set }
  /// Whether the host may answer this client's ping frames; false on a half-open connection.
  func answersPings(of client: ClientID) -> Bool
}

/// A venue behind faults.
///
/// With the empty plan it costs one comparison a call.
public struct FaultyVenue<Wrapped: SimulatedVenue>: FaultInjecting {
  /// Messages of one connection that a delay may hold; one more cuts the connection.
  public static var maximumHeldMessages: Int { 10_000 }
  private static var reorderMilliseconds: Int64 { 500 }

  private struct Message: Sendable {
    let client: ClientID
    let bytes: [UInt8]
    let binary: Bool
  }

  private enum Held: Sendable {
    /// A delayed message.
    case message(Message)
    /// The time when a message that waits for its successor waits no longer; its number.
    case reordered(ClientID, Int)
  }

  private struct Connection: Sendable {
    var random: SplitMix64
    var number = 0
    var held = 0
    var delayedUntil: Timestamp?
    var reordered: (number: Int, message: Message)?
  }

  /// The venue itself.
  public var venue: Wrapped
  /// What goes wrong from now on.
  public var plan: FaultPlan
  private let seed: UInt64
  private var responseRandom: SplitMix64
  private var connections: [ClientID: Connection] = [:]
  private var held = TimedQueue<Held>()

  /// Puts faults before a venue.
  public init(_ venue: Wrapped, plan: FaultPlan = .none, seed: UInt64 = 0) {
    self.venue = venue
    self.plan = plan
    self.seed = seed
    responseRandom = SplitMix64(seed: SeedText.seed(seed, "response faults"))
  }

  /// Refuses as the plan says, then as the venue does.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    guard !plan.refusals.isEmpty else { return venue.refusal(of: request, at: now) }
    let status = min(max(plan.refusals.removeFirst(), 400), 599)
    let headers = status == 429 || status == 503 ? ["retry-after": "1"] : [:]
    return VenueResponse(status: status, body: [], headers: headers)
  }

  /// Connects the client and passes on the greeting, unless a fault befalls it.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    connections[client] = Connection(
      random: SplitMix64(seed: SeedText.seed(seed, "faults \(client.number)")))
    return pass(venue.connect(client, request, at: now), at: now)
  }

  /// Hands a message to the venue; the answers may meet faults.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    pass(venue.receive(bytes, binary: binary, from: client, at: now), at: now)
  }

  /// Forgets the client and what was held for it.
  public mutating func disconnect(_ client: ClientID) {
    connections[client] = nil
    venue.disconnect(client)
  }

  /// Answers as the venue does, unless a fault befalls the answer.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    if plan.leavesResponsesAlone { return venue.respond(to: request, at: now) }
    let fault = responseFault()
    let asked = fault?.rewritten(request) ?? request
    guard var response = venue.respond(to: asked, at: now) else { return nil }
    if let start = plan.tamperedCandle, request.path.hasPrefix("/0/public/OHLC") {
      var rows = ResponseRows(response.body)
      rows.tamper(start: PastTrading.divide(start, 1000))
      response = response.with(rows.bytes)
    }
    return fault?.applied(to: response, of: request, &responseRandom) ?? response
  }

  private mutating func responseFault() -> ResponseFault? {
    if !plan.responses.isEmpty { return plan.responses.removeFirst() }
    return plan.responseChances.first { responseRandom.chance($0.perMillion, of: 1_000_000) }?.fault
  }

  /// Passes on what was held and is due, then what the venue does.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    var effects: [VenueEffect] = []
    release(at: now, &effects)
    return effects + pass(venue.advance(to: now), at: now)
  }

  /// The venue's next event or the end of a delay.
  public var nextEvent: Timestamp? {
    guard let due = held.nextDue else { return venue.nextEvent }
    return venue.nextEvent.map { min($0, due) } ?? due
  }

  /// False once the plan has made this connection half-open.
  public func answersPings(of client: ClientID) -> Bool {
    guard let last = plan.silentAfter, plan.silence == .everything else { return true }
    return (connections[client]?.number ?? 0) < last
  }

  private mutating func release(at now: Timestamp, _ effects: inout [VenueEffect]) {
    while let (_, element) = held.take(dueBy: now) {
      switch element {
      case .message(let message):
        guard connections[message.client] != nil else { continue }
        connections[message.client]?.held -= 1
        effects.append(send(message))
      case .reordered(let client, let number):
        guard let waiting = connections[client]?.reordered, waiting.number == number else {
          continue
        }
        connections[client]?.reordered = nil
        effects.append(send(waiting.message))
      }
    }
  }

  private mutating func pass(_ effects: [VenueEffect], at now: Timestamp) -> [VenueEffect] {
    if plan.leavesMessagesAlone, held.count == 0 { return count(effects) }
    var passed: [VenueEffect] = []
    for effect in effects {
      switch effect {
      case .send(let clients, let bytes, let binary):
        var untouched: [ClientID] = []
        for client in clients {
          let message = Message(client: client, bytes: bytes, binary: binary)
          if befall(message, at: now, &passed) { untouched.append(client) }
        }
        if !untouched.isEmpty { passed.append(.send(to: untouched, bytes: bytes, binary: binary)) }
        for client in clients { followReordered(client, &passed) }
      case .close(let client, _, _), .drop(let client):
        connections[client] = nil
        passed.append(effect)
      }
    }
    return passed
  }

  /// The quick way: nothing is touched, only numbered.
  private mutating func count(_ effects: [VenueEffect]) -> [VenueEffect] {
    for case .send(let clients, _, _) in effects {
      for client in clients { connections[client]?.number += 1 }
    }
    return effects
  }

  /// Decides one message's fate; true when it passes untouched now.
  private mutating func befall(
    _ message: Message, at now: Timestamp, _ passed: inout [VenueEffect]
  ) -> Bool {
    guard var connection = connections[message.client] else { return false }
    connection.number += 1
    let fault = fault(for: connection.number, &connection.random)
    connections[message.client] = connection
    if let last = plan.cutAfter, connection.number > last {
      passed += cut(message.client)
      return false
    }
    if let last = plan.silentAfter, connection.number > last {
      return plan.silence == .allButPongs && isPong(message)
    }
    if let until = connection.delayedUntil, until > now || connection.held > 0 {
      hold(message, until: max(until, now), &passed)
      return false
    }
    guard let fault else { return true }
    // One waits for its successor already: this is the successor.
    if fault == .reorder, connection.reordered != nil { return true }
    meet(fault, message, number: connection.number, at: now, &passed)
    return false
  }

  /// Answers to pings, in the spellings of the venues that answer in messages.
  private func isPong(_ message: Message) -> Bool {
    message.bytes == Array("pong".utf8)
      || message.bytes.starts(with: Array(#"{"method":"pong""#.utf8))
  }

  private func fault(for number: Int, _ random: inout SplitMix64) -> FaultPlan.Fault? {
    if let fault = plan.faults[number] { return fault }
    return plan.chances.first { random.chance($0.perMillion, of: 1_000_000) }?.fault
  }

  private mutating func meet(
    _ fault: FaultPlan.Fault, _ message: Message, number: Int, at now: Timestamp,
    _ passed: inout [VenueEffect]
  ) {
    let client = message.client
    switch fault {
    case .drop: break
    case .duplicate: passed += [send(message), send(message)]
    case .reorder:
      connections[client]?.reordered = (number, message)
      held.add(
        .reordered(client, number),
        due: now.adding(milliseconds: FaultyVenue.reorderMilliseconds))
    case .delay(let milliseconds):
      let until = now.adding(milliseconds: min(max(0, milliseconds), 3_600_000))
      connections[client]?.delayedUntil = until
      hold(message, until: until, &passed)
    case .truncate, .corrupt: passed.append(send(damaged(message, fault)))
    }
  }

  /// Sends a message that waited for its successor, which has just been sent.
  private mutating func followReordered(_ client: ClientID, _ passed: inout [VenueEffect]) {
    guard let connection = connections[client], let waiting = connection.reordered,
      waiting.number < connection.number
    else { return }
    connections[client]?.reordered = nil
    passed.append(send(waiting.message))
  }

  private mutating func hold(
    _ message: Message, until: Timestamp, _ passed: inout [VenueEffect]
  ) {
    let count = connections[message.client]?.held ?? 0
    guard count < FaultyVenue.maximumHeldMessages else {
      passed += cut(message.client)
      return
    }
    connections[message.client]?.held = count + 1
    held.add(.message(message), due: until)
  }

  private mutating func cut(_ client: ClientID) -> [VenueEffect] {
    disconnect(client)
    return [.drop(client)]
  }

  private mutating func damaged(_ message: Message, _ fault: FaultPlan.Fault) -> Message {
    guard !message.bytes.isEmpty, var random = connections[message.client]?.random else {
      return message
    }
    var bytes = message.bytes
    let place = Int(random.below(Int64(bytes.count)))
    if fault == .truncate {
      bytes.removeSubrange(place...)
    } else {
      let other = UInt8(truncatingIfNeeded: random.within(0x21...0x7d))
      bytes[place] = other >= bytes[place] ? other + 1 : other
    }
    connections[message.client]?.random = random
    return Message(client: message.client, bytes: bytes, binary: message.binary)
  }

  private func send(_ message: Message) -> VenueEffect {
    .send(to: [message.client], bytes: message.bytes, binary: message.binary)
  }
}
