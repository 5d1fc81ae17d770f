// Commands of clients: acknowledgements and errors in the spelling of the captures.

import MarketModel
import WireJSON

extension SimulatedBitMEX {
  mutating func carryOut(
    _ request: BitMEXRequest, of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    switch request.operation {
    case "subscribe": return subscribe(client, request, at: now)
    case "unsubscribe": return unsubscribe(client, request)
    default: return refuse(client, 400, "Unrecognized op: \(request.operation)", request)
    }
  }

  /// Subscribes: all acknowledgements, then the partials.
  ///
  /// One unknown table refuses the whole request.
  mutating func subscribe(
    _ client: ClientID, _ request: BitMEXRequest, at now: Timestamp
  ) -> [VenueEffect] {
    guard !request.arguments.isEmpty else {
      return refuse(client, 400, "No topics to subscribe to", request)
    }
    for argument in request.arguments {
      let table = BitMEXTopic.split(argument).table
      guard
        SimulatedBitMEXTable(rawValue: table) != nil
          || SimulatedBitMEXTable.ofAccounts.contains(table)
      else {
        return refuse(client, 400, "Unknown table: \(table)", request)
      }
    }
    var effects: [VenueEffect] = []
    var partials: [VenueEffect] = []
    for argument in request.arguments {
      let (table, filter) = BitMEXTopic.split(argument)
      guard let table = SimulatedBitMEXTable(rawValue: table) else {
        let message =
          "User requested an account-locked subscription but no authorization was provided."
        effects += refuse(client, 401, message, request)
        continue
      }
      if clients.isSubscribed(client, argument) {
        let message = "You are already subscribed to this topic: \(argument)"
        effects += refuse(client, 400, message, request)
      } else if !clients.hasRoom(client) {
        effects += refuse(client, 400, "Too many subscriptions", request)
      } else if let seconds = clients.countSubscription(client, at: now) {
        effects += refuse(client, retryAfter: seconds, request)
      } else {
        let topic = BitMEXTopic(table: table, scope: scope(filter))
        publishIfNewlyHeard(topic, at: now)
        clients.subscribe(client, argument, topic)
        effects.append(acknowledge(client, "subscribe", argument, request))
        let bytes = partial(topic, filter: filter == "*" ? nil : filter, at: now)
        partials.append(.send(to: [client], bytes: bytes, binary: false))
      }
      // A client with too many errors is disconnected and receives nothing more.
      if !clients.contains(client) { return effects }
    }
    return effects + partials
  }

  private mutating func unsubscribe(_ client: ClientID, _ request: BitMEXRequest) -> [VenueEffect] {
    guard !request.arguments.isEmpty else {
      return refuse(client, 400, "No topics to unsubscribe from", request)
    }
    var effects: [VenueEffect] = []
    for argument in request.arguments where clients.contains(client) {
      if clients.unsubscribe(client, argument) {
        effects.append(acknowledge(client, "unsubscribe", argument, request))
      } else {
        effects += refuse(client, 400, "You are not subscribed to this topic: \(argument)", request)
      }
    }
    return effects
  }

  private mutating func refuse(
    _ client: ClientID, retryAfter seconds: Int64, _ request: BitMEXRequest
  ) -> [VenueEffect] {
    let message = "Rate limit exceeded, retry in \(seconds) seconds."
    return refuse(client, 429, message, request, meta: #"{"retryAfter":\#(seconds)}"#)
  }

  /// An error in the venue's wording; the twenty-first closes the connection.
  mutating func refuse(
    _ client: ClientID, _ status: Int, _ message: String, _ request: BitMEXRequest?,
    meta: String = "{}"
  ) -> [VenueEffect] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("status", status)
      writer.member("error", message)
      writer.key("meta")
      writer.raw(meta.utf8)
      if let request {
        writer.key("request")
        writer.raw(request.json)
      }
    }
    let effect = VenueEffect.send(to: [client], bytes: writer.bytes, binary: false)
    guard clients.countError(client) else { return [effect] }
    clients.remove(client)
    return [effect, .close(client, code: 1008, reason: "too many errors")]
  }

  private func acknowledge(
    _ client: ClientID, _ key: StaticString, _ topic: String, _ request: BitMEXRequest
  ) -> VenueEffect {
    var writer = JSONWriter(capacity: request.json.count + 96)
    writer.object { writer in
      writer.member("success", true)
      writer.member(key, topic)
      writer.key("request")
      writer.raw(request.json)
    }
    return .send(to: [client], bytes: writer.bytes, binary: false)
  }

  private func scope(_ filter: String?) -> BitMEXTopic.Scope {
    guard let filter, filter != "*" else { return .all }
    let index = markets.firstIndex { $0.instrument.symbol == filter }
    return index.map { .one($0) } ?? .none
  }
}
