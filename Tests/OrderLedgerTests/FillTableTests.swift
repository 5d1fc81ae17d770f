import MarketModel
import Testing

@testable import OrderLedger
@testable import PaperTrading

@Suite struct FillTableTests {
  private let stock = TradingRules(oneStock: Symbol(known: "TROAD"))

  private func request(
    _ name: String, _ symbol: Symbol, _ side: Side, _ quantity: Int64
  ) throws -> OrderRequest {
    OrderRequest(
      clientIdentifier: try #require(ClientOrderIdentifier(name)), symbol: symbol, side: side,
      kind: .market, quantity: Quantity(units: quantity))
  }

  private func history(_ symbol: String) throws -> OrderHistory {
    let market = try #require(Symbol(symbol))
    let rules = try #require(
      TradingRules(
        symbol: market, priceScale: Scale(clamping: 1), tick: Price(units: 1),
        maximumPrice: Price(units: 1_000_000), quantityScale: Scale(clamping: 4),
        lot: Quantity(units: 1), maximumQuantity: Quantity(units: 1_000_000), currency: "USD"))
    func fill(_ quantity: Int64, _ price: Int64, _ fee: FillFee? = nil) -> OrderFill {
      OrderFill(
        quantity: Quantity(units: quantity), price: Price(units: price),
        offered: Quantity(units: quantity), tickNumber: 1, venueTime: 1, fee: fee)
    }
    let (first, second) = (OrderIdentifier(number: 1), OrderIdentifier(number: 2))
    let changes: [(Int64, OrderEvent.Change)] = [
      (0, .listed(rules)),
      (
        0,
        .accepted(
          Placement(
            identifier: first, request: try request("a", market, .buy, 15_000), arrival: nil))
      ),
      (0, .filled(first, fill(10_000, 1_001, FillFee(isMaker: false, amount: 35_035)))),
      (
        1,
        .accepted(
          Placement(
            identifier: second, request: try request("b", stock.symbol, .sell, 3), arrival: nil))
      ),
      (1, .filled(second, fill(3, 45_100_000))),
      (1, .filled(first, fill(5_000, 1_002, FillFee(isMaker: true, amount: -10_020)))),
    ]
    return try OrderHistory(
      replaying: changes.enumerated().map { index, change in
        OrderEvent(
          sequence: UInt64(index) + 1, time: Timestamp(milliseconds: 1_790_000_000_000 + change.0),
          change: change.1)
      })
  }

  @Test func `fills are lines with exact decimals, the newest first, also of one moment`() throws {
    let text = FillTable(Genesis(stock), of: try history("kraken:BTC/USD")).text
    #expect(
      text
        == """
        time,market,order,side,quantity,price,fee,role\r
        2026-09-21T14:13:20.001Z,kraken:BTC/USD,1,buy,0.5,100.2,-0.1002,maker\r
        2026-09-21T14:13:20.001Z,TROAD,2,sell,3,45.1,,\r
        2026-09-21T14:13:20.000Z,kraken:BTC/USD,1,buy,1,100.1,0.35035,taker\r

        """)
  }

  @Test func `no spreadsheet takes a name for a formula, and quotes are doubled`() throws {
    for (text, cell) in [
      ("=1+1", "'=1+1"), ("+A1", "'+A1"), ("-A1", "'-A1"), ("@SUM(A1)", "'@SUM(A1)"),
      ("\t=1", "'\t=1"), ("=A,B", "\"'=A,B\""), ("A;=1+1", "\"A;=1+1\""),
      ("a\"b", "\"a\"\"b\""), ("a\r\nb", "\"a\r\nb\""), ("AAPL", "AAPL"), ("", ""), ("a=b", "a=b"),
      ("=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"), ("BRK,A", "\"BRK,A\""),
    ] {
      #expect(CSV.cell(text) == cell)
    }
    let text = FillTable(Genesis(stock), of: try history("=SUM(A1,1)")).text
    #expect(text.contains(",\"'=SUM(A1,1)\",1,buy,0.5,"))
  }

  @Test func `an empty ledger is a header`() {
    #expect(
      FillTable(Genesis(stock), of: OrderHistory()).text
        == "time,market,order,side,quantity,price,fee,role\r\n")
  }
}
