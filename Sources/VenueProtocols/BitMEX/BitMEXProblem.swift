// The problems of a BitMEX connection, with their texts for logs and for people.

import MarketModel

/// Makes venue problems.
enum BitMEXProblem {
  static func malformed(_ error: BitMEXDecodeError) -> VenueProblem {
    VenueProblem(
      .malformed, venue: .bitmex, error.description,
      userMessage: "BitMEX sent something unreadable. It was not used.")
  }

  static func impossibleTime(
    of symbol: Symbol, _ time: Timestamp, now: Timestamp
  ) -> VenueProblem {
    .impossibleTrade(of: symbol, at: time, now: now, venue: .bitmex, name: "BitMEX")
  }

  static func noWelcome(afterSeconds seconds: Int64) -> VenueProblem {
    VenueProblem(
      .inconsistent, venue: .bitmex,
      "BitMEX connection: expected a welcome, found none within \(seconds) s",
      userMessage: "BitMEX does not answer. Reconnecting…")
  }

  static func bookBeyondRepair(_ symbol: Symbol) -> VenueProblem {
    VenueProblem(
      .inconsistent, venue: .bitmex,
      "\(symbol) book: expected a sound book after resyncing, found it doubtful again and again",
      userMessage: "The \(symbol) order book keeps failing its checks. Reconnecting…")
  }

  static func rateLimited(_ failure: BitMEXFailure) -> VenueProblem {
    let seconds = failure.retryAfterSeconds ?? secondsNamed(in: failure.text)
    let wait = seconds.map { " in \($0) s" } ?? ""
    return VenueProblem(
      .rateLimited(retryAfterSeconds: seconds), venue: .bitmex, describe(failure),
      userMessage: "BitMEX asks us to slow down. Reconnecting\(wait)…")
  }

  static func unauthorized(_ failure: BitMEXFailure) -> VenueProblem {
    VenueProblem(
      .unauthorized, venue: .bitmex, describe(failure),
      userMessage: "BitMEX refuses the connection. Check the access settings.")
  }

  static func unknown(_ topic: BitMEXTopic, _ failure: BitMEXFailure) -> VenueProblem {
    VenueProblem(
      .unknownSymbol, venue: .bitmex, "\(topic.text): \(describe(failure))",
      userMessage: "BitMEX does not offer \(topic.symbol).")
  }

  static func venueError(_ failure: BitMEXFailure) -> VenueProblem {
    VenueProblem(
      .venueError, venue: .bitmex, describe(failure),
      userMessage: "BitMEX reports an error. Other data is not affected.")
  }

  private static func describe(_ failure: BitMEXFailure) -> String {
    let status = failure.status.map { " \($0)" } ?? ""
    return "BitMEX error\(status): \(failure.text)"
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
