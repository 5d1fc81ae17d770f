// Servers' requests to one venue: sent once for all, at the venue's pace, within bounds.

import FeedConnections
import MarketModel
import NIOCore
import Testing
import VenueProtocols

@testable import VenueTape

@Suite struct QuestionBoardTests {
  private static let minutes = VenueQuestion.history(.candles(.minute), name: "XBTUSD")
  private static let hours = VenueQuestion.history(.candles(.hour), name: "XBTUSD")

  private func board(_ venue: Venue = .kraken) -> QuestionBoard {
    var board = QuestionBoard(venue)
    board.begin(5)
    return board
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(milliseconds: milliseconds)
  }

  private func answer(_ text: String, status: Int = 200) -> Result<VenueAnswer, AskingFailure> {
    .success(VenueAnswer(status: status, origin: .custom, body: ByteBuffer(string: text)))
  }

  private func other(_ number: Int) -> VenueQuestion {
    .history(.candles(.minute), name: "A\(number)")
  }

  private func reply(
    _ to: String, _ text: String, age: Int64 = 0, number: UInt64 = 1
  ) -> QuestionBoard.Effect {
    let part = AnswerPart(
      status: 200, origin: .custom, age: age, offset: 0, total: text.utf8.count,
      bytes: ByteBuffer(string: text))
    return .reply(to: to, AnswerRecord(epoch: 5, number: number, .part(part)))
  }

  private func said(_ to: String, _ content: AnswerRecord.Content) -> QuestionBoard.Effect {
    .reply(to: to, AnswerRecord(epoch: 5, content))
  }

  @Test func `what several servers ask is asked once, and they all get it`() {
    var board = board()
    let first = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    #expect(first == [.fetch(Self.minutes, number: 1)])
    let second = board.take(AskedQuestion(Self.minutes), from: "b", at: at(400))
    #expect(second == [], "it is on its way")
    let both = board.fetched(1, answer("{}"), at: at(500))
    #expect(both == [reply("a", "{}", age: 500), reply("b", "{}", age: 500)])
    let third = board.take(AskedQuestion(Self.minutes), from: "c", at: at(2499))
    #expect(third == [reply("c", "{}", age: 2499)], "it says how old it may be")
    let fourth = board.take(AskedQuestion(Self.minutes), from: "d", at: at(2500))
    #expect(fourth == [.fetch(Self.minutes, number: 2)], "fresh no more")
  }

  @Test func `a failure answers all pending requests, and those of a moment later`() {
    var board = board()
    _ = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    let failed = board.fetched(1, .failure(AskingFailure(words: "no route")), at: at(10))
    let record = AnswerRecord(epoch: 5, number: 1, .failed("no route"))
    #expect(failed == [.reply(to: "a", record)])
    let again = board.take(AskedQuestion(Self.minutes), from: "b", at: at(20))
    #expect(again == [.reply(to: "b", record)])
  }

  @Test func `a product's price is shared only between pending requests`() {
    var board = board(.bux)
    let question = VenueQuestion.product(Symbol(known: "sb26493"))
    _ = board.take(AskedQuestion(question), from: "a", at: at(0))
    _ = board.take(AskedQuestion(question), from: "b", at: at(10))
    let both = board.fetched(1, answer("{}"), at: at(20))
    #expect(both == [reply("a", "{}", age: 20), reply("b", "{}", age: 20)])
    let later = board.take(AskedQuestion(question), from: "c", at: at(20))
    #expect(later == [.fetch(question, number: 2)])
  }

  @Test func `trades until now are shared only between pending requests`() {
    var board = board()
    let question = VenueQuestion.history(.trades(after: HistoryCursor("7")), name: "XBTUSD")
    _ = board.take(AskedQuestion(question), from: "a", at: at(0))
    #expect(board.fetched(1, answer("{}"), at: at(20)) == [reply("a", "{}", age: 20)])
    let later = board.take(AskedQuestion(question), from: "b", at: at(20))
    #expect(later == [.fetch(question, number: 2)])
  }

  @Test func `a question that could not be asked at its turn comes next`() {
    var board = board()
    let first = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    #expect(first == [.fetch(Self.minutes, number: 1)])
    board.putBack(1)
    board.putBack(1)
    board.putBack(9)
    #expect(board.fetched(1, answer("{}"), at: at(1)) == [], "nobody asked the venue")
    #expect(board.timer(at: at(50)) == [.fetch(Self.minutes, number: 1)])
    #expect(board.fetched(1, answer("{}"), at: at(60)) == [reply("a", "{}", age: 10)])
  }

  @Test func `a request that waits for a second learns that the reader lives`() {
    var board = board()
    _ = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    #expect(board.timer(at: at(999)) == [])
    #expect(board.timer(at: at(1000)) == [said("a", .wait)])
    #expect(board.timer(at: at(1050)) == [], "once")
    _ = board.take(AskedQuestion(Self.minutes), from: "a2", at: at(1060))
    #expect(board.fetched(1, answer("{}"), at: at(1100)) == [reply("a2", "{}", age: 1100)])
  }

  @Test func `all servers together keep the venue's pace`() {
    var board = board()
    var asked: [Int64] = []
    for number in 0..<8 {
      for case .fetch(_, let number) in board.take(
        AskedQuestion(other(number)), from: "\(number)", at: at(0))
      {
        asked.append(0)
        _ = board.fetched(number, answer("{}"), at: at(0))
      }
    }
    for tick in 1...120 as ClosedRange<Int64> {
      // The servers keep requesting.
      for number in 0..<8 {
        _ = board.take(AskedQuestion(other(number)), from: "x", at: at(tick * 50 - 1))
      }
      for case .fetch(_, let number) in board.timer(at: at(tick * 50)) {
        asked.append(tick * 50)
        _ = board.fetched(number, answer("{}"), at: at(tick * 50))
      }
    }
    for (earlier, later) in zip(asked, asked.dropFirst(3)) { #expect(later - earlier >= 950) }
    #expect(asked.count >= 8)
  }

  @Test func `a venue that reports a rate limit is left alone`() {
    var board = board()
    _ = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    let limit = #"{"error":["EAPI:Rate limit exceeded"]}"#
    _ = board.fetched(1, answer(limit), at: at(10))
    #expect(board.take(AskedQuestion(Self.hours), from: "b", at: at(20)) == [])
    for second in 1..<5 as Range<Int64> {
      _ = board.take(AskedQuestion(Self.hours), from: "b", at: at(second * 1000))
      let effects = board.timer(at: at(second * 1000 + 5))
      #expect(!effects.contains { if case .fetch = $0 { true } else { false } }, "\(second)")
    }
    let effects = board.timer(at: at(5100))
    #expect(effects.contains(.fetch(Self.hours, number: 2)))
  }

  @Test func `a low-priority request yields, and rises once a high one joins it`() {
    var board = board()
    for number in 0..<3 {
      _ = board.take(AskedQuestion(other(number)), from: "", at: at(0))
      _ = board.fetched(UInt64(number + 1), answer("{}"), at: at(0))
    }
    #expect(board.take(AskedQuestion(Self.hours, isPatient: true), from: "p", at: at(1)) == [])
    #expect(board.take(AskedQuestion(Self.minutes), from: "h", at: at(2)) == [])
    #expect(board.timer(at: at(1000)).contains(.fetch(Self.minutes, number: 5)))
    #expect(board.take(AskedQuestion(Self.hours), from: "h", at: at(1001)) == [])
    #expect(board.timer(at: at(2000)).contains(.fetch(Self.hours, number: 4)))
  }

  @Test func `a large response is sent in parts, for as long as they are fetched`() {
    var board = board()
    board.partBytes = 3
    _ = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    let parts = ["abc", "def", "g"].enumerated().map { index, text in
      AnswerRecord(
        epoch: 5, number: 1,
        .part(
          AnswerPart(
            status: 200, origin: .custom, age: 0, offset: index * 3, total: 7,
            bytes: ByteBuffer(string: text))))
    }
    #expect(board.fetched(1, answer("abcdefg"), at: at(0)) == [.reply(to: "a", parts[0])])
    for index in 1...2 {
      let rest = AnswerPlace(epoch: 5, number: 1, offset: index * 3)
      let asked = AskedQuestion(Self.minutes, rest: rest)
      #expect(board.take(asked, from: "a", at: at(0)) == [.reply(to: "a", parts[index])])
    }
    let last = AskedQuestion(Self.minutes, rest: AnswerPlace(epoch: 5, number: 1, offset: 6))
    _ = board.timer(at: at(9999))
    guard case .reply(_, let kept)? = board.take(last, from: "a", at: at(9999)).first,
      case .part = kept.content
    else { return #expect(Bool(false), "forgotten too early") }
    _ = board.timer(at: at(19_999))
    #expect(board.take(last, from: "a", at: at(19_999)) == [said("a", .gone)])
  }

  @Test func `a missing remainder is reported`() {
    var board = board()
    _ = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    _ = board.fetched(1, answer("abc"), at: at(0))
    for (place, question) in [
      (AnswerPlace(epoch: 4, number: 1, offset: 1), Self.minutes),
      (AnswerPlace(epoch: 5, number: 2, offset: 1), Self.minutes),
      (AnswerPlace(epoch: 5, number: 1, offset: 3), Self.minutes),
      (AnswerPlace(epoch: 5, number: 1, offset: 1), Self.hours),
    ] {
      let asked = AskedQuestion(question, rest: place)
      #expect(board.take(asked, from: "a", at: at(1)) == [said("a", .gone)])
    }
  }

  @Test func `a question that the venue does not have is refused, and nothing is asked`() {
    var board = board()
    for question in [
      VenueQuestion.product(Symbol(known: "a")), .history(.candles(.second), name: "XBTUSD"),
      .history(.candles(.minute), name: "../x"),
      .history(.trades(after: HistoryCursor("x")), name: "XBTUSD"),
    ] {
      let effects = board.take(AskedQuestion(question), from: "a", at: at(0))
      #expect(effects == [said("a", .refused)])
    }
  }

  @Test func `requests and waiting servers are bounded`() {
    var board = board()
    for number in 0..<QuestionBoard.maximumOpen {
      _ = board.take(AskedQuestion(other(number)), from: "a", at: at(0))
    }
    #expect(board.take(AskedQuestion(Self.minutes), from: "b", at: at(0)) == [said("b", .busy)])
    for _ in QuestionBoard.maximumOpen..<QuestionBoard.maximumWaiting {
      #expect(board.take(AskedQuestion(other(0)), from: "a", at: at(0)) == [])
    }
    #expect(board.take(AskedQuestion(other(0)), from: "b", at: at(0)) == [said("b", .busy)])
    // An expired request frees its place.
    _ = board.timer(at: at(1000))
    _ = board.timer(at: at(6000))
    #expect(board.take(AskedQuestion(Self.minutes), from: "b", at: at(6000)) != [said("b", .busy)])
  }

  @Test func `of many large answers the oldest are let go`() {
    var board = board()
    let large = ByteBuffer(repeating: 1, count: 8 << 20)
    var now: Int64 = 0
    for number in 0..<6 {
      _ = board.take(AskedQuestion(other(number)), from: "a", at: at(now))
      _ = board.timer(at: at(now))
      let answer = VenueAnswer(status: 200, origin: .custom, body: large)
      _ = board.fetched(UInt64(number + 1), .success(answer), at: at(now))
      now += 1000
    }
    for number in 0..<6 {
      let rest = AnswerPlace(epoch: 5, number: UInt64(number + 1), offset: 5)
      let asked = AskedQuestion(other(number), rest: rest)
      let isGone = board.take(asked, from: "a", at: at(now)) == [said("a", .gone)]
      #expect(isGone == (number < 2), "\(number)")
    }
  }

  @Test func `without the lease there are no responses, and no earlier ones after it`() {
    var board = board()
    _ = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    board.end()
    #expect(board.fetched(1, answer("{}"), at: at(1)) == [])
    #expect(board.take(AskedQuestion(Self.minutes), from: "a", at: at(1)) == [])
    #expect(board.timer(at: at(5000)) == [])
    board.begin(9)
    #expect(board.fetched(1, answer("{}"), at: at(5001)) == [], "asked in another epoch")
    let again = board.take(AskedQuestion(Self.minutes), from: "a", at: at(5002))
    #expect(again == [.fetch(Self.minutes, number: 2)])
  }

  @Test func `a duplicate response is delivered once`() {
    var board = board()
    _ = board.take(AskedQuestion(Self.minutes), from: "a", at: at(0))
    _ = board.fetched(1, answer("{}"), at: at(1))
    #expect(board.fetched(1, answer("other"), at: at(2)) == [])
    #expect(board.fetched(7, answer("other"), at: at(2)) == [])
    let kept = board.take(AskedQuestion(Self.minutes), from: "b", at: at(3))
    #expect(kept == [reply("b", "{}", age: 3)])
  }
}
