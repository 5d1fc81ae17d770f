// From a message to the frame that shows it, and a page's report about that frame.

import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct TopicServerLatencyTests {
  private let page = PageID(number: 1)
  private let other = PageID(number: 2)

  private func time(_ milliseconds: Int64) -> ClockReading {
    ClockReading(milliseconds: milliseconds)
  }

  /// Two pages that follow X since second 1.
  private func server() throws -> (TopicServer, MarketKey) {
    var server = TopicServer(catalogue: .scripted)
    for page in [page, other] {
      _ = server.connect(page, at: time(1000))
      _ = server.receive(Array(#"{"open":["quote/X"]}"#.utf8), from: page, at: time(1000))
    }
    _ = server.frames(at: time(1000))
    return (server, MarketKey(.isin, .quote, try #require(Symbol("X"))))
  }

  private func value(_ price: String, _ key: MarketKey) -> MarketValue {
    .quote(
      QuoteView(
        symbol: key.subscription.symbol, price: FixedDecimal(price),
        freshness: .waiting(.simulated)))
  }

  private func stamp(_ milliseconds: Int64) -> MessageStamp {
    MessageStamp(venue: .isin, decoded: MonotonicTime(milliseconds: milliseconds))
  }

  private func measured(_ effects: [TopicEffect]) -> [TopicEffect] {
    effects.filter { if case .measured = $0 { true } else { false } }
  }

  /// A frame with one message: decoded at 2000, shown at 2010, written at 2012.
  private func written(_ server: inout TopicServer, _ key: MarketKey) throws -> [MeasuredFrame] {
    _ = server.changed(key, at: time(2000), by: stamp(2000))
    let effects = server.frames(at: time(2010), reading: [key: value("2", key)])
    let frames = effects.compactMap { effect -> MeasuredFrame? in
      if case .written(let frame) = effect { frame } else { nil }
    }
    for frame in frames { _ = server.written(frame, at: time(2012)) }
    return frames
  }

  private func ownFrame(_ server: inout TopicServer, _ key: MarketKey) throws -> MeasuredFrame {
    let frames = try written(&server, key)
    return try #require(frames.first { $0.page == page })
  }

  private func say(_ text: String, _ server: inout TopicServer, at milliseconds: Int64 = 2100)
    -> [TopicEffect]
  { server.receive(Array(text.utf8), from: page, at: time(milliseconds)) }

  @Test func `the oldest unshown message is measured until a screen has it, and until it is sent`()
    throws
  {
    var (server, key) = try server()
    var asked = 0
    func next(_ milliseconds: Int64) -> MessageStamp? {
      asked += 1
      return stamp(milliseconds)
    }
    _ = server.changed(key, at: time(2000), by: next(2000))
    _ = server.changed(key, at: time(2005), by: next(2005))
    #expect(asked == 1, "those that follow within the frame are not even looked at")
    let effects = server.frames(at: time(2010), reading: [key: value("2", key)])
    #expect(measured(effects) == [.measured(.isin, .state, nanoseconds: 10_000_000, within: nil)])
    let frame = MeasuredFrame(
      page: page, number: 2, venues: [.isin], shown: MonotonicTime(milliseconds: 2010))
    let place = try #require(effects.firstIndex(of: .written(frame)))
    guard case .send(page, let bytes) = effects[place - 1] else {
      Issue.record("the mark follows its frame")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""measured":true"#))
    let sent = server.written(frame, at: time(2012))
    #expect(sent == [.measured(.isin, .sent, nanoseconds: 2_000_000, within: nil)])
  }

  @Test func `a frame without a message, or soon after a measured one, is not measured`() throws {
    var (server, key) = try server()
    let frames = try written(&server, key)
    #expect(frames.count == 2, "one a page")
    _ = server.changed(key, at: time(2050), by: stamp(2050))
    let soon = server.frames(at: time(2060), reading: [key: value("3", key)])
    #expect(!soon.contains { if case .written = $0 { true } else { false } })
    #expect(measured(soon).count == 1, "but the screen's part always is")
    _ = server.changed(key, at: time(3000))
    let plain = server.frames(at: time(3010), reading: [key: value("4", key)])
    #expect(measured(plain).isEmpty)
    #expect(!plain.contains { if case .written = $0 { true } else { false } })
  }

  @Test func `a page's report counts once, against the moment its frame was written`() throws {
    var (server, key) = try server()
    let frame = try ownFrame(&server, key)
    // The connection began at 1000, so the frame was written at 1012 ms of its clock.
    let report = #"{"measured":[[\#(frame.number),1020000,16000]],"within":300}"#
    #expect(
      say(report, &server) == [
        .measured(.isin, .received, nanoseconds: 8_000_000, within: 300_000),
        .measured(.isin, .painted, nanoseconds: 16_000_000, within: nil),
      ])
    #expect(say(report, &server) == [])
  }

  @Test func `a report just before the frame was written is within the uncertainty`() throws {
    var (server, key) = try server()
    let frame = try ownFrame(&server, key)
    let effects = say(#"{"measured":[[\#(frame.number),1011800,0]],"within":300}"#, &server)
    #expect(effects.first == .measured(.isin, .received, nanoseconds: -200_000, within: 300_000))
  }

  @Test(arguments: [
    "1011000,0", "1020000,90000000", "1200000,0", "1020000,100000",
    "-9223372036854775808,0", "9223372036854775807,60000000",
  ])
  func `times that cannot be are not measured`(times: String) throws {
    var (server, key) = try server()
    let frame = try ownFrame(&server, key)
    let effects = say(#"{"measured":[[\#(frame.number),\#(times)]],"within":300}"#, &server)
    #expect(measured(effects).isEmpty)
  }

  @Test func `reports of another page's frame, or of an unmeasured one, are ignored`() throws {
    var (server, _) = try server()
    #expect(say(#"{"measured":[[1,1020000,0],[99,1020000,0],[-5,1,1]],"within":0}"#, &server) == [])
  }

  @Test(arguments: [
    #"{"measured":[[1,2,3]]}"#, #"{"within":5}"#, #"{"measured":[],"within":5}"#,
    #"{"measured":[[1,2]],"within":5}"#, #"{"measured":[[1,2,3,4]],"within":5}"#,
    #"{"measured":[1],"within":5}"#, #"{"measured":[[1,2,-1]],"within":5}"#,
    #"{"measured":[[1,2,3]],"within":-1}"#, #"{"measured":[[1,2,3]],"within":60000001}"#,
    #"{"measured":[[1,2.5,3]],"within":5}"#, #"{"measured":[["1",2,3]],"within":5}"#,
    #"{"measured":[[1,2,3]],"measured":[[1,2,3]],"within":5}"#,
    #"{"measured":[[99999999999999999999,2,3]],"within":5}"#,
    #"{"measured":["# + Array(repeating: "[1,2,3]", count: 17).joined(separator: ",")
      + #"],"within":5}"#,
  ])
  func `anything else is a bad message`(text: String) throws {
    var (server, _) = try server()
    let answer = say(text, &server).first
    guard case .send(_, let bytes)? = answer else {
      Issue.record("no answer")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains("bad_message"))
  }

  @Test func `frames that no page ever reports are forgotten`() throws {
    var measures = FrameMeasures(connectedAt: MonotonicTime(milliseconds: 0))
    for number in 0..<100 {
      let frame = MeasuredFrame(
        page: page, number: number, venues: [.isin], shown: MonotonicTime(milliseconds: 0))
      measures.wrote(frame, at: MonotonicTime(milliseconds: 0))
    }
    let known = [67, 68, 99].map { measures.take($0) != nil }
    #expect(known == [false, true, true])
  }

  @Test func `a pong contains the moment by the connection's clock`() throws {
    var (server, _) = try server()
    #expect(
      say(#"{"ping":4}"#, &server, at: 1234)
        == [.send(page, Array(#"{"pong":4,"at":234000}"#.utf8))])
  }

  @Test func `a page with the ladder open is updated once a second`() {
    var server = TopicServer(catalogue: .screens(origin: .simulated))
    _ = server.connect(page, at: time(1000))
    let unseen = server.wantsLatency(at: time(1000))
    #expect(!unseen)
    _ = say(#"{"open":["latency"]}"#, &server, at: 1000)
    let due = [1000, 1999, 2000].map { server.wantsLatency(at: time($0)) }
    #expect(due == [true, false, true])
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 1000)
    ladder.record(.sent, 1_500_001, at: MonotonicTime(milliseconds: 1000))
    _ = server.publish(
      LatencyState(reports: [ladder.report(at: time(2000))]), as: .latency, at: time(2000))
    let sent = server.frames(at: time(3000)).compactMap { effect -> String? in
      guard case .send(_, let bytes) = effect else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      sent.joined().contains(
        #""kraken":{"rungs":[{"rung":"sent","span":"lastMinute","count":1,"latest":1501,"#))
  }
}
