// Pages' alert requests, and every malformed one.

import FeedConnections
import MarketModel
import PriceAlerts
import Testing

@testable import LivetapeServer

private let tooLong = String(repeating: "1", count: 97)

@Suite struct AlertRequestTests {
  @Test func `each change of an alert has its action`() {
    let bitcoin = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
    #expect(
      parse(#"{"do":"alert.add","market":"kraken/BTC/USD","price":"64000.5","again":true}"#)
        == .success(
          .alerts(.add(bitcoin, .price("64000.5"), repeats: true, cooldownSeconds: 60))))
    #expect(
      parse(#"{"do":"alert.edit","id":"7","price":"64100","again":true,"pause":300}"#)
        == .success(.alerts(.edit(7, .price("64100"), repeats: true, cooldownSeconds: 300))))
    #expect(
      parse(
        #"{"do":"alert.add","market":"kraken/BTC/USD","kind":"change","level":"-5","window":900,"#
          + #""again":false}"#)
        == .success(
          .alerts(
            .add(
              bitcoin, AlertTerms(.change, level: "-5", seconds: 900), repeats: false,
              cooldownSeconds: 60))))
    #expect(
      parse(#"{"do":"alert.edit","id":"7","kind":"book","window":5,"again":false}"#)
        == .success(
          .alerts(.edit(7, AlertTerms(.book, seconds: 5), repeats: false, cooldownSeconds: 60))))
    #expect(parse(#"{"do":"alert.remove","id":"7"}"#) == .success(.alerts(.remove(7))))
    #expect(parse(#"{"id":"7","do":"alert.arm"}"#) == .success(.alerts(.arm(7))))
  }

  @Test(arguments: [
    #"{"do":"alert.add"}"#, #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1"}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","again":true}"#,
    #"{"do":"alert.add","price":"1","again":true}"#,
    #"{"do":"alert.add","market":"nobody/BTC","price":"1","again":true}"#,
    #"{"do":"alert.add","market":"kraken","price":"1","again":true}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":1,"again":true}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1","again":1}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1","again":null}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1","again":true,"again":true}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1","again":true,"id":"1"}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1","again":true,"venue":"x"}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1","again":true,"list":"stars"}"#,
    #"{"do":"alert.add","market":"kraken/BTC/USD","price":"1","again":true,"order":{}}"#,
    #"{"do":"alert.add","again":true,"market":"kraken/BTC/USD","price":"\#(tooLong)"}"#,
    #"{"do":"alert.edit","id":"7","price":"64100"}"#, #"{"do":"alert.edit","id":"7","again":true}"#,
    #"{"do":"alert.edit","price":"64100","again":true}"#,
    #"{"do":"alert.edit","id":"-7","price":"64100","again":true}"#,
    #"{"do":"alert.edit","id":"7","price":"1","again":true,"market":"kraken/BTC/USD"}"#,
    #"{"do":"alert.edit","id":"7","price":"1","again":true,"pause":-1}"#,
    #"{"do":"alert.edit","id":"7","price":"1","again":true,"pause":86401}"#,
    #"{"do":"alert.edit","id":"7","price":"1","again":true,"pause":"60"}"#,
    #"{"do":"alert.edit","id":"7","kind":"price","level":"1","again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"price","price":"1","window":60,"again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"spread","price":"1","again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"spread","level":"1","window":60,"again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"volume","level":"1","again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"volume","window":60,"again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"volume","level":1,"window":60,"again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"volume","level":"1","window":"60","again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"book","level":"1","window":5,"again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":"moon","level":"1","again":true}"#,
    #"{"do":"alert.edit","id":"7","kind":1,"price":"1","again":true}"#,
    #"{"do":"alert.arm","id":"7","window":60}"#,
    #"{"do":"alert.arm","id":"7","pause":60}"#,
    #"{"do":"alert.remove"}"#, #"{"do":"alert.remove","id":""}"#,
    #"{"do":"alert.remove","id":"+1"}"#, #"{"do":"alert.remove","id":"-1"}"#,
    #"{"do":"alert.remove","id":"1.5"}"#, #"{"do":"alert.remove","id":7}"#,
    #"{"do":"alert.remove","id":"99999999999999999999"}"#,
    #"{"do":"alert.arm","id":"1","price":"1"}"#, #"{"do":"alert.arm","id":"1","venue":"kraken"}"#,
    #"{"do":"feed.start","again":true}"#, #"{"do":"list.create","name":"A","price":"1"}"#,
    #"{"do":"order.cancel","id":"1","market":"kraken/BTC/USD"}"#, #"{"market":"kraken/BTC/USD"}"#,
  ])
  func `anything else is a bad message`(_ text: String) {
    guard case .failure(let error) = parse(text) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error.code == "bad_message")
  }
}
