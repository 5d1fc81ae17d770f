// Requests to venues and their responses read back as written, and anything else is rejected.

import MarketModel
import NIOCore
import Testing
import VenueProtocols

@testable import VenueTape

@Suite struct QuestionRecordTests {
  static let questions: [VenueQuestion] = [
    .history(.names(.currencies), name: ""), .history(.names(.tokens), name: ""),
    .history(.condition, name: ""), .history(.candles(.minute), name: "XBTUSD=XXBTZUSD"),
    .history(.candles(.day), name: "AAPLxUSD@token"),
    .history(.trades(after: HistoryCursor("1700000000000000000")), name: "XBTUSD"),
    .history(.tradesBefore(nil), name: "BTC-USDT"),
    .history(.tradesBefore(734_864_333), name: "BTC-USDT"), .tickers,
    .product(Symbol(known: "sb26493")),
  ]

  @Test func `a question is read as it was written`() throws {
    for question in QuestionRecordTests.questions {
      for isPatient in [false, true] {
        for rest in [nil, AnswerPlace(epoch: .max, number: .max, offset: 16 << 20)] {
          let asked = AskedQuestion(question, isPatient: isPatient, rest: rest)
          #expect(try #require(AskedQuestion(asked.bytes)) == asked)
        }
      }
    }
  }

  @Test(arguments: [
    "", "\t", "h 0 0 0", "h 0 0 0\t", "x 0 0 0\ttickers", "h 0 0\ttickers", "h 0 0 0 0\ttickers",
    "h 1 0 0\ttickers", "h 0 1 5\ttickers", "h 1 1 0\ttickers", "h 1 1 -5\ttickers",
    "h 1 1 16777217\ttickers", "h 1 1 18446744073709551616\ttickers", "h 0 0 0\ttickers x",
    "h 0 0 0\tnames", "h 0 0 0\tnames all", "h 0 0 0\tcondition x", "h 0 0 0\tcandles 60000",
    "h 0 0 0\tcandles 60001 XBTUSD", "h 0 0 0\tcandles -1 XBTUSD", "h 0 0 0\ttrades 1",
    "h 0 0 0\ttrades 1 XBTUSD more", "h 0 0 0\tproduct", "h 0 0 0\tproduct a b",
    "h 0 0 0\tproduct \u{0}", "h 0 0 0\tproduct a\"b", "h 0 0 0\thttp://127.0.0.1/",
    "h 0 0 0\t/0/public/OHLC?pair=XBTUSD", "h 0 0 0\tGET /", "h 0 0 0\tcandles 60000  XBTUSD",
    "h 0 0 0\ttickers\n", "h 0 0 0\ttrades-before 1", "h 0 0 0\ttrades-before 0 BTC-USDT",
    "h 0 0 0\ttrades-before -1 BTC-USDT", "h 0 0 0\ttrades-before x BTC-USDT",
  ])
  func `what is no question is refused`(text: String) {
    #expect(AskedQuestion(ByteBuffer(string: text)) == nil)
  }

  @Test func `a question that is too long is refused`() {
    let name = String(repeating: "A", count: 81)
    #expect(AskedQuestion(ByteBuffer(string: "h 0 0 0\tcandles 60000 \(name)")) == nil)
    let spaces = String(repeating: " ", count: 600)
    #expect(AskedQuestion(ByteBuffer(string: "h 0 0 0\ttickers\(spaces)")) == nil)
  }

  @Test(arguments: [
    "XBTUSD&x=http://127.0.0.1", "../../Assets", "XBTUSD#", "XBTUSD%0d%0aHost:x", "XBTUSD?a=b",
    "@127.0.0.1", "XBT/USD",
  ])
  func `no name leads to another place of the venue than its question's`(name: String) throws {
    let text = "h 0 0 0\tcandles 60000 \(name)"
    for venue in [Venue.kraken, .bitmex] {
      let question = AskedQuestion(ByteBuffer(string: text))?.question
      #expect(question.flatMap { venue.adapter.path(of: $0) } == nil)
    }
    let product = try #require(AskedQuestion(ByteBuffer(string: "h 0 0 0\tproduct \(name)")))
    let path = try #require(Venue.bux.adapter.path(of: product.question))
    let last = path.dropFirst("/core/23/products/".count)
    #expect(path.hasPrefix("/core/23/products/"))
    #expect(!last.contains { "/?#&@:.".contains($0) }, "\(path)")
  }

  @Test func `a venue is asked only what it is asked in its own process`() {
    for question in QuestionRecordTests.questions {
      for venue in [Venue.isin, .echo, .exchange] {
        #expect(venue.adapter.path(of: question) == nil, "\(venue)")
      }
    }
    #expect(Venue.bitmex.adapter.path(of: .tickers) == nil)
    #expect(Venue.kraken.adapter.path(of: .product(Symbol(known: "a"))) == nil)
    #expect(Venue.bux.adapter.path(of: .tickers) == nil)
  }

  @Test func `an answer is read as it was written`() throws {
    let part = AnswerPart(
      status: 999, origin: .custom, age: AnswerRecord.maximumAge,
      offset: AnswerRecord.maximumBytes - 4,
      total: AnswerRecord.maximumBytes, bytes: ByteBuffer(string: "\t a\n"))
    let contents: [AnswerRecord.Content] = [
      .wait, .busy, .gone, .refused, .failed(""), .failed("Kraken did not respond in time."),
      .part(part),
      .part(
        AnswerPart(status: 200, origin: .custom, age: 0, offset: 0, total: 0, bytes: ByteBuffer())),
    ]
    for content in contents {
      let record = AnswerRecord(epoch: .max, number: .max, content)
      #expect(try #require(AnswerRecord(record.bytes)) == record)
    }
    let header = AnswerRecord(epoch: .max, number: .max, .part(part)).bytes.readableBytes - 4
    #expect(header <= AnswerRecord.maximumHeaderBytes)
  }

  @Test func `a failure reason is sanitised when written and when read`() throws {
    let record = AnswerRecord(epoch: 1, .failed("one\ntwo\u{202e}"))
    #expect(try #require(AnswerRecord(record.bytes)).content == .failed("one two"))
    let sent = #"1 0 f\#("\t")["one\n{0}","two\u202e"]"#
    let raw = try #require(AnswerRecord(ByteBuffer(string: sent)))
    #expect(raw.content == .failed("one two"))
    let long = String(repeating: "x", count: 2000)
    #expect(AnswerRecord(ByteBuffer(string: "1 0 f\t\"\(long)\"")) == nil)
    #expect(AnswerRecord(ByteBuffer(string: "1 0 f\tone")) == nil)
  }

  @Test(arguments: [
    "", "\t", "1 1 w", "1 1 x\t", "1 1 ww\t", "1 w\t", "1 1 w\tmore", "-1 1 w\t", "1 1 w 2\t",
    "1 1 p\t", "1 1 p 200 0 0 1\ta", "1 1 p 200 nowhere 0 0 1\ta", "1 1 p 200  0 0 1\ta",
    "1 1 p 200 venue 0 0\t", "1 1 p 200 venue 0 0 1 1\t", "1 1 p 99 venue 0 0 1\ta",
    "1 1 p 1000 venue 0 0 1\ta", "1 1 p 200 venue 3600001 0 1\ta", "1 1 p 200 venue -1 0 1\ta",
    "1 1 p 200 venue 0 2 1\t", "1 1 p 200 venue 0 0 1\tab", "1 1 p 200 venue 0 1 1\ta",
    "1 1 p 200 venue 0 0 16777217\ta", "1 1 p 200 venue 0 0 99999999999999999999\ta",
    "1 1 w 200 0 0 1\t",
  ])
  func `what is no answer is refused`(text: String) {
    #expect(AnswerRecord(ByteBuffer(string: text)) == nil)
  }
}
