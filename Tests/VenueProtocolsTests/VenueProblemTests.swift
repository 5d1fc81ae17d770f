// Texts of a venue in its problems, on their way to a log, a terminal or a page.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct VenueProblemTests {
  @Test func `a venue's problem has no unprintable characters`() {
    let problem = VenueProblem(
      .venueError, venue: .bitmex, "error\r\nFAKE \u{1b}[2J", userMessage: "a\u{202e}b\n")
    #expect(problem.description == "error  FAKE  [2J")
    #expect(problem.userMessage == "ab ")
  }
}
