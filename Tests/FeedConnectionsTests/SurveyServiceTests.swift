// The survey of all markets on a hub that a test plays by hand: what is asked of a venue over HTTP
// and of its stream, and when.

import Logging
import MarketModel
import MarketStreams
import NIOConcurrencyHelpers
import NIOCore
import SocketTransport
import Testing

@testable import FeedConnections

/// Requests over HTTP that a test answers by hand.
private final class HeldRequests: Sendable {
  private struct Request {
    let target: String
    let answer: EventLoopPromise<HTTPClientResponse>
  }

  private let requests = NIOLockedValueBox<[Request]>([])

  /// The paths of all that was asked, oldest first.
  var targets: [String] { requests.withLockedValue { $0.map(\.target) } }

  var fetch: HTTPFetch {
    { endpoint, _, _, loop in
      let answer = loop.makePromise(of: HTTPClientResponse.self)
      self.requests.withLockedValue { $0.append(Request(target: endpoint.target, answer: answer)) }
      return answer.futureResult
    }
  }

  /// Answers the newest request.
  func answer(_ text: String, status: Int = 200) throws {
    let newest = try #require(requests.withLockedValue { $0.last })
    newest.answer.succeed(
      HTTPClientResponse(status: status, headers: [], body: ByteBuffer(string: text)))
  }

  /// Says that the venue was not reached.
  func fail() throws {
    let newest = try #require(requests.withLockedValue { $0.last })
    newest.answer.fail(TransportError.refused("venue.test"))
  }
}

/// A survey of Kraken with ADA/USD and SOL/USD.
private struct SurveyHarness {
  let hub = HubHarness(venues: [.kraken])
  let requests = HeldRequests()
  let survey: SurveyService
  /// What an observer is told: "ADA/USD 0.5, SOL/USD 20 +1.5".
  let told = Journal<String>()

  static let names = "/kraken/0/public/AssetPairs"
  static let tickers = "/kraken/0/public/Ticker"
  static let nameText =
    #"{"error":[],"result":{"ADAUSD":{"altname":"ADAUSD","wsname":"ADA/USD"},"#
    + #""SOLUSD":{"altname":"SOLUSD","wsname":"SOL/USD"}}}"#

  init() {
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let candles = CandleService(
      feeds: hub.hub, addresses: [], origin: .simulated, recorded: [], store: nil,
      clock: hub.clock, logger: quiet)
    survey = SurveyService(
      feeds: hub.hub, candles: candles,
      addresses: [.simulated(.kraken, host: "venue.test", port: 80, tcpPort: 81)],
      clock: hub.clock, logger: quiet, fetch: requests.fetch)
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

  /// Connects, lists both markets and lets the first question go.
  func begin() async throws -> FeedObservation {
    try await hub.start()
    let observation = observe()
    await hub.advance(100)
    try await hub.say("list ADA/USD SOL/USD")
    await hub.advance(300)
    return observation
  }

  /// Lets time pass on a connection that shows life all the while.
  func pass(seconds: Int) async throws {
    for _ in 0..<seconds {
      await hub.advance(1000)
      try await hub.say("pong")
    }
  }

  /// Answers the newest request, and lets what follows happen.
  func answer(_ text: String, status: Int = 200) async throws {
    try requests.answer(text, status: status)
    await hub.advance(300)
  }

  /// All figures at once, with these last prices.
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
    #expect(
      harness.requests.targets.dropFirst(2) == [SurveyHarness.tickers], "the names are known")
    try await harness.answer(SurveyHarness.tickerText("0.7", "22"))
    #expect(
      harness.told.entries.last == "ADA/USD 0.6 1.5, SOL/USD 21 -2",
      "what knows no change replaces nothing that does")
    #expect(try await harness.hub.sent().last == "subscribe ADA/USD,SOL/USD")
    observation.cancel()
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

  @Test func `an answer that comes when nobody looks is kept for who looks next, and asks nothing`()
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

  @Test func `after its end nothing is asked, followed or told any more`() async throws {
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
