// The problems of a Kraken connection, with their texts for logs and for people.

import MarketModel

/// Makes venue problems.
enum KrakenProblem {
  static func malformed(_ error: KrakenDecodeError) -> VenueProblem {
    VenueProblem(
      .malformed, venue: .kraken, error.description,
      userMessage: "Kraken sent something unreadable. It was not used.")
  }

  static func impossibleTime(
    of symbol: Symbol, _ time: Timestamp, now: Timestamp
  ) -> VenueProblem {
    .impossibleTrade(of: symbol, at: time, now: now, venue: .kraken, name: "Kraken")
  }

  static func noGreeting(afterSeconds seconds: Int64) -> VenueProblem {
    VenueProblem(
      .inconsistent, venue: .kraken,
      "Kraken connection: expected a status, found none within \(seconds) s",
      userMessage: "Kraken does not answer. Reconnecting…")
  }

  static func bookBeyondRepair(_ symbol: Symbol) -> VenueProblem {
    VenueProblem(
      .inconsistent, venue: .kraken,
      "\(symbol) book: expected the venue's checksum after resyncing, found another one again",
      userMessage: "The \(symbol) order book keeps failing its checks. Reconnecting…")
  }

  static func rateLimited(_ answer: KrakenAnswer) -> VenueProblem {
    VenueProblem(
      .rateLimited(retryAfterSeconds: nil), venue: .kraken, describe(answer),
      userMessage: "Kraken asks us to slow down. Reconnecting…")
  }

  static func unknown(_ symbol: Symbol, _ text: String) -> VenueProblem {
    VenueProblem(
      .unknownSymbol, venue: .kraken, "\(symbol): \(text)",
      userMessage: "Kraken does not offer \(symbol).")
  }

  static func venueError(_ answer: KrakenAnswer) -> VenueProblem {
    VenueProblem(
      .venueError, venue: .kraken, describe(answer),
      userMessage: "Kraken reports an error. Other data is not affected.")
  }

  static let maintenance = VenueProblem(
    .venueError, venue: .kraken, "Kraken status: maintenance",
    userMessage: "Kraken is in maintenance. Prices resume by themselves.")

  private static func describe(_ answer: KrakenAnswer) -> String {
    let symbol = answer.symbol.map { " \($0)" } ?? ""
    return "Kraken \(answer.method)\(symbol): \(answer.error)"
  }
}
