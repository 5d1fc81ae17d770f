// The survey of all markets on a manually driven hub: requests over HTTP and on the stream, and
// their times.

import Logging
import MarketModel
import MarketStreams
import NIOConcurrencyHelpers
import NIOCore
import SocketTransport
import Testing
import VenueProtocols

@testable import FeedConnections

/// Requests to Kraken that a test answers by hand.
private final class HeldRequests: VenueAsking {
  private struct Request {
    let target: String
    let answer: EventLoopPromise<VenueAnswer>
  }

  let venues: Set<Venue> = [.kraken]
  private let loop: any EventLoop
  private let requests = NIOLockedValueBox<[Request]>([])

  init(on loop: any EventLoop) { self.loop = loop }

  var targets: [String] { requests.withLockedValue { $0.map(\.target) } }

  func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<VenueAnswer> {
    let answer = loop.makePromise(of: VenueAnswer.self)
    let target = venue.adapter.path(of: question) ?? "nowhere"
    requests.withLockedValue { $0.append(Request(target: target, answer: answer)) }
    return answer.futureResult
  }

  func answer(_ text: String, status: Int = 200, age: Int64 = 0) throws {
    let newest = try #require(requests.withLockedValue { $0.last })
    newest.answer.succeed(
      VenueAnswer(
        status: status, origin: .custom, body: ByteBuffer(string: text), ageMilliseconds: age))
  }

  func fail() throws {
    let newest = try #require(requests.withLockedValue { $0.last })
    newest.answer.fail(ConnectionProblem.transport(.refused("venue.test")))
  }
}

/// A survey of Kraken with ADA/USD and SOL/USD.
private struct SurveyHarness {
  let hub = HubHarness(venues: [.kraken])
  let requests: HeldRequests
  let survey: SurveyService
  /// An observer's updates: "ADA/USD 0.5, SOL/USD 20 +1.5".
  let told = Journal<String>()

  static let names = "/0/public/AssetPairs"
  static let tickers = "/0/public/Ticker"
  static let nameText =
    #"{"error":[],"result":{"ADAUSD":{"altname":"ADAUSD","wsname":"ADA/USD"},"#
    + #""SOLUSD":{"altname":"SOLUSD","wsname":"SOL/USD"}}}"#

  init() {
    requests = HeldRequests(on: hub.hub.eventLoop)
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let candles = CandleService(
      feeds: hub.hub, addresses: [], origin: .simulated, recorded: [], store: nil,
      clock: hub.clock, logger: quiet)
    survey = SurveyService(
      feeds: hub.hub, candles: candles, venues: requests, clock: hub.clock, logger: quiet)
  }

  func observe() -> FeedObservation {
    survey.observe { [told] state in
      told.append(
        state.rows.map { row in
          let percent = row.figures.changePercent.map { " \($0)" } ?? ""
          return "\(row.instrument.symbol) \(row.figures.last.map(\.description) ?? "-")\(percent)"
        }.joined(separator: ", "))
    }
  }

  /// Connects, lists both markets and lets the first request go.
  func begin() async throws -> FeedObservation {
    try await hub.start()
    let observation = observe()
    await hub.advance(100)
    try await hub.say("list ADA/USD SOL/USD")
    await hub.advance(300)
    return observation
  }

  func pass(seconds: Int) async throws {
    for _ in 0..<seconds {
      await hub.advance(1000)
      try await hub.say("pong")
    }
  }

  /// Responds to the newest request and runs what follows.
  func answer(_ text: String, status: Int = 200, age: Int64 = 0) async throws {
    try requests.answer(text, status: status, age: age)
    await hub.advance(300)
  }

  static func tickerText(_ ada: String, _ sol: String) -> String {
    #"{"error":[],"result":{"ADAUSD":{"c":["\#(ada)","1"]},"SOLUSD":{"c":["\#(sol)","1"]}}}"#
  }
}

@Suite(.timeLimit(.minutes(5))) struct SurveyServiceTests {
  @Test func `a round has all figures at once, then the stream's, and comes again in five minutes`()
    async throws
  {
    let harness = SurveyHarness()
    let observation = try await harness.begin()
    #expect(harness.requests.targets == [SurveyHarness.names])
    try await harness.answer(SurveyHarness.nameText)
    #expect(harness.requests.targets.last == SurveyHarness.tickers)
    #expect(harness.told.entries == [""], "nothing is known yet")
    try await harness.answer(SurveyHarness.tickerText("0.5", "20"))
    #expect(harness.told.entries.last == "ADA/USD 0.5, SOL/USD 20")
    #expect(try await harness.hub.sent() == ["subscribe *", "subscribe ADA/USD,SOL/USD"])

    try await harness.hub.say("f ADA/USD 0.6 1.5")
    await harness.hub.advance(300)
    #expect(harness.told.entries.last == "ADA/USD 0.6 1.5, SOL/USD 20")
    #expect(try await harness.hub.sent().count == 2, "one market is waited for")
    try await harness.hub.say("f SOL/USD 21 -2")
    await harness.hub.advance(1000)
    #expect(harness.told.entries.last == "ADA/USD 0.6 1.5, SOL/USD 21 -2")
    #expect(try await harness.hub.sent().last == "unsubscribe ADA/USD,SOL/USD")

    try await harness.pass(seconds: 290)
    #expect(harness.requests.targets.count == 2)
    try await harness.pass(seconds: 12)
    #expect(harness.requests.targets.dropFirst(2) == [SurveyHarness.tickers], "the names are known")
    try await harness.answer(SurveyHarness.tickerText("0.7", "22"))
    #expect(
      harness.told.entries.last == "ADA/USD 0.6 1.5, SOL/USD 21 -2",
      "what knows no change replaces nothing that does")
    #expect(try await harness.hub.sent().last == "subscribe ADA/USD,SOL/USD")
    observation.cancel()
    await harness.hub.settle()
  }

  @Test func `figures of earlier requests keep their age`() async throws {
    let harness = SurveyHarness()
    let observation = try await harness.begin()
    try await harness.answer(SurveyHarness.nameText)
    let before = harness.hub.clock.now().wall.milliseconds
    let states = Journal<SurveyState>()
    let second = harness.survey.observe { states.append($0) }
    try await harness.answer(SurveyHarness.tickerText("0.5", "20"), age: 40_000)
    let dates = states.entries.last?.rows.compactMap { $0.figures.at?.milliseconds } ?? []
    #expect(dates == [before - 40_000, before - 40_000])
    observation.cancel()
    second.cancel()
    await harness.hub.settle()
  }

  @Test func `a venue that fails is asked less and less often, its stream all the same`()
    async throws
  {
    let harness = SurveyHarness()
    let observation = try await harness.begin()
    try await harness.answer("", status: 503)
    #expect(try await harness.hub.sent().last == "subscribe ADA/USD,SOL/USD")
    try await harness.hub.say("f ADA/USD 0.6 1.5")
    await harness.hub.advance(300)
    #expect(harness.told.entries.last == "ADA/USD 0.6 1.5")
    try await harness.pass(seconds: 55)
    #expect(harness.requests.targets.count == 1)
    try await harness.pass(seconds: 10)
    #expect(harness.requests.targets == [SurveyHarness.names, SurveyHarness.names])
    try harness.requests.fail()
    try await harness.pass(seconds: 110)
    #expect(harness.requests.targets.count == 2, "two minutes now")
    try await harness.pass(seconds: 15)
    #expect(harness.requests.targets.count == 3)
    try await harness.answer(SurveyHarness.nameText)
    try await harness.answer(#"{"error":["EService:Busy"]}"#)
    #expect(harness.requests.targets.count == 4)
    #expect(harness.told.entries.last == "ADA/USD 0.6 1.5", "what is known stays")
    observation.cancel()
    await harness.hub.settle()
  }

  @Test func `a response without observers is kept for the next, and requests nothing`()
    async throws
  {
    let harness = SurveyHarness()
    let observation = try await harness.begin()
    try await harness.answer(SurveyHarness.nameText)
    observation.cancel()
    await harness.hub.advance(1000)
    try await harness.answer(SurveyHarness.tickerText("0.5", "20"))
    #expect(harness.told.entries == [""])
    let sent = try await harness.hub.sent()
    #expect(sent.allSatisfy { $0.hasSuffix(" *") }, "no market is asked for: \(sent)")
    let again = harness.observe()
    await harness.hub.settle()
    #expect(harness.told.entries.last == "ADA/USD 0.5, SOL/USD 20")
    again.cancel()
    await harness.hub.settle()
  }

  @Test func `after its end nothing is requested, followed or reported any more`() async throws {
    let harness = SurveyHarness()
    let observation = try await harness.begin()
    try await harness.answer(SurveyHarness.nameText)
    try await harness.answer(SurveyHarness.tickerText("0.5", "20"))
    let told = harness.told.entries
    harness.survey.shutdown()
    await harness.hub.advance(1000)
    let left = try await harness.hub.sent().dropFirst(2)
    #expect(left.joined().contains("*") && left.joined().contains("ADA/USD,SOL/USD"))
    #expect(left.allSatisfy { $0.hasPrefix("unsubscribe") })
    try await harness.pass(seconds: 310)
    #expect(harness.requests.targets.count == 2 && harness.told.entries == told)
    observation.cancel()
    await harness.hub.settle()
  }
}
