// When pages get frames: at once after a quiet moment, then at each page's requested pace, and
// never at another page's.

import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct TopicServerPaceTests {
  /// A page with X and its price, after a quiet moment.
  private func quietHost() -> TopicServerHost {
    var host = TopicServerHost()
    host.say(#"{"open":["quote/X"]}"#, host.one)
    host.quote("1", of: "X")
    host.advance(1000)
    _ = host.take(host.one)
    return host
  }

  @Test func `a lone tick goes out at once, and so does the next after a quiet interval`() {
    var host = quietHost()
    for (price, wait) in [("2", Int64(0)), ("3", 40), ("4", 1000)] {
      host.advance(wait)
      host.quote(price, of: "X")
      host.settle()
      let sent = host.take(host.one)
      #expect(sent.map(\.at) == [host.now.wall.milliseconds])
      #expect(sent.first?.text.contains(#""patch":{"price":"\#(price)"}"#) == true)
    }
  }

  @Test func `of a burst the first goes out at once and the latest an interval later`() {
    var host = quietHost()
    let start = host.now.wall.milliseconds
    for price in 10..<20 {
      host.quote("\(price)", of: "X")
      host.settle()
    }
    host.advance(1000)
    let sent = host.take(host.one)
    #expect(sent.count == 2)
    #expect(sent.first?.at == start && sent.first?.text.contains(#""price":"10""#) == true)
    #expect(sent.last.map { (33...38).contains($0.at - start) } == true)
    #expect(sent.last?.text.contains(#""price":"19""#) == true)
  }

  @Test func `changes that come together are one frame`() {
    var host = quietHost()
    host.quote("2", of: "X")
    host.quote("3", of: "X")
    host.settle()
    host.advance(1000)
    let sent = host.take(host.one)
    #expect(sent.count == 1)
    #expect(sent.first?.text.contains(#""price":"3""#) == true)
  }

  @Test(arguments: [
    (33, ""), (16, #"{"frameMilliseconds":16}"#), (500, #"{"frameMilliseconds":500}"#),
  ])
  func `under load a page gets no more than the frames it requested`(
    interval: Int64, message: String
  ) {
    var host = quietHost()
    if !message.isEmpty { host.say(message, host.one) }
    for tick in 0..<3000 {
      host.quote("\(tick)", of: "X")
      host.settle()
      host.advance(1)
    }
    host.advance(interval * 2)
    let times = host.take(host.one).map(\.at)
    #expect(times.count > 3000 / (interval * 5 / 4) && times.count <= 3000 / interval + 2)
    // Texts show whole milliseconds.
    for (before, after) in zip(times, times.dropFirst()) { #expect(after - before >= interval - 1) }
  }

  @Test func `values are read once a frame, not once a message`() {
    var host = quietHost()
    let before = host.reads
    for tick in 0..<1000 {
      host.quote("\(tick)", of: "X")
      host.settle()
      host.advance(1)
    }
    #expect((25...32).contains(host.reads - before))
  }

  @Test func `a busy page holds no other page back, and each keeps its own pace`() {
    var host = quietHost()
    host.say(#"{"open":["quote/Y"],"close":[]}"#, host.two)
    host.quote("1", of: "Y")
    host.advance(500)
    _ = host.take(host.two)
    for tick in 0..<100 {
      host.quote("\(tick)", of: "X")
      host.settle()
      host.advance(1)
      if tick == 50 {
        host.quote("7", of: "Y")
        host.settle()
        #expect(host.take(host.two).map(\.at) == [host.now.wall.milliseconds])
      }
    }
    #expect(host.take(host.two).isEmpty)
  }

  @Test func `a fast and a slow page of one topic end with the same state`() {
    var host = quietHost()
    host.say(#"{"open":["quote/X"]}"#, host.two)
    host.say(#"{"frameMilliseconds":16}"#, host.two)
    host.advance(100)
    _ = host.take(host.two)
    for tick in 0..<1000 {
      host.quote("\(tick)", of: "X")
      host.settle()
      host.advance(1)
    }
    host.advance(100)
    let (slow, fast) = (host.take(host.one), host.take(host.two))
    #expect(fast.count > slow.count * 3 / 2)
    #expect(slow.last?.text.contains(#""seq":\#(slow.count),"patch":{"price":"999"}"#) == true)
    #expect(fast.last?.text.contains(#""seq":\#(fast.count),"patch":{"price":"999"}"#) == true)
  }

  @Test func `many pages that look at one stream fall on few moments`() {
    var server = TopicServer(catalogue: .scripted)
    var random = SplitMix64(seed: 7)
    let pages = (1...64).map(PageID.init(number:))
    for page in pages {
      let now = MonotonicTime(nanoseconds: 1_000_000_000 + Int64(random.below(500_000_000)))
      let reading = ClockReading(monotonic: now, wall: Timestamp(nanoseconds: now.nanoseconds))
      _ = server.connect(page, at: reading)
      _ = server.receive(Array(#"{"open":["plain/a"]}"#.utf8), from: page, at: reading)
      _ = server.frame(at: reading) { _ in nil }
      _ = server.requestFrame(for: [page], .counts, at: reading)
    }
    let phases = server.pages.values.compactMap(\.pacer.due).map { $0.nanoseconds % 33_000_000 }
    #expect(Set(phases).count <= 8)
  }

  @Test func `counters of a connection wait for company, a phase does not`() {
    var host = quietHost()
    host.say(#"{"open":["status"]}"#, host.one)
    host.status(messages: 1)
    host.advance(2000)
    _ = host.take(host.one)
    let wakes = host.wakes
    host.status(messages: 2)
    host.settle()
    #expect(host.wakes == wakes)
    host.quote("9", of: "X")
    host.settle()
    #expect(host.take(host.one).map(\.at) == [host.now.wall.milliseconds], "not held back")
    #expect(host.server.slots["status"]?.isDirty == false, "it went along")
    host.advance(100)
    host.status(messages: 3, .stale)
    host.settle()
    #expect(host.server.slots["status"]?.isDirty == false)
  }

  @Test func `counters go on their own after a second`() {
    var host = quietHost()
    host.status(messages: 1)
    host.advance(100)
    host.status(messages: 2)
    #expect(host.server.slots["quote/X"]?.isDirty == true)
    host.advance(1000)
    #expect(host.server.slots["quote/X"]?.isDirty == false)
  }

  @Test func `a change without a new value costs no pace`() {
    var host = quietHost()
    // Like the feed hub four times a second, without another value.
    host.quote("1", of: "X")
    host.settle()
    #expect(host.take(host.one).isEmpty)
    host.quote("2", of: "X")
    host.settle()
    #expect(host.take(host.one).map(\.at) == [host.now.wall.milliseconds])
  }

  @Test func `invisible changes are read no more often than others`() throws {
    var host = quietHost()
    let symbol = try #require(Symbol("X"))
    let wakes = host.wakes
    for tick in 0..<1000 {
      host.values[MarketKey(.isin, .quote, symbol)] = .quote(
        QuoteView(
          symbol: symbol, price: FixedDecimal("1"), changes: UInt64(tick),
          freshness: .waiting(.simulated)))
      _ = host.server.changed(MarketKey(.isin, .quote, symbol), at: host.now)
      host.advance(1)
    }
    #expect(host.take(host.one).isEmpty)
    #expect(host.wakes - wakes <= 31)
  }

  @Test func `an opened topic waits a moment for its values and comes with them`() {
    var host = TopicServerHost()
    host.say(#"{"open":["quote/X"]}"#, host.one)
    host.advance(10)
    #expect(host.sent.isEmpty)
    host.quote("1", of: "X")
    host.settle()
    let first = host.take(host.one)
    #expect(first.map(\.at) == [1010])
    #expect(first.first?.text.contains(#""snapshot":{"note":"quiet","price":"1"}"#) == true)
    host.say(#"{"open":["quote/X"]}"#, host.two)
    host.settle()
    #expect(host.take(host.two).map(\.at) == [1010], "its values are there already")
    host.say(#"{"open":["quote/Y"]}"#, host.two)
    host.advance(1000)
    #expect(host.take(host.two).count == 1, "without values it comes all the same")
  }

  @Test func `a stream is not read while its only page is blocked`() {
    var host = TopicServerHost()
    host.say(#"{"open":["quote/X"]}"#, host.one)
    host.advance(100)
    host.server.pause(host.one)
    let before = host.reads
    host.quote("5", of: "X")
    host.advance(1000)
    #expect(host.reads == before)
  }

  @Test func `a clock that goes back or leaps neither stops frames nor hurries them`() {
    var host = quietHost()
    host.quote("2", of: "X")
    host.settle()
    host.now = ClockReading(milliseconds: 10)
    host.quote("3", of: "X")
    host.settle()
    host.advance(100)
    host.now = ClockReading(milliseconds: 1_000_000_000)
    host.quote("4", of: "X")
    host.settle()
    host.quote("5", of: "X")
    host.advance(1000)
    #expect(host.take(host.one).count == 4)
  }

  @Test(arguments: UInt64(1)...20)
  func `whatever pages do, each ends with the latest state and never beats its pace`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    var host = TopicServerHost()
    let names = ["X", "Y", "Z"]
    for page in [host.one, host.two] {
      host.say(#"{"open":["quote/X","quote/Y","quote/Z"]}"#, page)
    }
    host.say(#"{"frameMilliseconds":16}"#, host.two)
    for step in 0..<3000 {
      host.quote("\(step)", of: names[Int(random.below(3))])
      if random.below(3) == 0 { host.settle() }
      if random.below(50) == 0 { perform(&random, on: &host) }
      host.advance([0, 1, 7, 40][Int(random.below(4))])
    }
    for page in [host.one, host.two] { host.resume(page) }
    for name in names { host.quote("123456", of: name) }
    host.advance(2000)
    for (page, interval) in [(host.one, Int64(33)), (host.two, 16)] {
      let sent = host.take(page)
      for (before, after) in zip(sent, sent.dropFirst()) {
        #expect(after.at - before.at >= interval - 1, "seed \(seed)")
      }
      for name in names {
        let last = sent.last { $0.text.contains(#""topic":"quote/\#(name)""#) }
        #expect(last?.text.contains(#""price":"123456""#) == true, "seed \(seed)")
      }
    }
  }

  private func perform(_ random: inout SplitMix64, on host: inout TopicServerHost) {
    let page = random.below(2) == 0 ? host.one : host.two
    switch random.below(3) {
    case 0: host.server.pause(page)
    case 1: host.resume(page)
    default: host.status(messages: Int64(random.below(100)))
    }
  }
}
