// How many topics all pages of one visitor may have open together, and what happens to the rest.

import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct TopicServerVisitorsTests {
  private let start = ClockReading(milliseconds: 1000)
  private let visitor = Visitor(address: "192.0.2.1", isViewer: true)

  private func page(_ number: Int) -> PageID { PageID(number: number) }

  /// Opens topics of a page, and returns the messages sent for them.
  private func open(
    _ range: Range<Int>, on page: PageID, _ server: inout TopicServer, key: String = "open"
  ) -> [String] {
    var sent: [String] = []
    var numbers = Array(range)
    while !numbers.isEmpty {
      let names = numbers.prefix(64).map { "\"plain/\($0)\"" }.joined(separator: ",")
      numbers.removeFirst(min(64, numbers.count))
      let effects = server.receive(Array(#"{"\#(key)":[\#(names)]}"#.utf8), from: page, at: start)
      sent += text(effects)
    }
    return sent
  }

  private func text(_ effects: [TopicEffect]) -> [String] {
    effects.compactMap { effect in
      guard case .send(_, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func `five pages of one visitor have no more open than its share`() {
    var server = TopicServer(catalogue: .scripted)
    for number in 1...5 {
      _ = server.connect(page(number), visitor: visitor, at: start)
      let first = (number - 1) * 128
      let sent = open(first..<first + 128, on: page(number), &server)
      #expect(sent.count { $0.contains("topic_waits") } == (number > 2 ? 128 : 0))
    }
    #expect(server.slots.count == TopicServer.maximumTopicsPerVisitor)
    // Waiting is not an error: no page is closed for it.
    #expect(server.pages.values.allSatisfy { $0.errors == 0 })
    // A topic that another page has open takes no additional place.
    #expect(open(0..<1, on: page(3), &server, key: "close").isEmpty)
    _ = server.connect(page(6), visitor: visitor, at: start)
    #expect(open(0..<128, on: page(6), &server).isEmpty)
    // Another visitor, and one with another token at the same address, are not affected.
    for (number, other) in [
      (7, Visitor(address: "192.0.2.2", isViewer: true)),
      (8, Visitor(address: "192.0.2.1", isViewer: false)),
    ] {
      _ = server.connect(page(number), visitor: other, at: start)
      #expect(open(1000..<1001, on: page(number), &server).isEmpty)
    }
  }

  @Test func `topics that wait open when others close, and leave with their page`() {
    var server = TopicServer(catalogue: .scripted)
    for number in 1...4 { _ = server.connect(page(number), visitor: visitor, at: start) }
    _ = open(0..<128, on: page(1), &server)
    _ = open(128..<256, on: page(2), &server)
    _ = open(256..<300, on: page(3), &server)
    _ = open(300..<310, on: page(4), &server)
    #expect(server.pages[page(3)]?.topics.isEmpty == true)
    _ = open(256..<258, on: page(3), &server, key: "close")
    _ = server.disconnect(page(4), at: start)
    _ = open(0..<10, on: page(1), &server, key: "close")
    #expect(server.pages[page(3)]?.topics.count == 10)
    #expect(server.pages[page(3)]?.topics["plain/258"] != nil, "the oldest that still waits")
    _ = server.disconnect(page(1), at: start)
    #expect(server.pages[page(3)]?.topics.count == 42)
    #expect(server.slots.count == 128 + 42)
    for number in 2...3 { _ = server.disconnect(page(number), at: start) }
    #expect(server.slots.isEmpty && server.visitors.isEmpty)
  }

  @Test func `closing or disconnecting frees the queue's places`() {
    var server = TopicServer(catalogue: .scripted)
    for number in 1...3 { _ = server.connect(page(number), visitor: visitor, at: start) }
    _ = open(0..<128, on: page(1), &server)
    _ = open(128..<256, on: page(2), &server)
    for _ in 0..<10 {
      _ = open(256..<384, on: page(3), &server)
      #expect(server.visitors[visitor]?.waiting.count == 128)
      _ = open(256..<300, on: page(3), &server, key: "close")
      #expect(server.visitors[visitor]?.waiting.count == 84)
      _ = server.disconnect(page(3), at: start)
      #expect(server.visitors[visitor]?.waiting.isEmpty == true)
      _ = server.connect(page(3), visitor: visitor, at: start)
    }
  }

  @Test func `topics that wait count for their page's own bound`() {
    var server = TopicServer(catalogue: .scripted)
    for number in 1...3 { _ = server.connect(page(number), visitor: visitor, at: start) }
    _ = open(0..<128, on: page(1), &server)
    _ = open(128..<256, on: page(2), &server)
    let sent = open(256..<400, on: page(3), &server)
    #expect(sent.count { $0.contains("topic_waits") } == 128)
    #expect(sent.count { $0.contains("too_many_topics") } == 16)
  }
}
