// The exchange's rules from top to bottom, one row a rule, checked on both engines.

import OrderMatching
import Testing

struct Rule: Sendable, CustomTestStringConvertible {
  let name: String
  let before: String
  let command: String
  let answer: String
  var fills = ""
  let after: String
  var maximumOrders = 100
  var testDescription: String { name }
}

struct MatchingRulesTests {
  @Test(arguments: Rule.all)
  func `the plain engine follows every rule`(rule: Rule) { check(rule, PlainMatchingEngine.self) }

  @Test(arguments: Rule.all)
  func `the fast engine follows every rule`(rule: Rule) { check(rule, FastMatchingEngine.self) }

  private func check<Engine: MatchingEngine>(_ rule: Rule, _ type: Engine.Type) {
    var engine = Engine(limits: MatchingLimits(maximumRestingOrders: rule.maximumOrders))
    BookTable.enter(rule.before, into: &engine)
    var fills: [Fill] = []
    let report = engine.submit(Script.command(rule.command), fills: &fills)
    #expect(Script.text(report) == rule.answer, "\(rule.command)")
    #expect(Script.text(fills) == rule.fills, "\(rule.command)")
    #expect(BookTable.draw(engine) == BookTable.normal(rule.after), "\(rule.command)")
  }
}

extension Rule {
  static let book = """
               | 103 | 5:8
               | 102 | 3:20 4:5
               | 101 | 1:10 2:5
    6:7 7:9    |  99 |
    8:4        |  98 |
    """

  static let all = limitRules + takingRules + leavingRules + selfMatchRules + refusals + fullBook

  static let limitRules = [
    Rule(
      name: "a limit order below the best ask rests", before: book, command: "buy 9:3 100",
      answer: "resting 3",
      after: """
                   | 103 | 5:8
                   | 102 | 3:20 4:5
                   | 101 | 1:10 2:5
        9:3        | 100 |
        6:7 7:9    |  99 |
        8:4        |  98 |
        """),
    Rule(
      name: "an order at an occupied price goes to the end of its queue", before: "1:5 2:5 | 99 |",
      command: "buy 9:3 99", answer: "resting 3", after: "1:5 2:5 9:3 | 99 |"),
    Rule(
      name: "a limit equal to the best ask trades", before: "| 101 | 1:10", command: "buy 9:4 101",
      answer: "filled 4", fills: "9:1:101:4;", after: "| 101 | 1:6"),
    Rule(
      name: "a trade is at the resting order's better price", before: "| 101 | 1:10",
      command: "buy 9:4 150", answer: "filled 4", fills: "9:1:101:4;", after: "| 101 | 1:6"),
    Rule(
      name: "a sell trades at the bid's better price", before: "1:10 | 99 |",
      command: "sell 9:4 50", answer: "filled 4", fills: "9:1:99:4;", after: "1:6 | 99 |"),
    Rule(
      name: "the longest waiting order at a price trades first", before: "| 101 | 1:10 2:5",
      command: "buy 9:12 101", answer: "filled 12", fills: "9:1:101:10; 9:2:101:2;",
      after: "| 101 | 2:3"),
    Rule(
      name: "the best price trades first, then the next", before: book, command: "buy 9:40 102",
      answer: "filled 40", fills: "9:1:101:10; 9:2:101:5; 9:3:102:20; 9:4:102:5;",
      after: """
                   | 103 | 5:8
        6:7 7:9    |  99 |
        8:4        |  98 |
        """),
    Rule(
      name: "what a limit order can't trade rests at its limit", before: "| 101 | 1:10",
      command: "buy 9:14 102", answer: "filled 10, resting 4", fills: "9:1:101:10;",
      after: "9:4 | 102 |"),
    Rule(
      name: "a partly filled resting order keeps its place", before: "| 101 | 1:10 2:5",
      command: "buy 9:9 101", answer: "filled 9", fills: "9:1:101:9;", after: "| 101 | 1:1 2:5"),
  ]

  static let takingRules = [
    Rule(
      name: "a market order takes any price", before: book, command: "sell 9:20 market",
      answer: "filled 20", fills: "9:6:99:7; 9:7:99:9; 9:8:98:4;",
      after: """
        | 103 | 5:8
        | 102 | 3:20 4:5
        | 101 | 1:10 2:5
        """),
    Rule(
      name: "what a market order can't trade is cancelled", before: "| 101 | 1:10",
      command: "buy 9:11 market", answer: "filled 10, cancelled 1: noMoreOffers",
      fills: "9:1:101:10;", after: "(empty)"),
    Rule(
      name: "a market order on an empty side is cancelled", before: "1:10 | 99 |",
      command: "buy 9:11 market", answer: "cancelled 11: noMoreOffers", after: "1:10 | 99 |"),
    Rule(
      name: "an immediate-or-cancel order never rests", before: book,
      command: "buy 9:20 ioc 101", answer: "filled 15, cancelled 5: immediateOrCancel",
      fills: "9:1:101:10; 9:2:101:5;",
      after: """
                   | 103 | 5:8
                   | 102 | 3:20 4:5
        6:7 7:9    |  99 |
        8:4        |  98 |
        """),
    Rule(
      name: "an immediate-or-cancel order outside the market does nothing", before: "| 101 | 1:10",
      command: "buy 9:20 ioc 100", answer: "cancelled 20: immediateOrCancel",
      after: "| 101 | 1:10"),
    Rule(
      name: "a fill-or-kill order fills whole over levels", before: "| 102 | 2:5\n| 101 | 1:10",
      command: "buy 9:15 fok 102", answer: "filled 15", fills: "9:1:101:10; 9:2:102:5;",
      after: "(empty)"),
    Rule(
      name: "a fill-or-kill order one lot too large does nothing",
      before: "| 102 | 2:5\n| 101 | 1:10", command: "buy 9:16 fok 102",
      answer: "cancelled 16: fillOrKill", after: "| 102 | 2:5\n| 101 | 1:10"),
    Rule(
      name: "a fill-or-kill order counts nothing beyond its limit",
      before: "2:5 | 99 |\n1:10 | 98 |", command: "sell 9:6 fok 99",
      answer: "cancelled 6: fillOrKill", after: "2:5 | 99 |\n1:10 | 98 |"),
  ]

  static let leavingRules = [
    Rule(
      name: "a cancel takes an order out of the middle of its queue",
      before: "| 101 | 1:1 2:2 3:3", command: "cancel 2", answer: "cancelled 2: requested",
      after: "| 101 | 1:1 3:3"),
    Rule(
      name: "a cancel takes the first of its queue", before: "| 101 | 1:1 2:2 3:3",
      command: "cancel 1", answer: "cancelled 1: requested", after: "| 101 | 2:2 3:3"),
    Rule(
      name: "a cancel takes the last of its queue", before: "| 101 | 1:1 2:2 3:3",
      command: "cancel 3", answer: "cancelled 3: requested", after: "| 101 | 1:1 2:2"),
    Rule(
      name: "a cancel of the only order removes the level", before: "2:5 | 99 |\n1:5 | 98 |",
      command: "cancel 2", answer: "cancelled 5: requested", after: "1:5 | 98 |"),
    Rule(
      name: "a smaller quantity loses the place too", before: "1:5 2:5 | 99 |",
      command: "modify 1:4 99", answer: "resting 4", after: "2:5 1:4 | 99 |"),
    Rule(
      name: "a modify moves an order to its new price", before: "1:5 2:5 | 99 |",
      command: "modify 1:6 98", answer: "resting 6", after: "2:5 | 99 |\n1:6 | 98 |"),
    Rule(
      name: "a modify into the market trades under the same number",
      before: "| 101 | 2:3\n1:5 | 99 |", command: "modify 1:7 101",
      answer: "filled 3, resting 4", fills: "1:2:101:3;", after: "1:4 | 101 |"),
    Rule(
      name: "a modify that fills whole leaves nothing", before: "| 101 | 2:9\n1:5 | 99 |",
      command: "modify 1:7 200", answer: "filled 7", fills: "1:2:101:7;", after: "| 101 | 2:2"),
  ]

  static let selfMatchRules = [
    Rule(
      name: "an order stops before its own trader's", before: "| 101 | 1:5 2:5@7 3:5",
      command: "buy 9:12@7 101", answer: "filled 5, cancelled 7: selfMatch", fills: "9:1:101:5;",
      after: "| 101 | 2:5@7 3:5"),
    Rule(
      name: "a market order stops before its own trader's", before: "1:5@7 | 99 |",
      command: "sell 9:2@7 market", answer: "cancelled 2: selfMatch", after: "1:5@7 | 99 |"),
    Rule(
      name: "a fill-or-kill order with an own order in its way is killed",
      before: "| 101 | 1:5 2:5@7 3:5", command: "buy 9:6@7 fok 101",
      answer: "cancelled 6: fillOrKill", after: "| 101 | 1:5 2:5@7 3:5"),
    Rule(
      name: "a fill-or-kill order that ends before an own order fills",
      before: "| 101 | 1:5 2:5@7 3:5", command: "buy 9:5@7 fok 101", answer: "filled 5",
      fills: "9:1:101:5;", after: "| 101 | 2:5@7 3:5"),
    Rule(
      name: "a modify keeps its owner and obeys the self-match rule",
      before: "| 101 | 2:5@7\n1:5@7 | 99 |", command: "modify 1:5 101",
      answer: "cancelled 5: selfMatch", after: "| 101 | 2:5@7"),
    Rule(
      name: "anonymous orders trade with each other", before: "| 101 | 1:5",
      command: "buy 9:5 101", answer: "filled 5", fills: "9:1:101:5;", after: "(empty)"),
  ]

  static let refusals: [Rule] = [
    ("buy 9:0 100", "quantityNotPositive"), ("buy 9:-1 100", "quantityNotPositive"),
    ("buy 9:1000000001 100", "quantityTooLarge"),
    ("sell 9:9223372036854775807 market", "quantityTooLarge"), ("buy 9:1 0", "priceNotPositive"),
    ("buy 9:1 -9223372036854775808", "priceNotPositive"), ("sell 9:1 16777216", "priceTooLarge"),
    ("sell 9:1 fok 9223372036854775807", "priceTooLarge"), ("buy 9:1 ioc 0", "priceNotPositive"),
    ("buy 8:1 90", "duplicateOrder"), ("sell 8:1 market", "duplicateOrder"),
    ("cancel 9", "unknownOrder"), ("modify 9:1 100", "unknownOrder"),
    ("modify 8:0 100", "quantityNotPositive"), ("modify 8:1 0", "priceNotPositive"),
    ("modify 8:1 16777216", "priceTooLarge"), ("modify 8:1000000001 90", "quantityTooLarge"),
  ].map { command, reason in
    Rule(
      name: "\(command) is refused and changes nothing", before: book, command: command,
      answer: "rejected: \(reason)", after: book)
  }

  static let fullBook = [
    Rule(
      name: "a full book refuses a limit order even where it would trade", before: book,
      command: "buy 9:1 200", answer: "rejected: bookFull", after: book, maximumOrders: 8),
    Rule(
      name: "a full book still takes a modify", before: "1:5 | 99 |", command: "modify 1:6 98",
      answer: "resting 6", after: "1:6 | 98 |", maximumOrders: 1),
    Rule(
      name: "a full book still trades orders that never rest", before: "1:5 | 99 |",
      command: "sell 9:5 market", answer: "filled 5", fills: "9:1:99:5;", after: "(empty)",
      maximumOrders: 1),
  ]
}
