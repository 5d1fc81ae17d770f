import MarketModel
import PaperTrading
import Testing

@Suite struct `Ticket texts` {
  let rules = TradingRules(oneStock: Desk.stock)

  @Test(arguments: [
    ("100", Int64(100)), (" 7 ", 7), ("007", 7), ("+5", 5), ("5.", 5), ("5.000", 5),
    ("1000000", 1_000_000),
  ])
  func `a quantity in plain digits is read`(text: String, units: Int64) throws {
    #expect(try TicketParser(rules: rules).quantity(text).units == units)
  }

  @Test(arguments: [
    ("45.1", Int64(45_100_000)), (".5", 500_000), ("45.0500000000000000000000", 45_050_000),
  ])
  func `a price in plain digits is read`(text: String, units: Int64) throws {
    #expect(try TicketParser(rules: rules).price(text, market: nil).units == units)
  }

  @Test(arguments: [
    ("", "Enter a quantity."), ("   ", "Enter a quantity."),
    ("0", "The quantity must be more than 0; 0 is not."),
    ("-0", "The quantity must be more than 0; 0 is not."),
    ("-3", "The quantity must be more than 0; -3 is not."),
    ("0.5", "The quantity must be a multiple of 1; “0.5” is not."),
    ("1000001", "One order can be for at most 1000000; 1000001 is more."),
    ("99999999999999999999", "One order can be for at most 1000000."),
    ("NaN", number("NaN")), ("inf", number("inf")), ("1e3", number("1e3")), ("ten", number("ten")),
    ("1.2.3", number("1.2.3")), (".", number(".")), ("-", number("-")), ("--1", number("--1")),
    ("1 000", number("1 000")), ("０", number("０")), ("١٢", number("١٢")), ("0x10", number("0x10")),
    ("1\u{0}", number("1\u{0}")),
    (
      "1,000",
      "Write the quantity with a point and without separators, such as 100; "
        + "in “1,000” the comma could mean either."
    ),
    (String(repeating: "9", count: 41), "The quantity is too long to be a number."),
  ])
  func `an invalid quantity gets a sentence`(text: String, message: String) {
    let problem = #expect(throws: TicketProblem.self) {
      try TicketParser(rules: rules).quantity(text)
    }
    #expect(problem?.userMessage(under: rules).description == message)
  }

  @Test(arguments: [
    ("", "Enter a price."), ("0.00", "The price must be more than 0; 0.00 is not."),
    ("-1", "The price must be more than 0; -1.00 is not."),
    ("45.005", "The price must be a multiple of 0.01; 45.005 is not."),
    ("45.0000001", "The price must be a multiple of 0.01; “45.0000001” is not."),
    (
      "0.00000000000000000000000001",
      "The price must be a multiple of 0.01; “0.0000000000000000000000” is not."
    ),
    ("1000000.01", "The price can be at most 1000000.00; 1000000.01 is more."),
    ("9223372036854775808", "The price can be at most 1000000.00."),
    ("500000000000000", "The price must be a multiple of 0.01; “500000000000000” is not."),
    (
      "45,10",
      "Write the price with a point and without separators, such as 45.10; "
        + "in “45,10” the comma could mean either."
    ),
    ("market", "The price must be a number in plain digits, such as 45.10; “market” is not."),
  ])
  func `an invalid price gets a sentence`(text: String, message: String) {
    let problem = #expect(throws: TicketProblem.self) {
      try TicketParser(rules: rules).price(text, market: nil)
    }
    #expect(problem?.userMessage(under: rules).description == message)
  }

  @Test func `any bytes are a number or a sentence, never a crash`() {
    var random = SplitMix64(seed: 11)
    let alphabet = Array("0123456789.-+,eE NaN\u{0}\u{fffd}é")
    for _ in 0..<20_000 {
      let length = Int(random.below(44))
      let text = String(
        (0..<length).map { _ in alphabet[Int(random.below(Int64(alphabet.count)))] })
      do throws(TicketProblem) {
        let price = try TicketParser(rules: rules).price(text, market: nil)
        #expect(rules.brokenLimit(ofPrice: price, market: nil) == nil, "seed 11: \(text)")
      } catch {
        #expect(!error.userMessage(under: rules).description.isEmpty)
      }
    }
  }
}

private func number(_ text: String) -> String {
  "The quantity must be a number in plain digits, such as 100; “\(text)” is not."
}
