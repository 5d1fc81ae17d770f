public import MarketModel

/// A venue whose faults can be changed while it runs.
public protocol FaultInjecting: SimulatedVenue {
  /// The planned faults from now on.
  var plan: FaultPlan { get set }
  /// Whether the host may respond to this client's ping frames; false on a half-open connection.
  func answersPings(of client: ClientID) -> Bool
  /// When to send the pong for a ping frame that comes now: later while messages are held back.
  func pongDue(of client: ClientID, at now: Timestamp) -> Timestamp
  /// Adds faults on demand.
  ///
  /// Throws and changes nothing when there would be more than ``FaultSpec/maximumOrders``.
  mutating func inject(_ orders: [FaultOrder], at now: Timestamp) throws(FaultSpecError)
  /// Ends all faults on demand; the ``plan`` stays.
  mutating func clearFaults(at now: Timestamp)
  /// The faults on demand that are not over.
  func runningFaults(at now: Timestamp) -> [RunningFault]
}

/// A simulated venue with faults between it and its clients, by a plan and a seed.
///
/// With the empty plan it costs one comparison a call.
public struct FaultyVenue<Wrapped: SimulatedVenue>: FaultInjecting {
  /// Messages of one connection that a delay may hold; one more cuts the connection.
  public static var maximumHeldMessages: Int { 10_000 }
  private static var reorderMilliseconds: Int64 { 500 }

  typealias Message = FaultyMessage

  /// The venue itself.
  public var venue: Wrapped
  /// The planned faults from now on.
  public var plan: FaultPlan
  private let seed: UInt64
  private var responseRandom: SplitMix64
  var connections: [ClientID: FaultyConnection] = [:]
  private var held = TimedQueue<HeldMessage>()
  var schedule = FaultSchedule()
  /// Effects that end connections at the next ``advance(to:)``, and since when.
  var endings: (since: Timestamp, effects: [VenueEffect])?
  /// Connections that are silent on demand and have unsent messages.
  var stalled: Set<ClientID> = []
  /// The time up to which a flood's messages have been sent, and the remaining fraction of one.
  var flooded: (until: Timestamp, rest: Int64)?

  /// Creates a venue with faults.
  public init(_ venue: Wrapped, plan: FaultPlan = .none, seed: UInt64 = 0) {
    self.venue = venue
    self.plan = plan
    self.seed = seed
    responseRandom = SplitMix64(seed: SeedText.seed(seed, "response faults"))
  }

  /// Refuses according to the plan, then according to the venue.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    schedule.expire(at: now)
    let planned = plan.refusals.isEmpty ? schedule.refusal() : plan.refusals.removeFirst()
    guard let planned else { return venue.refusal(of: request, at: now) }
    let status = min(max(planned, 400), 599)
    let headers = status == 429 || status == 503 ? ["retry-after": "1"] : [:]
    return VenueResponse(status: status, body: [], headers: headers)
  }

  /// Connects the client and passes on the greeting, unless a fault affects it.
  public mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect] {
    connections[client] = FaultyConnection(
      random: SplitMix64(seed: SeedText.seed(seed, "faults \(client.number)")))
    return pass(venue.connect(client, request, at: now), at: now)
  }

  /// Passes a message to the venue; faults may affect the responses.
  public mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    pass(venue.receive(bytes, binary: binary, from: client, at: now), at: now)
  }

  /// Removes the client and its held messages.
  public mutating func disconnect(_ client: ClientID) {
    connections[client] = nil
    stalled.remove(client)
    venue.disconnect(client)
  }

  /// Responds like the venue, unless a fault affects the response.
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

  /// Sends held messages that are due, then the venue's effects.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    advance(to: now) { $0.advance(to: $1) }
  }

  /// The same with another way to advance the venue.
  mutating func advance(
    to now: Timestamp, by move: (inout Wrapped, Timestamp) -> [VenueEffect]
  ) -> [VenueEffect] {
    var effects = endConnections()
    schedule.expire(at: now)
    if held.count > 0 { release(at: now, &effects) }
    effects += pass(move(&venue, now), at: now)
    return effects + flood(at: now)
  }

  /// The venue's next event, the end of a delay or the next step of a fault on demand.
  public var nextEvent: Timestamp? {
    if held.count == 0, schedule.isEmpty, endings == nil { return venue.nextEvent }
    return [venue.nextEvent, held.nextDue, schedule.nextEnd, endings?.since, nextFlood]
      .compactMap { $0 }.min()
  }

  /// False once the plan has made this connection half-open.
  public func answersPings(of client: ClientID) -> Bool {
    let number = connections[client]?.number ?? 0
    if schedule.isDeaf(after: number) { return false }
    guard let last = plan.silentAfter, plan.silence == .everything else { return true }
    return number < last
  }

  /// After the delay on demand and all held messages.
  public func pongDue(of client: ClientID, at now: Timestamp) -> Timestamp {
    let due = now.adding(milliseconds: schedule.delayMilliseconds)
    guard let connection = connections[client], connection.held > 0 else { return due }
    return max(due, connection.delayedUntil ?? due)
  }

  private mutating func release(at now: Timestamp, _ effects: inout [VenueEffect]) {
    while let (_, element) = held.take(dueBy: now) {
      switch element {
      case .message(let message):
        guard let connection = connections[message.client] else { continue }
        connections[message.client]?.held -= 1
        // Messages kept by a silence were sent earlier and come first.
        if schedule.silence(after: connection.number) == nil, connection.stalled.isEmpty {
          effects.append(send(message))
        } else {
          stall(message, &effects)
        }
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
    schedule.expire(at: now)
    if plan.leavesMessagesAlone, schedule.isEmpty, held.count == 0, stalled.isEmpty {
      return count(effects)
    }
    let clock = ClockShift(milliseconds: schedule.clockMilliseconds, now: now)
    var passed = resumed()
    for effect in effects {
      switch effect {
      case .send(let clients, let right, let binary):
        let bytes = clock.milliseconds == 0 ? right : clock.shifted(right)
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

  /// The fast path: messages are only numbered.
  private mutating func count(_ effects: [VenueEffect]) -> [VenueEffect] {
    for case .send(let clients, _, _) in effects {
      for client in clients { connections[client]?.number += 1 }
    }
    return effects
  }

  /// Applies a message's fault; true when it passes unchanged now.
  private mutating func befall(
    _ message: Message, at now: Timestamp, _ passed: inout [VenueEffect]
  ) -> Bool {
    guard var connection = connections[message.client] else { return false }
    connection.number += 1
    let fault = fault(for: connection.number, message.bytes, &connection.random)
    if message.bytes.count <= FaultyVenue.floodBytes { connection.latest = message }
    connections[message.client] = connection
    if let end = schedule.end(at: connection.number, of: message.client) {
      disconnect(message.client)
      passed.append(end)
      return false
    }
    if let last = plan.cutAfter, connection.number > last {
      passed += cut(message.client)
      return false
    }
    if let last = plan.silentAfter, connection.number > last {
      return plan.silence == .allButPongs && MessageDamage.isPong(message.bytes)
    }
    if let silence = schedule.silence(after: connection.number) {
      if silence == .allButPongs, MessageDamage.isPong(message.bytes) { return true }
      // Messages held by a delay were sent earlier and come first.
      if connection.held == 0 {
        stall(message, &passed)
        return false
      }
    }
    if schedule.delayMilliseconds > 0 {
      let due = now.adding(milliseconds: schedule.delayMilliseconds)
      connections[message.client]?.delayedUntil = max(connection.delayedUntil ?? due, due)
      hold(message, until: max(connection.delayedUntil ?? due, due), &passed)
      return false
    }
    if let until = connection.delayedUntil, until > now || connection.held > 0 {
      hold(message, until: max(until, now), &passed)
      return false
    }
    guard let fault else { return true }
    // Another message already waits for its successor, which is this one.
    if fault == .reorder, connection.reordered != nil { return true }
    meet(fault, message, number: connection.number, at: now, &passed)
    return false
  }

  private mutating func fault(
    for number: Int, _ bytes: [UInt8], _ random: inout SplitMix64
  ) -> FaultPlan.Fault? {
    if let fault = plan.faults[number] { return fault }
    let chance = plan.chances.first { random.chance($0.perMillion, of: 1_000_000) }
    return chance?.fault ?? schedule.fault(of: bytes, number: number, &random)
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
    case .truncate, .corrupt, .checksum: passed.append(send(damaged(message, fault)))
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

  private mutating func hold(_ message: Message, until: Timestamp, _ passed: inout [VenueEffect]) {
    let count = connections[message.client]?.held ?? 0
    guard count < FaultyVenue.maximumHeldMessages else {
      passed += cut(message.client)
      return
    }
    connections[message.client]?.held = count + 1
    held.add(.message(message), due: until)
  }

  mutating func cut(_ client: ClientID) -> [VenueEffect] {
    disconnect(client)
    return [.drop(client)]
  }

  private mutating func damaged(_ message: Message, _ fault: FaultPlan.Fault) -> Message {
    guard var random = connections[message.client]?.random else { return message }
    let bytes = MessageDamage.damaged(message.bytes, fault, &random)
    connections[message.client]?.random = random
    return Message(client: message.client, bytes: bytes, binary: message.binary)
  }

  func send(_ message: Message) -> VenueEffect {
    .send(to: [message.client], bytes: message.bytes, binary: message.binary)
  }
}

struct FaultyMessage: Sendable {
  let client: ClientID
  let bytes: [UInt8]
  let binary: Bool
}

enum HeldMessage: Sendable {
  case message(FaultyMessage)
  /// The deadline of a message that waits for its successor, with its number.
  case reordered(ClientID, Int)
}

struct FaultyConnection: Sendable {
  var random: SplitMix64
  var number = 0
  var held = 0
  var delayedUntil: Timestamp?
  var reordered: (number: Int, message: FaultyMessage)?
  /// Messages that wait for the end of a silence on demand.
  var stalled: [FaultyMessage] = []
  /// The message that a flood repeats.
  var latest: FaultyMessage?
}
