// Kraken's system status over REST.

import Foundation
import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct KrakenConditionTests {
  /// The response of `GET /0/public/SystemStatus` on 11 November 2025.
  static let captured =
    #"{"error":[],"result":{"status":"online","timestamp":"2025-11-11T00:17:10Z"}}"#

  private func read(_ text: String) -> Result<HistoryResponse, HistoryFailure> {
    let body = Array(text.utf8)
    return VenueHistory.kraken.read(.condition, "", 200, body.span)
  }

  @Test(
    "The state of the venue is its own word",
    arguments: [
      ("online", VenueCondition.online), ("maintenance", .maintenance),
      ("cancel_only", .limited("cancel_only")), ("post_only", .limited("post_only")),
      ("something_new", .limited("something_new")),
    ])
  func words(word: String, condition: VenueCondition) {
    let text = Self.captured.replacingOccurrences(of: "online", with: word)
    #expect(read(text) == .success(.condition(condition)))
    #expect((condition.words == nil) == (word == "online"))
  }

  @Test(
    "What is no state is refused",
    arguments: [
      #"{"error":[],"result":{}}"#, #"{"error":[],"result":[]}"#, #"{"error":[]}"#, "",
      #"{"error":[],"result":{"status":7}}"#,
      #"{"error":[],"result":{"status":"online","status":"maintenance"}}"#,
      #"{"error":[],"result":{"status":"\#(String(repeating: "x", count: 65))"}}"#,
    ])
  func hostile(text: String) {
    guard case .failure(.badAnswer) = read(text) else {
      Issue.record("\(text) is taken")
      return
    }
  }

  @Test("Cut anywhere it is refused, and an error of the venue stays one")
  func cut() {
    for end in 0..<Self.captured.utf8.count {
      let part = String(Self.captured.prefix(end))
      #expect(throws: HistoryFailure.self, "\(part)") { try read(part).get() }
    }
    let busy = #"{"error":["EService:Unavailable"]}"#
    #expect(read(busy) == .failure(.unavailable("EService:Unavailable")))
  }

  @Test("It is asked without a name") func path() {
    #expect(VenueHistory.kraken.path(.condition, "") == "/0/public/SystemStatus")
    #expect(VenueHistory.kraken.statesCondition && !VenueHistory.bitmex.statesCondition)
  }
}
