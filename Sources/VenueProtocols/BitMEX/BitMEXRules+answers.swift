// What BitMEX's messages that are not data mean for a session.

import MarketModel

extension BitMEXRules {
  static func react(
    to message: BitMEXMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    switch message {
    case .table: session.afterRows(at: now) + refuseUnnamed(&session, at: now)
    case .pong: [.pong]
    case .welcome: session.begin(at: now)
    case .failure(let failure): fail(failure, &session, at: now)
    case .acknowledged, .ignored: []
    }
  }

  static func begin(_ message: BitMEXMessage, in market: inout BookMarket<Self>) {
    if message == .welcome { market.interrupt() }
  }

  /// The venue takes a subscription to any name, and tells of an instrument that it does not have
  /// by an image without rows.
  private static func refuseUnnamed(
    _ session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let decoder = session.market.decoder
    guard decoder.table == .instrument, decoder.action == .partial,
      let number = decoder.filterSymbol,
      !decoder.instrumentRows.contains(where: { $0.symbol == number })
    else { return [] }
    return refuse(session.market.instruments[number].symbol, &session, at: now)
  }

  /// Refuses new topics of an unlisted instrument without a request, as long as its details are
  /// refused.
  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let unnamed = session.refused.filter { $0.part == .details }.compactMap(\.symbol).sorted()
    return unnamed.flatMap { refuse($0, &session, at: now) }
  }

  /// Refuses every topic of an instrument, including those not requested yet.
  private static func refuse(
    _ symbol: Symbol, _ session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let topics = session.table.topics(of: symbol).subtracting(session.refused)
    if topics.isEmpty { return [] }
    // So that the same topics can be requested again on this connection.
    let surplus = session.asked.intersection(topics).sorted()
    let problem = profile.unknown(symbol, "\(symbol): not among the venue's instruments")
    return session.refuse(topics, for: problem)
      + session.send("unsubscribe", surplus, at: now)
  }

  /// What the venue's error means for the connection.
  private static func fail(
    _ failure: BitMEXFailure, _ session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let text = failure.text.lowercased()
    if failure.status == 429 || text.hasPrefix("rate limit exceeded") {
      let seconds = failure.retryAfterSeconds ?? secondsNamed(in: failure.text)
      if session.link == .ready, let operation = failure.operation {
        let topics = session.asked.filter { failure.topics.contains(self.text(of: $0)) }
        return session.postpone(
          operation == "subscribe" ? topics : [], for: failure.description,
          retryAfterSeconds: seconds, at: now)
      }
      _ = session.pacer.refuse(retryAfterSeconds: seconds, at: now.monotonic)
      return [.reconnect(profile.rateLimited(failure.description, retryAfterSeconds: seconds))]
    }
    if failure.status == 401 || failure.status == 403 || text.hasPrefix("invalid api key") {
      let problem = profile.problem(
        .unauthorized, failure.description,
        userMessage: "BitMEX refuses the connection. Check the access settings.")
      return [.refuse(problem)]
    }
    let isBenign = text.hasPrefix("you are already subscribed") || text.hasPrefix("not subscribed")
    let isError: [SessionEffect] = [.rejected(profile.venueError(failure.description))]
    if failure.operation == "unsubscribe" { return isBenign ? [] : isError }
    let topics = session.asked.filter { failure.topics.contains(self.text(of: $0)) }.sorted()
    if failure.operation == "subscribe", topics.count > 1 {
      // One bad topic rejects the whole request: ask for each alone to find it.
      return topics.flatMap { requests("subscribe", [$0], &session.own) }.map(SessionEffect.send)
    }
    if isBenign { return [] }
    guard let topic = topics.first, let symbol = topic.symbol, failure.operation == "subscribe",
      failure.status.map({ (400..<500).contains($0) }) ?? true
    else { return isError }
    return session.refuse(
      [topic], for: profile.unknown(symbol, "\(self.text(of: topic)): \(failure.description)"))
  }

  /// The first number of a text like "retry in 29 seconds"; nil when it is over a day.
  static func secondsNamed(in text: String) -> Int? {
    var seconds: Int?
    for byte in text.utf8 {
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 {
        let value = (seconds ?? 0) * 10 + Int(digit)
        if value > 86_400 { return nil }
        seconds = value
      } else if seconds != nil {
        return seconds
      }
    }
    return seconds
  }
}
