// HTTP requests to venues: the same through this process or through a reader, with an error text
// where neither can.

import FeedConnections
import MarketModel
import MessageBus
import NIOCore
import SocketTransport
import Testing
import VenueProtocols

@testable import MarketSimulation
@testable import VenueTape

@Suite struct VenueAskingTests {
  enum Depth: String, CaseIterable, CustomTestStringConvertible {
    case own
    case bus

    var testDescription: String { rawValue }
  }

  private static let minutes = VenueQuestion.history(.candles(.minute), name: "XBTUSD")

  private final class Outcome {
    var result: Result<VenueAnswer, ConnectionProblem>?
  }

  private func ask(
    _ asking: some VenueAsking, _ question: VenueQuestion = minutes,
    abandoned: EventLoopFuture<Void>? = nil
  ) -> Outcome {
    let outcome = Outcome()
    asking.ask(.kraken, question, isPatient: false, abandoned: abandoned).assumeIsolated()
      .whenComplete { result in
        outcome.result = result.mapError {
          ($0 as? ConnectionProblem) ?? .transport(.badResponse("", detail: "\($0)"))
        }
      }
    return outcome
  }

  private func ask(_ stage: TapeStage, _ depth: Depth) -> Outcome {
    switch depth {
    case .own: ask(stage.held)
    case .bus: ask(stage.followers[0].asking)
    }
  }

  private func stage(followers: Int, readers: Int = 1) -> TapeStage {
    let stage = TapeStage(seed: 1, venues: [.kraken], readers: readers, followers: followers)
    stage.run(milliseconds: 2000)
    return stage
  }

  private func words(_ outcome: Outcome) -> Sentence? {
    guard case .failure(let problem)? = outcome.result else { return nil }
    return problem.userMessage(venue: "Kraken")
  }

  @Test(arguments: Depth.allCases, [0, 1, 1 << 20, 5 << 20])
  func `a venue's answer comes word for word, whatever its status and size`(
    _ depth: Depth, _ size: Int
  ) throws {
    let stage = stage(followers: 1)
    defer { stage.end() }
    let outcome = ask(stage, depth)
    stage.run(milliseconds: 100)
    #expect(stage.held.questions == [Self.minutes])
    let body = ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    stage.held.answer(.success(VenueAnswer(status: 418, origin: .custom, body: body)))
    stage.run(milliseconds: 500)
    let answer = try #require(try outcome.result?.get())
    #expect(
      answer.status == 418 && answer.origin == .custom && answer.body == body
        && answer.ageMilliseconds < 500)
  }

  @Test(arguments: Depth.allCases)
  func `an unreachable venue has the same error text`(_ depth: Depth) {
    let stage = stage(followers: 1)
    defer { stage.end() }
    let outcome = ask(stage, depth)
    stage.run(milliseconds: 3000)
    #expect(outcome.result == nil, "it takes as long as it takes")
    stage.held.answer(.failure(.transport(.refused("api.kraken.com"))))
    stage.run(milliseconds: 500)
    #expect(words(outcome) == "Kraken is not accepting connections.")
  }

  @Test func `servers that ask the same ask the venue once`() {
    let stage = stage(followers: 3)
    defer { stage.end() }
    let early = (0..<2).map { ask(stage.followers[$0].asking) }
    stage.run(milliseconds: 1500)
    stage.held.answer(
      .success(VenueAnswer(status: 200, origin: .custom, body: ByteBuffer(string: "{}"))))
    stage.run(milliseconds: 1200)
    let late = ask(stage.followers[2].asking)
    stage.run(milliseconds: 100)
    #expect(stage.held.questions == [Self.minutes])
    let answers = (early + [late]).compactMap { try? $0.result?.get() }
    #expect(answers.map(\.body) == Array(repeating: ByteBuffer(string: "{}"), count: 3))
    #expect(answers.last.map { (2700...3000).contains($0.ageMilliseconds) } == true)
    stage.run(milliseconds: 2000)
    _ = ask(stage.followers[0].asking)
    stage.run(milliseconds: 100)
    #expect(stage.held.questions.count == 2, "a moment later it is asked again")
  }

  @Test func `what a venue is never asked reaches no reader`() {
    let stage = stage(followers: 1)
    defer { stage.end() }
    for question in [
      VenueQuestion.product(Symbol(known: "sb26493")),
      .history(.candles(.minute), name: "X&since=0"), .history(.candles(.second), name: "XBTUSD"),
    ] {
      let outcome = ask(stage.followers[0].asking, question)
      stage.run(milliseconds: 100)
      #expect(words(outcome) == "Kraken doesn't support this request.")
    }
    #expect(stage.held.questions == [])
  }

  @Test func `a request from an unauthorised subject is ignored`() {
    let stage = stage(followers: 1)
    defer { stage.end() }
    let bus = stage.followers[0].bus
    let hostile = [
      "", "h 0 0 0\thttp://127.0.0.1/", "h 0 0 0\tcandles 60000 ../../private",
      String(repeating: "x", count: 100_000),
    ]
    for text in hostile {
      bus.publish("question.kraken", ByteBuffer(string: text))
      _ = bus.request("question.kraken", ByteBuffer(string: text), timeoutMilliseconds: 100)
    }
    stage.run(milliseconds: 500)
    #expect(stage.held.questions == [])
    let outcome = ask(stage.followers[0].asking)
    stage.run(milliseconds: 100)
    stage.held.answer(.success(VenueAnswer(status: 200, origin: .custom, body: ByteBuffer())))
    stage.run(milliseconds: 100)
    #expect(outcome.result != nil, "it goes on")
  }

  @Test func `without a reader the error says so, and no venue is contacted`() {
    let stage = TapeStage(seed: 1, venues: [.kraken], readers: 0, followers: 1)
    defer { stage.end() }
    let outcome = ask(stage.followers[0].asking)
    stage.run(milliseconds: 100)
    #expect(words(outcome) == "The reader of Kraken does not respond.")
    #expect(stage.held.questions == [])
    stage.addReader()
    stage.run(milliseconds: 2000)
    let again = ask(stage.followers[0].asking)
    stage.run(milliseconds: 100)
    stage.held.answer(.success(VenueAnswer(status: 200, origin: .custom, body: ByteBuffer())))
    stage.run(milliseconds: 100)
    #expect((try? again.result?.get()) != nil)
  }

  @Test func `a reader that takes no questions does not answer, and is not called silent`() {
    let stage = TapeStage(seed: 1, venues: [.kraken], readers: 0, followers: 1)
    defer { stage.end() }
    stage.addReader(takesQuestions: false)
    stage.run(milliseconds: 3000)
    let outcome = ask(stage.followers[0].asking)
    stage.run(milliseconds: 2100)
    #expect(words(outcome) == "The reader of Kraken does not respond.")
    #expect(stage.phase(of: .kraken, stage.followers[0].hub)?.isConnected == true)
  }

  @Test func `a trades response is never older than its request`() {
    let stage = stage(followers: 2)
    defer { stage.end() }
    let trades = VenueQuestion.history(.trades(after: HistoryCursor("7")), name: "XBTUSD")
    let first = ask(stage.followers[0].asking, trades)
    stage.run(milliseconds: 300)
    let second = ask(stage.followers[1].asking, trades)
    stage.run(milliseconds: 300)
    #expect(stage.held.questions.count == 1)
    let early = VenueAnswer(status: 200, origin: .custom, body: ByteBuffer(string: "1"))
    stage.held.answer(.success(early))
    stage.run(milliseconds: 100)
    #expect((try? first.result?.get())?.body == early.body)
    #expect(second.result == nil)
    #expect(stage.held.questions.count == 2, "the venue may have answered before it was asked this")
    let late = VenueAnswer(status: 200, origin: .custom, body: ByteBuffer(string: "2"))
    stage.held.answer(.success(late))
    stage.run(milliseconds: 100)
    #expect((try? second.result?.get())?.body == late.body)
  }

  @Test func `a dead reader is reported within two seconds, and another one responds`() throws {
    let stage = stage(followers: 1, readers: 2)
    defer { stage.end() }
    let leader = try #require(stage.leader)
    let outcome = ask(stage.followers[0].asking)
    stage.run(milliseconds: 100)
    stage.readers[leader].bus.cutLink()
    let said = stage.wait(atMost: 2500) { outcome.result != nil }
    #expect(said.map { $0 <= 2100 } == true)
    #expect(words(outcome) == "The reader of Kraken does not respond.")
    let other = stage.wait(atMost: 6000) { stage.leader == 1 - leader }
    #expect(other != nil)
    let again = ask(stage.followers[0].asking)
    stage.run(milliseconds: 100)
    #expect(stage.held.questions.count == 2)
    // The old reader's pending responses arrive now, when it may send no more.
    stage.readers[leader].bus.healLink()
    stage.run(milliseconds: 100)
    #expect(again.result == nil)
    stage.held.answer(
      .success(VenueAnswer(status: 200, origin: .custom, body: ByteBuffer(string: "new"))))
    stage.run(milliseconds: 100)
    #expect((try? again.result?.get())?.body == ByteBuffer(string: "new"))
  }

  @Test func `a bus that is down is reported at once`() {
    let stage = stage(followers: 1)
    defer { stage.end() }
    let before = ask(stage.followers[0].asking)
    stage.run(milliseconds: 50)
    stage.followers[0].bus.cutLink()
    stage.run(milliseconds: 20)
    let after = ask(stage.followers[0].asking)
    stage.run(milliseconds: 20)
    for outcome in [before, after] {
      #expect(
        words(outcome) == "The message bus between the reader of Kraken and this server is down.")
    }
  }

  @Test func `a server has no more than so many questions under way`() {
    let stage = stage(followers: 1)
    defer { stage.end() }
    let asking = stage.followers[0].asking
    let taken = (0..<FollowedVenues.maximumUnderWay).map { number in
      ask(asking, .history(.candles(.minute), name: "A\(number)"))
    }
    let tooMany = ask(asking)
    stage.run(milliseconds: 20)
    #expect(words(tooMany) == "Too many requests to Kraken are pending.")
    #expect(taken.allSatisfy { $0.result == nil })
    stage.run(milliseconds: 31_000)
    #expect(taken.allSatisfy { words($0) == "Kraken did not respond in time." })
    // The reader drops them a little later.
    stage.run(milliseconds: 6000)
    let room = ask(asking)
    stage.run(milliseconds: 20)
    #expect(room.result == nil)
  }

  @Test(arguments: [false, true])
  func `a cancelled request is dropped`(isLate: Bool) {
    let stage = stage(followers: 1)
    defer { stage.end() }
    let abandoned = stage.time.loop.makePromise(of: Void.self)
    let outcome = ask(stage.followers[0].asking, abandoned: abandoned.futureResult)
    stage.run(milliseconds: 100)
    if isLate {
      stage.held.answer(.success(VenueAnswer(status: 200, origin: .custom, body: ByteBuffer())))
    }
    stage.run(milliseconds: 100)
    abandoned.succeed()
    stage.run(milliseconds: 20)
    #expect((try? outcome.result?.get() != nil) == (isLate ? true : nil))
  }
}
