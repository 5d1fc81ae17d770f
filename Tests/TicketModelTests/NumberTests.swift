// Typed and pasted numbers, in the user's locale, and the steps between them.

import MarketModel
import Testing
import TicketModel

@Suite struct NumberTests {
  private static let us = NumberSigns(
    decimal: ".", group: ",", digits: "0123456789", currencies: ["$", "USD"])
  private static let canada = NumberSigns(
    decimal: ".", group: ",", digits: "", currencies: ["US$", "$", "USD"])
  private static let germany = NumberSigns(
    decimal: ",", group: ".", digits: "", currencies: ["€", "EUR"])
  private static let france = NumberSigns(
    decimal: ",", group: "\u{202F}", digits: "", currencies: ["€", "EUR"])
  private static let switzerland = NumberSigns(
    decimal: ".", group: "’", digits: "", currencies: ["CHF"])
  private static let egypt = NumberSigns(
    decimal: "٫", group: "٬", digits: "٠١٢٣٤٥٦٧٨٩", currencies: [])

  @Test(
    "a number is read as the reader's locale writes it",
    arguments: [
      (us, "1,000", "1000"), (us, " 1,234,567 ", "1234567"), (us, "1,00,000", "100000"),
      (us, "1,234.5", "1234.5"), (us, "1000", "1000"), (us, ".5", ".5"), (us, "+7", "+7"),
      (us, "\u{2212}5", "-5"), (us, "", ""), (us, " \t", ""),
      (france, "1 000", "1000"), (france, "1\u{202F}000", "1000"),
      (france, "1\u{A0}000,5", "1000.5"),
      (germany, "1000", "1000"), (germany, "45,10", "45.10"), (germany, "45.10", "45.10"),
      (switzerland, "1’000", "1000"), (switzerland, "1'000", "1000"),
      (egypt, "٣٠", "30"), (egypt, "٤٥٫١٠", "45.10"),
    ])
  func reading(_ signs: NumberSigns, _ typed: String, _ expected: String) {
    let number = TypedNumber(typed, signs: signs, isAmount: false)
    #expect(number.text == expected)
    #expect(!number.isDoubtful)
  }

  @Test(
    "what could mean two things is not guessed",
    arguments: [
      (us, "1 2"), (us, "1,2"), (us, "1,00"), (us, "1,0000"), (us, "12 345"), (us, ",100"),
      (us, "1,000,"), (us, "1,000,00"), (france, "1 2"), (germany, "1.000"),
      (germany, "1.000,5"), (germany, "1,2,3"), (switzerland, "1,000 2"),
    ])
  func doubts(_ signs: NumberSigns, _ typed: String) {
    #expect(TypedNumber(typed, signs: signs, isAmount: false).isDoubtful)
  }

  @Test(
    "beside a price only the sign of the market's currency is read over",
    arguments: [
      (us, "$44.10", "44.10"), (us, "$ 44.10", "44.10"), (us, "44.10 USD", "44.10"),
      (germany, "44,10\u{A0}€", "44.10"), (canada, "US$44.10", "44.10"),
      (canada, "$44.10", "44.10"),
      (us, "€44.10", "€44.10"), (us, "¥4500", "¥4500"), (us, "A$44.10", "A$44.10"),
      (NumberSigns.plain, "$44.10", "$44.10"),
    ])
  func currencies(_ signs: NumberSigns, _ typed: String, _ expected: String) {
    #expect(TypedNumber(typed, signs: signs, isAmount: true).text == expected)
    if expected != typed {
      #expect(!TypedNumber(typed, signs: signs, isAmount: false).isNumber)
    }
  }

  @Test(
    "only a sign, digits and one point are a number",
    arguments: [
      ("1", true), ("1.", true), (".5", true), ("-1", true), ("+0.10", true),
      ("", false), (".", false), ("-", false), ("1e9", false), ("NaN", false), ("ten", false),
      ("1.2.3", false), ("٣٠", false), ("<b>7</b>", false), ("1-", false), ("数", false),
    ])
  func numbers(_ typed: String, _ expected: Bool) {
    #expect(TypedNumber(typed, signs: .plain, isAmount: false).isNumber == expected)
  }

  @Test("lines that are pasted stay apart")
  func pasting() {
    #expect(pastedText("1\n2") == "1 2")
    #expect(pastedText("12\r\n") == "12")
    #expect(pastedText("\t1\r\n\t2 3 ") == "1 2 3")
    #expect(TypedNumber(pastedText("1\n2"), signs: NumberTests.us, isAmount: false).isDoubtful)
  }

  @Test(
    "a step goes onto the grid, in its direction, between one step and the maximum",
    arguments: [
      ("45.10", "0.01", -1, nil, "45.09"), ("45.123", "0.01", 1, nil, "45.13"),
      ("45.123", "0.01", -1, nil, "45.12"), ("1", "1", -10, nil, nil), ("5", "1", -10, nil, "1"),
      ("-5", "1", 1, nil, "1"), ("7", "5", 1, nil, "10"), ("0.5", "1", -1, nil, nil),
      ("0.5", "1", 1, nil, "1"), ("1", "0", 1, nil, nil), ("99", "1", 10, "100", "100"),
      ("100", "1", 1, "100", nil), ("200", "1", 1, "100", nil), ("200", "1", -1, "100", "100"),
      ("9223372036854775807", "1", 1, nil, nil), ("0.000000000000000001", "1000", 1, nil, "1000"),
      ("1", "1", Int64.max, nil, nil), ("1", "1", Int64.min, nil, nil),
    ] as [(String, String, Int64, String?, String?)])
  func steps(_ from: String, _ step: String, _ count: Int64, _ maximum: String?, _ to: String?) {
    var run = TicketRun()
    run.know {
      $0.market = TicketMarket(lot: decimal(step), tick: decimal("0.01"))
      $0.market?.maximumQuantity = maximum.map(decimal)
    }
    run.perform(.type(.quantity, from))
    run.perform(.step(.quantity, count))
    let expected = to ?? from
    // Beyond the scales that fit there is no step; the typed text stays.
    #expect(run.ticket.draft.quantity == (from.count == 20 ? from : expected))
  }
}
