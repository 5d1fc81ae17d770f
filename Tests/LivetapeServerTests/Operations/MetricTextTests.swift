// Figures in Prometheus's text format.

import CoreMetrics
import MarketModel
import MarketStreams
import Testing

@testable import LivetapeServer

@Suite struct MetricTextTests {
  private func text(_ families: MetricFamily...) -> [String] {
    var text = MetricText()
    for family in families { text.add(family) }
    return text.text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    (MetricNumber.integer(-3), "-3"), (.nanoseconds(250_000_000), "0.25"), (.nanoseconds(0), "0"),
    (.nanoseconds(1), "0.000000001"), (.nanoseconds(-1_500_000_000), "-1.5"), (.none, "NaN"),
    (.nanoseconds(.min), "-9223372036.854775808"), (.real(.infinity), "+Inf"),
    (.real(-.infinity), "-Inf"), (.real(.nan), "NaN"), (.real(0.5), "0.5"), (.flag(true), "1"),
    (.count(UInt64.max), "9223372036854775807"), (.milliseconds(1250), "1.25"),
  ])
  func `numbers are written exactly`(number: MetricNumber, expected: String) {
    #expect(number.text == expected)
  }

  @Test func `a family has help, kind and its samples together`() {
    let family = MetricFamily(
      name: "a_total", kind: .counter, help: "What\nhappened \\ \"so\"",
      samples: [
        MetricSample(.integer(1), ("venue", "kraken"), ("level", "live")),
        MetricSample(.integer(2), suffix: "_sum"),
      ])
    #expect(
      text(family) == [
        #"# HELP a_total What\nhappened \\ "so""#, "# TYPE a_total counter",
        #"a_total{venue="kraken",level="live"} 1"#, "a_total_sum 2",
      ])
  }

  @Test func `values of labels are escaped and bounded, and so is their number`() {
    let long = String(repeating: "ä", count: 80)
    var family = MetricFamily(name: "a", kind: .gauge, help: "")
    family.samples = ["a\"b", "a\\b", "a\nb", "\r\n", long].map {
      MetricSample(.integer(1), ("x", $0))
    }
    #expect(
      text(family).suffix(5) == [
        #"a{x="a\"b"} 1"#, #"a{x="a\\b"} 1"#, #"a{x="a\nb"} 1"#, "a{x=\"\r\\n\"} 1",
        "a{x=\"\(long.prefix(MetricText.maximumLabel))\"} 1",
      ])
    family.samples = Array(
      repeating: MetricSample(.integer(1)), count: MetricText.maximumSamples + 9)
    #expect(text(family).count == MetricText.maximumSamples + 2)
  }

  @Test func `the latency ladder comes out rung by rung, in seconds`() {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 0)
    let now = MonotonicTime(nanoseconds: 5_000_000_000)
    ladder.record(.decoded, 1_500_000, at: now)
    let empty = LatencyLadder(venue: .bitmex, pings: .none, resolution: 0)
    let reading = ClockReading(monotonic: now, wall: Timestamp(nanoseconds: 9_000_000_000))
    let families = LatencyReport.families(of: [ladder, empty].map { $0.report(at: reading) })
    let lines = families.flatMap { text($0) }.filter { !$0.hasPrefix("#") }
    #expect(lines.count == 4, "what was not measured has no sample")
    #expect(
      lines.last
        == #"livetape_latency_seconds{venue="kraken",rung="decoded",quantile="1"} 0.0015"#)
  }

  @Test func `behind a bus the reader's clock comes out with its uncertainty`() {
    var ladder = LatencyLadder(venue: .kraken, pings: .timed, resolution: 0)
    let (sent, back) = (MonotonicTime(milliseconds: 5000), MonotonicTime(milliseconds: 5002))
    let there = Timestamp(milliseconds: 9101)
    ladder.take(ReaderTime(epoch: 1, sent: sent, got: there, answered: there, received: back))
    ladder.relayed(
      RelayedMessage(
        epoch: 1, read: Timestamp(milliseconds: 9102), held: 250_000, venueClock: nil),
      dated: nil, at: back)
    let reading = ClockReading(monotonic: back, wall: Timestamp(milliseconds: 9002))
    let lines = LatencyReport.families(of: [ladder.report(at: reading)]).flatMap { text($0) }
    for line in [
      #"livetape_latency_seconds{venue="kraken",rung="reader",quantile="0.5"} 0.00025"#,
      #"livetape_reader_clock_offset_seconds{venue="kraken"} 0.1"#,
      #"livetape_reader_clock_uncertainty_seconds{venue="kraken"} 0.001001001"#,
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(lines.contains { $0.contains(#"rung="bus""#) })
  }

  @Test func `counters, gauges and timers of the metrics API come out`() {
    let registry = PrometheusRegistry(help: ["a_b": "Of the API."])
    let counter = Counter(label: "a.b", dimensions: [("venue", "x")], factory: registry)
    counter.increment(by: 2)
    Counter(label: "a.b", dimensions: [("venue", "x")], factory: registry).increment()
    Meter(label: "m", dimensions: [], factory: registry).set(0.5)
    Gauge(label: "g", dimensions: [], factory: registry).record(7)
    let timer = CoreMetrics.Timer(label: "t", dimensions: [], factory: registry)
    for milliseconds in 1...100 { timer.recordMilliseconds(milliseconds) }
    var text = MetricText()
    for family in registry.families { text.add(family) }
    #expect(
      text.text == """
        # HELP a_b Of the API.
        # TYPE a_b counter
        a_b{venue="x"} 3
        # HELP g 
        # TYPE g gauge
        g 7
        # HELP m 
        # TYPE m gauge
        m 0.5
        # HELP t 
        # TYPE t summary
        t{quantile="0.5"} 0.05
        t{quantile="0.99"} 0.099
        t_sum 5.05
        t_count 100

        """)
    counter.destroy()
    #expect(registry.families.map(\.name) == ["g", "m", "t"])
  }

  @Test func `a timer's percentiles are of its latest values, its sum of all`() {
    let cell = MetricCell(.summary, isTime: false)
    for _ in 0..<MetricCell.window { cell.record(Int64(1_000_000)) }
    for _ in 0..<MetricCell.window { cell.record(Int64(1)) }
    let values = cell.samples([]).map(\.value)
    #expect(values[0] == .integer(1) && values[1] == .integer(1))
    #expect(values[2] == .integer(Int64(MetricCell.window) * 1_000_001))
    #expect(values[3] == .integer(Int64(MetricCell.window) * 2))
  }

  @Test func `no more series than the bound are kept, and none of another kind`() {
    let registry = PrometheusRegistry()
    for number in 0..<(PrometheusRegistry.maximumSeries + 50) {
      Counter(label: "a", dimensions: [("n", "\(number)")], factory: registry).increment()
    }
    #expect(registry.families.first?.samples.count == PrometheusRegistry.maximumSeries)
    let other = PrometheusRegistry()
    Counter(label: "a", dimensions: [], factory: other).increment()
    Meter(label: "a", dimensions: [], factory: other).set(9)
    #expect(other.families.map(\.kind) == [.counter])
  }

  @Test func `percentiles of few values are values among them`() {
    #expect([Int64]().percentile(500) == nil)
    #expect([Int64(7)].percentile(990) == 7)
    #expect([Int64(1), 2, 3, 4].percentile(500) == 2)
    #expect([Int64(1), 2, 3, 4].percentile(1000) == 4)
  }

  @Test func `seconds not proven are those of books that were shown without a proof`() throws {
    var reading = OperationsReading(now: ClockReading(milliseconds: 0))
    reading.connections[.kraken] = ConnectionStatus(
      venue: .kraken, origin: .simulated, since: reading.now)
    reading.truths[.kraken] = [
      .proven: 5000, .live: 250, .late: 1000, .resyncing: 20, .blind: 3, .closed: 7,
      .unwatched: 90_000,
    ]
    var text = MetricText()
    for family in reading.families { text.add(family) }
    #expect(
      text.text.contains(#"livetape_venue_not_proven_seconds_today{venue="kraken"} 1.273"# + "\n"))
    #expect(
      text.text.contains(
        #"livetape_venue_book_seconds_today{venue="kraken",level="proven"} 5"# + "\n"))
    #expect(!text.text.contains("unwatched"))
  }

  @Test func `frames, conflated changes and full sockets are counted`() {
    var host = TopicServerHost()
    host.say(#"{"open":["quote/A"]}"#, host.one)
    host.settle()
    let frames = host.server.counts.frames
    host.quote("1", of: "A")
    host.quote("2", of: "A")
    #expect(host.server.counts.conflated == 1)
    host.advance(100)
    #expect(host.server.counts.frames == frames + 1)
    host.server.pause(host.one)
    host.server.pause(host.one)
    #expect(host.server.counts.fallenBehind == 1)
  }
}
