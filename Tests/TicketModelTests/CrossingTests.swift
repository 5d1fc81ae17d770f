// What an amended order trades at once, with its text.

import MarketModel
import Testing
import TicketModel

struct CrossingTests {
  @Test(
    "an amended order across the market says what it trades at once",
    arguments: [
      // Side, limit, quantity, filled, best opposite level; then what it trades and what rests.
      (Side.sell, "35.47", "20", "0", "36.84 x 46", "Sells {20} TROAD at {$36.84} now", nil),
      (.sell, "36.84", "20", "0", "36.84 x 46", "Sells {20} TROAD at {$36.84} now", nil),
      (.sell, "36.85", "20", "0", "36.84 x 46", nil, nil),
      (
        .sell, "35.47", "20", "0", "36.84 x 8", "Sells {8} TROAD at {$36.84} now",
        "{12} rest at {$35.47}."
      ),
      (.buy, "37.00", "20", "5", "36.86 x 46", "Buys {15} TROAD at {$36.86} now", nil),
      (.buy, "36.85", "20", "5", "36.86 x 46", nil, nil),
      (.buy, "37.00", "5", "5", "36.86 x 46", nil, nil),
      (.buy, "37.00", "4", "5", "36.86 x 46", nil, nil),
      (.buy, "37.00", "5", "0", "36.86 x 0", nil, nil),
      (.buy, "37", "0.5", "0.25", "36.86 x 1", "Buys {0.25} TROAD at {$36.86} now", nil),
      (
        .buy, "9223372036854775807", "5", "0", "0.000000000000000001 x 5",
        "Buys {5} TROAD at {$0.000000000000000001} now", nil
      ),
    ] as [(Side, String, String, String, String, Sentence?, Sentence?)])
  func crosses(
    _ side: Side, _ limit: String, _ quantity: String, _ filled: String, _ best: String,
    _ words: Sentence?, _ rest: Sentence?
  ) {
    let parts = best.split(separator: " x ").map { decimal(String($0)) }
    let crossing = Crossing(
      side, limit: decimal(limit), quantity: decimal(quantity), filled: decimal(filled),
      best: BestLevel(price: parts[0], quantity: parts[1]))
    #expect(crossing?.words("TROAD") == words)
    #expect(crossing?.restWords == rest)
  }

  @Test("without an opposite level nothing trades; without its quantity all of it may")
  func unknown() {
    let none = Crossing(
      .buy, limit: decimal("45"), quantity: decimal("7"), filled: decimal("0"), best: nil)
    #expect(none == nil)
    let all = Crossing(
      .buy, limit: decimal("45"), quantity: decimal("7"), filled: decimal("0"),
      best: BestLevel(price: decimal("44"), quantity: nil))
    #expect(all?.words("TROAD") == "Buys {7} TROAD at {$44} now")
  }
}
