// LT12: positions, their cost and their P&L, from the fills alone.

import MarketModel
@testable import PaperTrading
import Testing

@Suite struct `What is owned` {
  /// Trades at a price that is offered for it.
  private func trade(_ desk: inout Desk, _ side: Side, _ quantity: Int64, _ price: String) {
    let level = "\(price) x \(quantity)"
    desk.tick(bid: side == .sell ? level : "-", ask: side == .buy ? level : "-")
    desk.place(side, quantity)
  }

  private func account(_ desk: Desk) -> PositionAccount {
    desk.trader.history.account(of: Desk.stock)
  }

  /// "quantity | cash | average: unit cost, realised | FIFO: the same".
  private func line(_ desk: Desk) -> String {
    let account = account(desk)
    let methods = PositionAccount.Method.allCases.map { method in
      let cost = account.unitCost(by: method).map { desk.rules.text($0) } ?? "-"
      return "\(cost), \(account.realised(by: method).text(digits: 6))"
    }
    return "\(account.quantity.units) | \(account.cash.text(digits: 6)) | "
      + methods.joined(separator: " | ")
  }

  @Test func `both methods agree until lots of two prices are sold in part`() {
    var desk = Desk()
    #expect(line(desk) == "0 | 0 | -, 0 | -, 0")
    trade(&desk, .buy, 10, "45.00")
    trade(&desk, .buy, 30, "46.00")
    #expect(line(desk) == "40 | -1830 | 45.75, 0 | 45.75, 0")
    trade(&desk, .sell, 20, "47.00")
    #expect(line(desk) == "20 | -890 | 45.75, 25 | 46.00, 30")
    trade(&desk, .sell, 20, "47.00")
    #expect(line(desk) == "0 | 50 | -, 50 | -, 50")
  }

  @Test func `through nothing a long position becomes a short one`() {
    var desk = Desk()
    trade(&desk, .buy, 10, "45.00")
    trade(&desk, .sell, 15, "46.00")
    #expect(line(desk) == "-5 | 240 | 46.00, 10 | 46.00, 10")
    trade(&desk, .buy, 5, "47.00")
    #expect(line(desk) == "0 | 5 | -, 5 | -, 5")
  }

  @Test func `an unknown exit value is marked`() {
    var desk = Desk()
    func report() -> PositionReport { desk.trader.position(minutes: EquityLine()) }
    #expect(report().note == nil && report().equity == .zero)
    trade(&desk, .buy, 50, "45.10")
    #expect(report().exit == nil && report().equity == nil)
    #expect(report().note == "No bids: value unknown.")
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 30")
    #expect(
      report().note == "Only 17 of 50 can be sold in the visible book; the rest is valued at 45.01."
    )
    #expect(report().equity?.text(digits: 6) == "-4.5")
    desk.tick(bid: "45.01 x 50", ask: "45.10 x 30")
    #expect(report().exit?.uncovered == .zero && report().note == nil)
    let restarted = PaperTrader(rules: desk.rules, history: desk.trader.history)
    #expect(restarted.position(minutes: EquityLine()).account == account(desk))
    #expect(
      restarted.position(minutes: EquityLine()).note
        == "No price yet: value unknown.")
  }

  @Test func `a position is valued by the levels that would close it, and in the middle`() throws {
    var desk = MarketDesk()
    desk.fees = FeeRates(percent: "0.10/0.20")
    desk.book(bids: [(98, 10)], asks: [(100, 30)])
    desk.place(.buy, 20)
    desk.book(bids: [(98, 5), (97, 6), (95, 4)], asks: [(100, 30)])
    func report() -> PositionReport {
      desk.trader.position(of: MarketDesk.symbol, minutes: EquityLine())
    }
    let exit = try #require(report().exit)
    #expect(exit.levels.map(\.price.units) == [98, 97, 95])
    #expect(exit.levels.map(\.quantity.units) == [5, 6, 4] && exit.uncovered.units == 5)
    // The rest counts at 95.
    #expect(exit.value == WideInteger(5 * 98 + 6 * 97 + 9 * 95))
    #expect(
      desk.trader.rules(of: MarketDesk.symbol)?.decimal(exit.average) == FixedDecimal("96.35"))
    #expect(exit.middle == WideInteger(20 * 99))
    #expect(report().equity == report().account.cash + exit.value)
    #expect(report().note?.description.contains("Only 15 of 20") == true)
    desk.book(bids: [(98, 50)], asks: [(100, 30)])
    #expect(report().exit?.levels.map(\.quantity.units) == [20] && report().note == nil)
    // 1,960 at 0.2 %, rounded up.
    #expect(report().exit?.fee == WideInteger(4))
    desk.place(.sell, 50)
    desk.book(bids: [(98, 50)], asks: [(100, 30), (103, 30)])
    // Short 30: bought back at the asks.
    #expect(report().exit?.value == WideInteger(-30 * 100))
    desk.place(.buy, 30)
    #expect(report().exit == nil && report().value == .zero)
  }

  @Test(arguments: Array(UInt64(1)...30))
  func `realised and unrealised are cash and value, and FIFO matches a list`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var desk = Desk()
    var lots: [Int64] = []
    var (cash, realised) = (Int64(0), Int64(0))
    for step in 0..<150 {
      let side = random.below(2) == 0 ? Side.buy : .sell
      let (quantity, cents) = (1 + random.below(20), 4000 + random.below(1000))
      let price = "\(FixedDecimal(units: cents, scale: Scale(clamping: 2)))"
      trade(&desk, side, quantity, price)
      // One entry a share: positive for bought, negative for sold.
      for _ in 0..<quantity {
        let sign: Int64 = side == .buy ? 1 : -1
        cash -= sign * cents
        if let first = lots.first, first.signum() != sign {
          realised += (cents - first.magnitude.signed) * -sign
          lots.removeFirst()
        } else {
          lots.append(sign * cents)
        }
      }
      let account = account(desk)
      try #require(
        account.quantity.units == lots.reduce(0) { $0 + $1.signum() }, "seed \(seed), step \(step)")
      #expect(account.cash == WideInteger(cash, times: 10_000), "seed \(seed), step \(step)")
      #expect(
        account.realised(by: .fifo) == WideInteger(realised, times: 10_000),
        "seed \(seed), step \(step)")
      let mark = Price(units: random.below(90_000_000))
      for method in PositionAccount.Method.allCases {
        #expect(
          account.realised(by: method) + account.value(at: mark) - account.cost(by: method)
            == account.cash + account.value(at: mark), "seed \(seed), step \(step), \(method)")
      }
      if account.quantity == .zero {
        #expect(account.realised(by: .average) == account.cash, "seed \(seed), step \(step)")
      }
    }
    let replayed = try OrderHistory(replaying: desk.events)
    #expect(replayed.account(of: Desk.stock) == account(desk), "seed \(seed)")
    #expect(replayed == desk.trader.history, "seed \(seed)")
  }

  @Test func `a hostile fill makes no position, and no sum runs over`() {
    var account = PositionAccount()
    func fill(_ quantity: Int64, _ price: Int64) -> OrderFill {
      OrderFill(
        quantity: Quantity(units: quantity), price: Price(units: price),
        offered: Quantity(units: quantity), tickNumber: 1, venueTime: 1)
    }
    func take(_ fill: OrderFill, _ side: Side) -> Bool {
      account.take(fill, side: side, at: Timestamp(milliseconds: 0))
    }
    #expect(take(fill(0, 5), .buy) && !account.hasTraded)
    #expect(take(fill(5, -1), .sell) && !account.hasTraded)
    #expect(take(fill(.max, .max), .buy))
    let before = account
    #expect(!take(fill(1, 1), .buy) && account == before)
    #expect(take(fill(.max, 1), .sell))
    #expect(account.quantity == .zero && account.realised(by: .average) == account.cash)
  }

  @Test func `the equity line is bounded and keeps its ends`() {
    var line = EquityLine()
    for minute in 0..<10_000 {
      for second in [0, 30] {
        line.add(
          minute: EquityPoint(
            time: Timestamp(milliseconds: Int64(minute * 60 + second) * 1000),
            equity: WideInteger(Int64(minute)), kind: .minute))
      }
      #expect(line.points.count <= EquityLine.maximumPoints)
    }
    #expect(line.points.first?.equity == .zero && line.latest?.equity == WideInteger(9999))
    #expect(line.points.map(\.time) == line.points.map(\.time).sorted())
  }
}

@Suite struct `Numbers of 128 bits` {
  @Test func `products, sums and shares are those of plain numbers`() {
    var random = SplitMix64(seed: 7)
    for step in 0..<5000 {
      let (a, b) = (random.below(2_000_000) - 1_000_000, random.below(2_000_000) - 1_000_000)
      let whole = 1 + random.below(1000)
      let part = random.below(whole + 1)
      #expect(WideInteger(a, times: b).narrow == a * b, "seed 7, step \(step)")
      #expect((WideInteger(a) - WideInteger(b)).narrow == a - b, "seed 7, step \(step)")
      #expect((WideInteger(a) < WideInteger(b)) == (a < b), "seed 7, step \(step)")
      let share = WideInteger(a).share(part, of: whole)?.narrow ?? .max
      #expect(abs(share * whole - a * part) * 2 <= whole, "seed 7, step \(step)")
    }
  }

  @Test(arguments: [
    (WideInteger(0), 6, "0"), (WideInteger(-4_500_000), 6, "-4.5"), (WideInteger(7), 6, "0.000007"),
    (WideInteger(1_000_000), 6, "1"), (WideInteger(-12), 0, "-12"),
    (WideInteger(.max, times: .max), 0, "85070591730234615847396907784232501249"),
    (WideInteger(.min, times: .max), 0, "-85070591730234615856620279821087277056"),
  ])
  func `a number is written with all its digits`(value: WideInteger, digits: Int, text: String) {
    #expect(value.text(digits: digits) == text)
  }

  @Test func `halves go to the even neighbour`() {
    #expect(WideInteger(5).rounded(by: 2) == 2 && WideInteger(-7).rounded(by: 2) == -4)
    #expect(WideInteger(5).rounded(by: 0) == nil)
    #expect(WideInteger(.max, times: .max).rounded(by: 1) == nil)
    #expect(WideInteger(3).share(1, of: 2) == WideInteger(2))
    #expect(WideInteger(3).share(3, of: 2) == nil)
    #expect(WideInteger(-3).scaled(by: [5, 2], over: [4, 3]) == WideInteger(-2))
    #expect(WideInteger(7).scaled(by: [], over: [7, 2]) == .zero)
  }

  @Test func `a conversion is exact until its only rounding`() throws {
    var random = SplitMix64(seed: 11)
    for step in 0..<3000 {
      let amount = random.below(200_000) - 100_000
      let (price, divisor) = (1 + random.below(9_999), 1 + random.below(999))
      var sum = AmountSum()
      sum.add(WideInteger(amount), digits: 2)
      let converted = try #require(
        sum.converted(
          by: [FixedDecimal(units: price, scale: Scale(clamping: 2))],
          over: [FixedDecimal(units: divisor, scale: Scale(clamping: 1))],
          decimals: Scale(clamping: 8)))
      // amount / 100 × price / 100 ÷ (divisor / 10), in units of 8 decimals.
      let exact = amount * price * 100_000
      let (whole, rest) = exact.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
      let isUp = rest * 2 > divisor || rest * 2 == divisor && whole % 2 == 1
      var expected = AmountSum()
      expected.add(WideInteger(Int64(whole + (isUp ? 1 : 0)) * amount.signum()), digits: 8)
      #expect(converted.text == expected.text, "seed 11, step \(step)")
    }
  }

  @Test func `a conversion that is too large or has no positive price has no amount`() {
    var sum = AmountSum()
    sum.add(WideInteger(.max, times: .max), digits: 0)
    let (one, many) = (FixedDecimal(units: 1, scale: .whole), Scale(clamping: 18))
    let tiny = FixedDecimal(units: 1, scale: many)
    #expect(sum.converted(by: [one], over: [one], decimals: .whole)?.text == sum.text)
    #expect(
      sum.converted(by: [tiny, tiny], over: [tiny, tiny], decimals: .whole)?.text == sum.text)
    #expect(sum.converted(by: [one], over: [tiny], decimals: many) == nil)
    for units: Int64 in [0, -1, .min] {
      let price = FixedDecimal(units: units, scale: .whole)
      #expect(sum.converted(by: [price], over: [], decimals: .whole) == nil)
      #expect(sum.converted(by: [], over: [price], decimals: .whole) == nil)
    }
    sum.add(sum)
    sum.add(sum)
    #expect(sum.text == nil && sum.converted(by: [one], over: [], decimals: .whole) == nil)
  }
}

extension UInt64 {
  fileprivate var signed: Int64 { Int64(self) }
}
