// Faults on demand other than those of single messages.

public import MarketModel

extension FaultyVenue {
  /// The longest message that a flood repeats, in bytes: a flood is of many, not of large ones.
  static var floodBytes: Int { 2048 }
  /// The maximum messages that a connection gets at once after a pause of the host.
  private static var floodBatch: Int64 { 5000 }

  /// Adds faults on demand; immediate ones take effect at the next ``advance(to:)``.
  public mutating func inject(
    _ orders: [FaultOrder], at now: Timestamp
  ) throws(FaultSpecError) {
    schedule.expire(at: now)
    guard schedule.count + orders.count <= FaultSpec.maximumOrders else {
      throw FaultSpecError(
        sentence: "a venue has at most \(FaultSpec.maximumOrders) faults at a time")
    }
    for order in orders {
      switch order.kind {
      case .close(let code, nil):
        end({ .close($0, code: code, reason: FaultSchedule.closeReason) }, at: now)
      case .cut(nil): end({ .drop($0) }, at: now)
      default: schedule.add(order, at: now)
      }
    }
    if schedule.floodPerSecond > 0, flooded == nil { flooded = (now, 0) }
  }

  /// Ends all faults on demand; messages that waited are sent at the next ``advance(to:)``.
  public mutating func clearFaults(at now: Timestamp) {
    schedule = FaultSchedule()
    endings = (now, [])
    flooded = nil
  }

  /// The faults on demand that are not over.
  public func runningFaults(at now: Timestamp) -> [RunningFault] {
    var current = schedule
    current.expire(at: now)
    return current.running
  }

  private mutating func end(_ effect: (ClientID) -> VenueEffect, at now: Timestamp) {
    endings = (now, connections.keys.sorted().map(effect))
  }

  /// Keeps a message until a silence is over: a connection that stalls loses nothing.
  mutating func stall(_ message: Message, _ passed: inout [VenueEffect]) {
    let waiting = connections[message.client]?.stalled.count ?? 0
    guard waiting < FaultyVenue.maximumHeldMessages else {
      passed += cut(message.client)
      return
    }
    connections[message.client]?.stalled.append(message)
    stalled.insert(message.client)
  }

  /// Messages that waited on connections that are no longer silent, in order.
  mutating func resumed() -> [VenueEffect] {
    var effects: [VenueEffect] = []
    for client in stalled.sorted() {
      guard let connection = connections[client], schedule.silence(after: connection.number) == nil
      else { continue }
      effects += connection.stalled.map(send)
      connections[client]?.stalled = []
      stalled.remove(client)
    }
    return effects
  }

  mutating func endConnections() -> [VenueEffect] {
    guard let effects = endings?.effects else { return [] }
    endings = nil
    return effects.filter { effect in
      switch effect {
      case .close(let client, _, _), .drop(let client):
        guard connections[client] != nil else { return false }
        disconnect(client)
        return true
      case .send: return false
      }
    }
  }

  var nextFlood: Timestamp? {
    schedule.floodPerSecond > 0 ? flooded?.until.adding(milliseconds: 1) : nil
  }

  mutating func flood(at now: Timestamp) -> [VenueEffect] {
    guard let (until, rest) = flooded else { return [] }
    let rate = Int64(schedule.floodPerSecond)
    guard rate > 0 else {
      flooded = nil
      return []
    }
    let parts = rate * max(0, now.milliseconds - until.milliseconds) + rest
    flooded = (now, parts % 1000)
    let count = Int(min(parts / 1000, FaultyVenue.floodBatch))
    return connections.keys.sorted().flatMap { client -> [VenueEffect] in
      guard let latest = connections[client]?.latest else { return [] }
      return Array(repeating: send(latest), count: count)
    }
  }
}
