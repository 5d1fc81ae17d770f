// A server's single request to a reader: its handling of responses and of missing ones.

import FeedConnections
import MarketModel
import MessageBus
import NIOCore
import Testing
import VenueProtocols

@testable import VenueTape

@Suite struct VenueInquiryTests {
  private static let question = VenueQuestion.history(.candles(.minute), name: "XBTUSD")

  private func inquiry(_ question: VenueQuestion = Self.question) -> VenueInquiry {
    var inquiry = VenueInquiry(question, isPatient: false, of: .kraken, at: at(0))
    #expect(inquiry.start() == .ask(AskedQuestion(question)))
    return inquiry
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(milliseconds: milliseconds)
  }

  private func part(
    _ text: String, at offset: Int = 0, of total: Int, epoch: UInt64 = 5, number: UInt64 = 2,
    status: Int = 200, origin: DataOrigin = .custom, age: Int64 = 0
  ) -> Result<AnswerRecord?, BusError> {
    let part = AnswerPart(
      status: status, origin: origin, age: age, offset: offset, total: total,
      bytes: ByteBuffer(string: text))
    return .success(AnswerRecord(epoch: epoch, number: number, .part(part)))
  }

  private func word(
    _ content: AnswerRecord.Content, epoch: UInt64 = 5
  ) -> Result<AnswerRecord?, BusError> {
    .success(AnswerRecord(epoch: epoch, content))
  }

  @Test func `an answer in one part is done, and nothing follows`() {
    var inquiry = inquiry()
    let done = inquiry.take(part("{}", of: 2, status: 503, age: 70), following: 5, at: at(9))
    #expect(
      done
        == .done(
          VenueAnswer(
            status: 503, origin: .custom, body: ByteBuffer(string: "{}"), ageMilliseconds: 70)))
    #expect(inquiry.isOver)
    let twice = inquiry.take(part("{}", of: 2), following: 5, at: at(9))
    #expect(twice == .nothing, "the same once more")
    let late = inquiry.take(.failure(.timeout), following: 5, at: at(2000))
    #expect(late == .nothing)
  }

  @Test func `a response in parts is requested part by part, and its age includes that time`() {
    var inquiry = inquiry()
    for (text, offset) in [("abc", 0), ("def", 3)] {
      let next = inquiry.take(
        part(text, at: offset, of: 7, age: 10), following: 5, at: at(Int64(offset)))
      let rest = AnswerPlace(epoch: 5, number: 2, offset: offset + 3)
      #expect(next == .ask(AskedQuestion(Self.question, rest: rest)))
    }
    let done = inquiry.take(part("g", at: 6, of: 7), following: 5, at: at(40))
    let whole = VenueAnswer(
      status: 200, origin: .custom, body: ByteBuffer(string: "abcdefg"), ageMilliseconds: 50)
    #expect(done == .done(whole))
  }

  @Test func `an empty answer is one`() {
    var inquiry = inquiry()
    let done = inquiry.take(part("", of: 0), following: 5, at: at(1))
    #expect(done == .done(VenueAnswer(status: 200, origin: .custom, body: ByteBuffer())))
  }

  @Test func `a deferred request is repeated, but not for ever`() {
    var inquiry = inquiry()
    for second in 1..<30 as Range<Int64> {
      let next = inquiry.take(word(.wait), following: 5, at: at(second * 1000))
      #expect(next == .ask(AskedQuestion(Self.question)))
    }
    let end = inquiry.take(word(.wait), following: 5, at: at(30_000))
    #expect(end == .fail(.venue("Kraken did not respond in time.")))
  }

  @Test func `where it matters, a response that may predate its request is rejected`() {
    let trades = VenueQuestion.history(.trades(after: HistoryCursor("7")), name: "XBTUSD")
    for (question, isAskedAgain) in [(trades, true), (Self.question, false)] {
      var inquiry = inquiry(question)
      let older = inquiry.take(part("[]", of: 2, age: 301), following: 5, at: at(300))
      #expect((older == .ask(AskedQuestion(question))) == isAskedAgain)
      guard isAskedAgain else { continue }
      guard case .done = inquiry.take(part("[]", of: 2, age: 200), following: 5, at: at(500))
      else { return #expect(Bool(false), "it was asked after the question") }
    }
  }

  @Test func `a reader whose answers are all too old is not asked without end`() {
    var inquiry = inquiry(.history(.trades(after: HistoryCursor("7")), name: "XBTUSD"))
    var count = 1
    while case .ask = inquiry.take(part("[]", of: 2, age: 1), following: 5, at: at(0)) {
      count += 1
    }
    #expect(count == VenueInquiry.maximumRounds && inquiry.isOver)
  }

  @Test func `a reader that always defers is not polled without end`() {
    var inquiry = inquiry()
    var count = 1
    while case .ask = inquiry.take(word(.wait), following: 5, at: at(0)) { count += 1 }
    #expect(count == VenueInquiry.maximumRounds)
  }

  @Test func `no answer is the reader's or the bus's, and never another's to give`() {
    for (error, problem) in [
      (BusError.noResponders, ReaderProblem.unanswered(milliseconds: 7)),
      (.timeout, .unanswered(milliseconds: 7)), (.disconnected, .bus("the bus is down")),
      (.tooLarge, .unusable),
    ] {
      var inquiry = inquiry()
      let failed = inquiry.take(.failure(error), following: 5, at: at(7))
      #expect(failed == .fail(problem))
    }
  }

  @Test func `the reader's error of the venue is passed on`() {
    for (content, words) in [
      (
        AnswerRecord.Content.failed("Kraken is temporarily unavailable."),
        "Kraken is temporarily unavailable."
      ),
      (.busy, "Too many requests to Kraken are pending."),
      (.refused, "Kraken doesn't support this request."),
    ] as [(AnswerRecord.Content, Sentence)] {
      var inquiry = inquiry()
      let failed = inquiry.take(word(content), following: 5, at: at(1))
      #expect(failed == .fail(.venue(words)))
    }
  }

  @Test func `a response of an epoch before the followed one is rejected`() {
    for reply in [part("{}", of: 2, epoch: 4), word(.wait, epoch: 4), word(.failed(""), epoch: 4)] {
      var inquiry = inquiry()
      let failed = inquiry.take(reply, following: 5, at: at(1))
      #expect(failed == .fail(.changed))
    }
    var inquiry = inquiry()
    let first = inquiry.take(part("a", of: 2), following: 5, at: at(1))
    guard case .ask = first else { return #expect(Bool(false), "\(first)") }
    // Another reader has taken over between two parts.
    let second = inquiry.take(part("b", at: 1, of: 2), following: 6, at: at(2))
    #expect(second == .fail(.changed))
  }

  @Test func `an answer of a reader that is not followed yet counts`() {
    var inquiry = inquiry()
    let done = inquiry.take(part("{}", of: 2, epoch: 6), following: 5, at: at(1))
    guard case .done = done else { return #expect(Bool(false), "\(done)") }
  }

  @Test func `an answer that is larger than the venue's may be is refused by its first part`() {
    let most = Venue.kraken.adapter.maximumBytes(of: Self.question)
    var inquiry = inquiry()
    let failed = inquiry.take(part("a", of: most + 1), following: 5, at: at(1))
    #expect(failed == .fail(.unusable))
  }

  @Test func `a part that does not go on where the last one ended is refused`() {
    let others: [Result<AnswerRecord?, BusError>] = [
      part("abc", of: 7), part("def", at: 4, of: 7), part("def", at: 2, of: 7),
      part("def", at: 3, of: 8), part("def", at: 3, of: 7, number: 3),
      part("def", at: 3, of: 7, epoch: 6), part("def", at: 3, of: 7, status: 404),
      part("def", at: 3, of: 7, origin: .venue),
      part("", at: 3, of: 7), word(.wait), word(.gone), word(.failed("")), .success(nil),
    ]
    for other in others {
      var inquiry = inquiry()
      let first = inquiry.take(part("abc", of: 7), following: 5, at: at(1))
      guard case .ask = first else { return #expect(Bool(false), "\(first)") }
      let failed = inquiry.take(other, following: 5, at: at(2))
      #expect(failed == .fail(.unusable), "\(other)")
    }
  }

  @Test func `a response that begins in its middle, or is malformed, is rejected`() {
    for reply in [part("b", at: 1, of: 2), .success(nil), word(.gone), part("", of: 2)] {
      var inquiry = inquiry()
      let failed = inquiry.take(reply, following: 5, at: at(1))
      #expect(failed == .fail(.unusable), "\(reply)")
    }
  }
}
