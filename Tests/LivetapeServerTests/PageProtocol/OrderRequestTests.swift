// Pages' order requests, and every malformed one.

import MarketModel
import OrderService
import PaperTrading
import Testing

@testable import LivetapeServer

@Suite struct OrderRequestTests {
  private func ticket(
    _ side: Side, _ kind: OrderTicket.Kind, _ quantity: String, named name: String = "a-1"
  ) throws -> OrderTicket {
    OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier(name)), side: side, kind: kind,
      quantity: quantity)
  }

  @Test func `an order is placed with what the user typed`() throws {
    let limit =
      #"{"do":"order.place","order":{"clientId":"a-1","type":"limit","side":"buy","#
      + #""quantity":" 1,00","price":"45.00"}}"#
    #expect(
      parse(limit)
        == .success(
          .orders(PageAsk(command: .place(try ticket(.buy, .limit(price: "45.00"), " 1,00"))))))
    let market =
      #"{"order":{"side":"sell","clientId":"a-1","type":"market","quantity":"7","price":""},"#
      + #""do":"order.place"}"#
    #expect(
      parse(market) == .success(.orders(PageAsk(command: .place(try ticket(.sell, .market, "7"))))))
  }

  @Test func `an order names its market by venue and symbol, or is for the exchange's stock`() {
    func instrument(_ text: String) -> Result<String, PageRequestError> {
      parse(
        #"{"do":"order.place","order":{"clientId":"a-1","type":"market","side":"buy","#
          + #""quantity":"7","instrument":""# + text + #""}}"#
      ).map { request in
        guard case .orders(let ask) = request, case .place(let ticket) = ask.command else {
          return "no order"
        }
        return ticket.instrument?.text ?? "stock"
      }
    }
    #expect(instrument("TROAD") == .success("stock"))
    #expect(instrument("kraken:BTC/USD") == .success("kraken:BTC/USD"))
    #expect(instrument("kraken/BTC/USD") == .success("kraken:BTC/USD"))
    #expect(instrument("okx:BTC-USDT") == .success("okx:BTC-USDT"))
    for text in [
      "", "BTC/USD", "kraken:", "kraken:B T", "nowhere:BTC/USD", "isin:US0378331005",
      "exchange:TROAD", "kraken:" + String(repeating: "A", count: 90) + "/USD",
    ] {
      guard case .failure = instrument(text) else {
        Issue.record("\(text) was accepted")
        continue
      }
    }
  }

  @Test func `a protection price and how long an order holds come as they were typed`() throws {
    func placed(_ members: String) -> Result<PageRequest, PageRequestError> {
      parse(
        #"{"do":"order.place","order":{"clientId":"a-1","side":"buy","quantity":"7","#
          + members + "}}")
    }
    func expected(_ kind: OrderTicket.Kind) throws -> Result<PageRequest, PageRequestError> {
      .success(.orders(PageAsk(command: .place(try ticket(.buy, kind, "7")))))
    }
    #expect(
      placed(#""type":"market","protection":" 45.2""#)
        == (try expected(.protectedMarket(protection: " 45.2"))))
    #expect(placed(#""type":"market","protection":"""#) == (try expected(.market)))
    #expect(
      placed(#""type":"limit","price":"45","timeInForce":"ioc""#)
        == (try expected(.limit(price: "45", .immediateOrCancel))))
    #expect(
      placed(#""type":"limit","price":"45","timeInForce":"fok""#)
        == (try expected(.limit(price: "45", .fillOrKill))))
    #expect(
      placed(#""type":"limit","price":"45","timeInForce":"gtc""#)
        == (try expected(.limit(price: "45"))))
  }

  @Test func `terms and a distance come with an order, and one trigger at most`() throws {
    func placed(_ members: String) -> OrderTicket? {
      let text =
        #"{"do":"order.place","order":{"clientId":"a-1","side":"sell","quantity":"7","#
        + #""type":"market","# + members + "}}"
      guard case .success(.orders(let ask)) = parse(text), case .place(let ticket) = ask.command
      else { return nil }
      return ticket
    }
    let terms = placed(#""postOnly":true,"reduceOnly":true,"expires":1790000000000"#)?.terms
    #expect(
      terms
        == OrderTerms(
          isPostOnly: true, isReduceOnly: true, expiry: Timestamp(milliseconds: 1_790_000_000_000)))
    #expect(placed(#""trail":"1.5""#)?.trigger == TriggerTicket(trailing: "1.5", in: .price))
    #expect(placed(#""trailPercent":"2""#)?.trigger == TriggerTicket(trailing: "2", in: .percent))
    for bad in [
      #""trail":"1.5","stop":"2""#, #""trail":"1","trailPercent":"1""#, #""postOnly":"yes""#,
      #""expires":-1"#, #""expires":9000000000001"#, #""trigger":"5""#,
    ] {
      #expect(placed(bad) == nil, "\(bad)")
    }
  }

  @Test func `an amendment names an order, itself and what changes`() throws {
    let name = try #require(ClientOrderIdentifier("a-1"))
    func expected(
      _ quantity: String?, _ price: String?, _ trigger: String? = nil
    ) -> Result<PageRequest, PageRequestError> {
      .success(
        .orders(
          PageAsk(
            command: .amend(
              AmendTicket(
                clientIdentifier: name, order: OrderIdentifier(number: 17), quantity: quantity,
                price: price, trigger: trigger)))))
    }
    #expect(
      parse(#"{"do":"order.amend","id":"17","order":{"clientId":"a-1","quantity":"6 "}}"#)
        == expected("6 ", nil))
    #expect(
      parse(
        #"{"do":"order.amend","id":"17","order":{"clientId":"a-1","quantity":"6","price":""}}"#)
        == expected("6", ""))
    #expect(
      parse(#"{"do":"order.amend","id":"17","order":{"clientId":"a-1","trigger":"95.5"}}"#)
        == expected(nil, nil, "95.5"))
  }

  @Test func `an empty field is the order service's business, not an error of the page`() throws {
    let empty = #"{"do":"order.place","order":{"clientId":"a-1","type":"limit","side":"buy"}}"#
    #expect(
      parse(empty)
        == .success(.orders(PageAsk(command: .place(try ticket(.buy, .limit(price: ""), ""))))))
  }

  @Test func `an order is cancelled by its id and previewed by the page's own number`() throws {
    #expect(
      parse(#"{"do":"order.cancel","id":"17"}"#)
        == .success(.orders(PageAsk(command: .cancel(OrderIdentifier(number: 17))))))
    #expect(
      parse(#"{"do":"orders.cancelAll","id":"17"}"#)
        == .success(.orders(PageAsk(command: .cancelAll(through: OrderIdentifier(number: 17))))))
    let preview =
      #"{"do":"order.preview","ask":4,"order":{"type":"market","side":"buy","quantity":"5"}}"#
    #expect(
      parse(preview)
        == .success(
          .orders(
            PageAsk(command: .preview(try ticket(.buy, .market, "5", named: "preview")), number: 4))
        ))
  }

  @Test(arguments: [
    #"{"do":"order.amend","id":"17"}"#,
    #"{"do":"order.amend","order":{"clientId":"a","quantity":"6"}}"#,
    #"{"do":"order.amend","id":"17","order":{"clientId":"a"}}"#,
    #"{"do":"order.amend","id":"17","order":{"quantity":"6"}}"#,
    #"{"do":"order.amend","id":"+17","order":{"clientId":"a","quantity":"6"}}"#,
    #"{"do":"order.amend","id":"17","order":{"clientId":"a","quantity":"6","side":"buy"}}"#,
    #"{"do":"order.amend","id":"17","ask":1,"order":{"clientId":"a","quantity":"6"}}"#,
    #"{"do":"order.place"}"#, #"{"do":"order.place","order":null}"#,
    #"{"do":"order.place","order":[]}"#, #"{"do":"order.place","order":{}}"#,
    #"{"do":"order.place","order":{"type":"market","side":"buy","quantity":"5"}}"#,
    #"{"do":"order.place","order":{"clientId":"","type":"market","side":"buy"}}"#,
    #"{"do":"order.place","order":{"clientId":"-2-3","type":"market","side":"buy"}}"#,
    #"{"do":"order.place","order":{"clientId":"a b","type":"market","side":"buy"}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"stop","side":"buy"}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"limit","side":"buy","protection":""}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"limit","side":"buy","timeInForce":"d"}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"buy","timeInForce":""}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"BUY"}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"buy","price":"45"}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"buy","quantity":5}}"#,
    #"{"do":"order.place","order":{"clientId":"a","clientId":"a","type":"market","side":"buy"}}"#,
    #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"buy","peg":"1"}}"#,
    #"{"do":"order.place","id":"1","order":{"clientId":"a","type":"market","side":"buy"}}"#,
    #"{"do":"order.cancel"}"#, #"{"do":"order.cancel","id":17}"#, #"{"do":"order.cancel","id":""}"#,
    #"{"do":"order.cancel","id":"-1"}"#, #"{"do":"order.cancel","id":"+1"}"#,
    #"{"do":"order.cancel","id":"1.0"}"#, #"{"do":"order.cancel","id":"99999999999999999999"}"#,
    #"{"do":"order.cancel","venue":"17"}"#, #"{"do":"orders.cancelAll"}"#,
    #"{"do":"orders.cancelAll","id":"+1"}"#,
    #"{"do":"order.preview","order":{"type":"market","side":"buy","quantity":"5"}}"#,
    #"{"do":"order.preview","ask":"4","order":{"type":"market","side":"buy"}}"#,
    #"{"do":"order.preview","ask":1e99,"order":{"type":"market","side":"buy"}}"#,
    #"{"do":"feed.stop","order":{"clientId":"a","type":"market","side":"buy"}}"#,
    #"{"do":"venue.retry","venue":"bitmex","id":"1"}"#,
  ])
  func `anything else is a bad message`(text: String) {
    guard case .failure(let error) = parse(text) else {
      Issue.record("accepted \(text)")
      return
    }
    #expect(error.code == "bad_message")
  }

  @Test func `a field that is too long is refused before anybody reads it as a number`() {
    let long = String(repeating: "9", count: OrderMembers.maximumBytes + 1)
    let text =
      #"{"do":"order.place","order":{"clientId":"a","type":"market","side":"buy","quantity":""#
      + long + #""}}"#
    #expect(throws: PageRequestError.self) { try parse(text).get() }
  }

  @Test func `every prefix and every flipped bit of a good order is survived`() {
    let good = Array(
      (#"{"do":"order.place","order":{"clientId":"a-1","type":"limit","side":"buy","#
        + #""quantity":"100","price":"45.00"}}"#).utf8)
    for length in 0..<good.count {
      let part = Array(good[..<length])
      #expect(throws: PageRequestError.self) { try PageRequest(part.span) }
    }
    for index in good.indices {
      for bit in 0..<8 {
        var bad = good
        bad[index] ^= UInt8(1 << bit)
        _ = try? PageRequest(bad.span)
      }
    }
  }
}
