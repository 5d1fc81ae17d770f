// Faults on demand at the topic server: pages' requests, and which pages receive the result.

import MarketModel
import SimulatorServer
import Testing

@testable import LivetapeServer

@Suite struct TopicServerFaultsTests {
  private let page = PageID(number: 1)
  private let start = ClockReading(milliseconds: 1000)

  private func server() -> TopicServer {
    var server = TopicServer(catalogue: .screens(origin: .simulated))
    _ = server.connect(page, at: start)
    return server
  }

  private func texts(_ effects: [TopicEffect]) -> String {
    effects.compactMap { effect in
      guard case .send(_, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }.joined()
  }

  @Test func `a command goes to the simulated venues with the page that asked`() {
    var server = server()
    func effects(_ text: String) -> [TopicEffect] {
      server.receive(Array(text.utf8), from: page, at: start)
    }
    #expect(
      effects(#"{"do":"fault.inject","venue":"kraken","faults":"drop=2% for 5s"}"#)
        == [.inject(page, .inject(venue: "kraken", spec: "drop=2% for 5s"))])
    #expect(
      effects(#"{"do":"fault.clear","venue":"kraken"}"#)
        == [.inject(page, .clear(venue: "kraken"))])
  }

  @Test(arguments: [
    #"{"do":"fault.inject","venue":"kraken"}"#, #"{"do":"fault.inject","faults":"cut"}"#,
    #"{"do":"fault.clear"}"#, #"{"do":"fault.clear","venue":"kraken","faults":"cut"}"#,
    #"{"do":"fault.clear","venue":"kraken","id":"1"}"#,
    #"{"do":"fault.clear","venue":"kraken","list":"stars"}"#,
    #"{"do":"fault.clear","venue":"kraken","price":"1"}"#,
    #"{"do":"feed.start","faults":"cut"}"#, #"{"do":"fault.inject","venue":"kraken","faults":1}"#,
    #"{"do":"fault.inject","venue":"kraken","faults":"cut","faults":"cut"}"#,
    #"{"do":"fault.inject","venue":"kraken","faults":"\#(String(repeating: "x", count: 513))"}"#,
  ])
  func `anything else is a bad message`(text: String) {
    var server = server()
    #expect(texts(server.receive(Array(text.utf8), from: page, at: start)).contains("bad_message"))
  }

  @Test func `all pages that look see what goes wrong, and until when`() {
    var server = server()
    _ = server.publish(FaultsState(order: [.kraken], running: [:]), as: .faults, at: start)
    _ = server.receive(Array(#"{"open":["faults"]}"#.utf8), from: page, at: start)
    let first = texts(server.frames(at: start))
    #expect(first.contains(#""snapshot":{"order":["kraken"],"venues":{"kraken":{"kinds":["drop","#))
    #expect(first.contains(#""checksum","#) && first.contains(#""running":[]}}}"#))
    let end = Timestamp(milliseconds: 6000)
    let running = [CurrentFault("stall for 5s", end: end), CurrentFault("gap=5", end: nil)]
    _ = server.publish(
      FaultsState(order: [.kraken], running: [.kraken: running]), as: .faults, at: start)
    let news = texts(server.frames(at: ClockReading(milliseconds: 2000)))
    let expected = #""running":[{"fault":"stall for 5s","until":6000},{"fault":"gap=5"}]"#
    #expect(news.contains(expected))
  }
}
