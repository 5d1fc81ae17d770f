// Pages' list requests, and every malformed one.

import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct ListCommandTests {
  private let bitcoin = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))

  @Test func `each change of a list has its action`() {
    let contract = InstrumentKey(.bitmex, Symbol(known: "XBTUSD"))
    #expect(
      parse(
        #"{"do":"list.add","list":"stars","member":"kraken/BTC/USD","before":"bitmex/XBTUSD"}"#)
        == .success(.lists(.add(list: "stars", bitcoin, before: contract))))
    #expect(
      parse(#"{"do":"list.add","list":"stars","member":"kraken/BTC/USD"}"#)
        == .success(.lists(.add(list: "stars", bitcoin, before: nil))))
    #expect(
      parse(#"{"member":"kraken/BTC/USD","list":"stars","do":"list.remove"}"#)
        == .success(.lists(.remove(list: "stars", bitcoin))))
    #expect(
      parse(#"{"do":"list.create","name":"Layer 1"}"#)
        == .success(.lists(.create(name: "Layer 1"))))
    #expect(
      parse(#"{"do":"list.rename","list":"list-1","name":"L1"}"#)
        == .success(.lists(.rename(list: "list-1", name: "L1"))))
    #expect(
      parse(#"{"do":"list.delete","list":"list-1"}"#)
        == .success(.lists(.delete(list: "list-1"))))
  }

  @Test(arguments: [
    #"{"do":"list.add"}"#, #"{"do":"list.add","list":"stars"}"#,
    #"{"do":"list.add","member":"kraken/BTC/USD"}"#,
    #"{"do":"list.add","list":"stars","member":"nobody/BTC/USD"}"#,
    #"{"do":"list.add","list":"stars","member":"kraken/BTC USD"}"#,
    #"{"do":"list.add","list":"stars","member":"kraken/BTC/USD","before":""}"#,
    #"{"do":"list.add","list":"stars","member":"kraken/BTC/USD","name":"A"}"#,
    #"{"do":"list.add","list":"stars","list":"stars","member":"kraken/BTC/USD"}"#,
    #"{"do":"list.add","list":7,"member":"kraken/BTC/USD"}"#,
    #"{"do":"list.remove","list":"stars","member":"kraken/BTC/USD","before":"isin/A"}"#,
    #"{"do":"list.remove","list":"stars"}"#, #"{"do":"list.create"}"#,
    #"{"do":"list.create","name":null}"#, #"{"do":"list.create","name":"A","list":"stars"}"#,
    #"{"do":"list.create","name":"A","id":"1"}"#, #"{"do":"list.create","name":"A","venue":"x"}"#,
    #"{"do":"list.create","name":"A","order":{}}"#, #"{"do":"list.rename","list":"list-1"}"#,
    #"{"do":"list.delete","list":"list-1","name":"A"}"#, #"{"do":"list.delete"}"#,
    #"{"do":"feed.start","list":"stars"}"#, #"{"do":"order.cancel","id":"1","name":"A"}"#,
    #"{"do":"list.create","name":"\#(String(repeating: "n", count: 641))"}"#,
  ])
  func `anything else is a bad message`(_ text: String) {
    guard case .failure(let error) = parse(text) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error.code == "bad_message")
  }
}
