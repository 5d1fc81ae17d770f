// Problems that any venue with books can have, with their texts for logs and for users.

import MarketModel

extension BookVenueProfile {
  func problem(
    _ kind: VenueProblem.Kind, _ description: String, userMessage: Sentence
  ) -> VenueProblem {
    VenueProblem(kind, venue: venue, description, userMessage: userMessage)
  }

  func malformed(_ description: String) -> VenueProblem {
    problem(
      .malformed, description,
      userMessage: "\(name) sent something unreadable. It was not used.")
  }

  func impossibleTrade(
    of symbol: Symbol, at time: Timestamp, now: Timestamp
  ) -> VenueProblem {
    .impossibleTrade(of: symbol, at: time, now: now, venue: venue, name: name)
  }

  func noGreeting(afterSeconds seconds: Int64) -> VenueProblem {
    problem(
      .inconsistent, "\(name) connection: expected \(greeting), found none within \(seconds) s",
      userMessage: "\(name) does not answer. Reconnecting…")
  }

  func bookBeyondRepair(_ symbol: Symbol) -> VenueProblem {
    problem(
      .inconsistent, "\(symbol) book: \(unsoundBook)",
      userMessage: "The \(symbol) order book keeps failing its checks. Reconnecting…")
  }

  func rateLimited(_ description: String, retryAfterSeconds seconds: Int? = nil) -> VenueProblem {
    problem(
      .rateLimited(retryAfterSeconds: seconds), description,
      userMessage: seconds.map { "\(name) asks us to slow down. Reconnecting in \($0) s…" }
        ?? "\(name) asks us to slow down. Reconnecting…")
  }

  func tooManySubscriptions(_ description: String) -> VenueProblem {
    problem(
      .rateLimited(retryAfterSeconds: nil), description,
      userMessage: "\(name) asks us to slow down. Some streams open later.")
  }

  func unknown(_ symbol: Symbol, _ description: String) -> VenueProblem {
    problem(
      .unknownSymbol, description, userMessage: "\(name) does not offer \(symbol).")
  }

  func venueError(_ description: String) -> VenueProblem {
    problem(
      .venueError, description,
      userMessage: "\(name) reports an error. Other data is not affected.")
  }
}
