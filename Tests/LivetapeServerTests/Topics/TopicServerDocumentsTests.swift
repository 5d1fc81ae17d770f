// States too large for one message: pages that fetch them receive a name, and every message stays
// small.

import AppState
import MarketModel
import MarketStreams
import Testing
import WireJSON

@testable import LivetapeServer

/// A screen with as many rows as its price, as large as a listing.
private struct LongScreen: TopicScreen {
  let key: MarketKey
  var count = 1000
  let isLasting = true

  var interests: Set<StreamInterest> { [.values(key)] }
  var beginning: PageValue? { page(count: min(2, count)) }
  var page: PageValue { page(count: count) }

  private func page(count: Int) -> PageValue {
    var object = PageObject()
    let fields = (0..<count).map { number in
      PageField(
        key: "row\(number)", value: .leaf(Array(#""number \#(number) of \#(self.count)""#.utf8)))
    }
    object.set("rows", .object(fields))
    object.set("count", integer: Int64(self.count))
    return object.value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .value(_, .quote(let quote)) = input, let price = quote.price {
      count = Int(price.units)
    }
    return []
  }

  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect] { [] }
}

@Suite struct TopicServerDocumentsTests {
  private let page = PageID(number: 1)
  private let symbol = Symbol(known: "X")
  private var key: MarketKey { MarketKey(.isin, .quote, symbol) }

  private func reading(_ seconds: Int64) -> ClockReading {
    ClockReading(milliseconds: 1000 * seconds)
  }

  private func server(fetches: Bool, topics: String = #""long""#) -> TopicServer {
    let key = key
    var server = TopicServer(
      catalogue: TopicCatalogue { name in
        name.hasPrefix("long") ? LongScreen(key: key, count: name == "long" ? 1000 : 150) : nil
      })
    _ = server.connect(page, at: reading(1))
    if fetches {
      _ = server.receive(Array(#"{"documents":true}"#.utf8), from: page, at: reading(1))
    }
    _ = server.receive(Array(#"{"open":[\#(topics)]}"#.utf8), from: page, at: reading(1))
    return server
  }

  private func messages(_ server: inout TopicServer, at seconds: Int64, count: Int? = nil)
    -> [String]
  {
    let value = MarketValue.quote(
      QuoteView(
        symbol: symbol, price: count.map { FixedDecimal(units: Int64($0), scale: .whole) },
        freshness: .waiting(.simulated)))
    if count != nil { _ = server.changed(key, at: reading(seconds)) }
    return server.frame(at: reading(seconds)) { _ in count == nil ? nil : value }.compactMap {
      guard case .send(_, let bytes) = $0 else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func name(in message: String) throws -> String {
    let rest = try #require(message.firstRange(of: #""document":""#)).upperBound
    return String(message[rest...].prefix { $0 != "\"" })
  }

  @Test func `a page that fetches is sent a name and the beginning`() throws {
    var server = server(fetches: true)
    let sent = messages(&server, at: 2)
    #expect(sent.count == 1 && sent[0].utf8.count < 1000)
    #expect(sent[0].contains(#""row1""#) && !sent[0].contains(#""row2""#))
    let document = try #require(server.documents[try name(in: sent[0])])
    #expect(document.isLasting)
    #expect(
      String(decoding: document.json, as: UTF8.self).contains(#""row999":"number 999 of 1000""#))
  }

  @Test func `a page that does not fetch is sent the whole state`() {
    var server = server(fetches: false)
    let sent = messages(&server, at: 2)
    #expect(sent.count == 1 && sent[0].contains(#""snapshot""#) && sent[0].contains(#""row999""#))
  }

  @Test func `after a document come patches of it, and another document for a large one`() throws {
    var server = server(fetches: true)
    let first = try name(in: try #require(messages(&server, at: 2).first))
    // One row fewer changes the text of all rows.
    let second = try #require(messages(&server, at: 3, count: 999).first)
    let next = try name(in: second)
    #expect(second.contains(#""seq":1"#) && next != first)
    let third = try #require(messages(&server, at: 4, count: 10).first)
    #expect(third.contains(#""seq":2,"patch""#), "a small change comes as a patch")
  }

  @Test func `the same state has the same name, for every page and after a restart`() throws {
    var one = server(fetches: true)
    var two = server(fetches: true)
    let names = try [
      name(in: try #require(messages(&one, at: 2).first)),
      name(in: try #require(messages(&two, at: 9).first)),
    ]
    #expect(names[0] == names[1])
  }

  @Test func `topics that are large together come in several messages`() {
    let names = (0..<20).map { #""long\#($0)""# }.joined(separator: ",")
    var server = server(fetches: true, topics: names)
    let sent = messages(&server, at: 2)
    #expect(sent.count > 1)
    #expect(sent.allSatisfy { $0.utf8.count <= TopicDocuments.maximumMessageBytes + 256 })
    #expect(
      (0..<20).allSatisfy { number in sent.contains { $0.contains(#""topic":"long\#(number)""#) } })
    #expect(sent[0].contains(#""frame":1"#) && sent[1].contains(#""frame":2"#))
  }

  @Test func `documents are bounded in number and bytes, the oldest go first`() {
    var documents = TopicDocuments()
    let first = documents.keep([0], isLasting: false)
    for number in 0..<TopicDocuments.maximumCount {
      _ = documents.keep(Array("\(number)".utf8), isLasting: false)
    }
    #expect(documents[first] == nil)
    let large = [UInt8](repeating: 1, count: TopicDocuments.maximumBytes)
    let name = documents.keep(large, isLasting: false)
    #expect(documents[name]?.json.count == large.count)
    let last = documents.keep([7], isLasting: false)
    #expect(documents[last] != nil && documents[name] == nil)
  }

  @Test(arguments: [
    #"{"documents":false}"#, #"{"documents":1}"#, #"{"documents":true,"open":["long"]}"#,
  ])
  func `another word about documents is a bad message`(_ message: String) {
    var server = server(fetches: false)
    let effects = server.receive(Array(message.utf8), from: page, at: reading(2))
    guard case .send(_, let bytes)? = effects.first else {
      Issue.record("no answer")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains("bad_message"))
  }
}
