// The connection's side of a session: welcome, topics, errors, reconnects.

import MarketModel
import OrderBook
import Testing

@testable import VenueProtocols

@Suite struct BitMEXSessionTests {
  let xbtusd = symbol("XBTUSD")
  let partial = Wire.partial("1 Sell 101 10", "2 Buy 100 7")

  @Test func `nothing is requested before the welcome, everything after it`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd), ready: false)
    #expect(harness.input(.opened).isEmpty)
    #expect(harness.receive(#"{"unknown":1}"#).isEmpty)
    harness.receive(SessionHarness.welcome)
    #expect(harness.effects.first == .ready)
    #expect(harness.sent == [Wire.subscribeBook])
    #expect(harness.receive(SessionHarness.welcome).isEmpty, "ready once")
  }

  @Test func `welcomes of every year are understood`() {
    for rest in [
      #""version":"1.2.0","heartbeatEnabled":false"#, #""limit":{"remaining":39}"#, #""limit":{}"#,
      #""version":"2.0.0","timestamp":"2026-09-02T07:44:44.033Z","appName":"ws-feedhandler""#,
    ] {
      var harness = SessionHarness(ready: false)
      harness.input(.opened)
      harness.receive(#"{"info":"Welcome to the BitMEX Realtime API.",\#(rest)}"#)
      #expect(harness.effects == [.ready])
    }
  }

  @Test func `data that comes before the welcome is used`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd), ready: false)
    harness.input(.opened)
    harness.receive(partial)
    #expect(harness.effects == [.changed(.init(.book, xbtusd))])
    #expect(harness.table(xbtusd) == "100×7 | 101×10")
  }

  @Test func `a welcome that does not come within ten seconds ends the connection`() {
    var harness = SessionHarness(ready: false)
    harness.input(.opened)
    #expect(harness.wait(9000).isEmpty)
    guard case .reconnect? = harness.wait(1500).first else {
      Issue.record("no reconnect")
      return
    }
    #expect(harness.wait(250).isEmpty, "said once")
  }

  @Test func `topics go out in requests of ten, the instrument once`() {
    let symbols = (1...7).compactMap { Symbol("SYM\($0)") }
    var harness = SessionHarness(ready: false)
    harness.input(.wanted(Set(symbols.flatMap { [.init(.book, $0), .init(.trades, $0)] })))
    harness.open()
    #expect(harness.sent.count == 3)
    let topics = harness.sent.flatMap { $0.split(separator: "\"").filter { $0.contains(":S") } }
    #expect(topics.count == 28)
    #expect(Set(topics).count == 28)
    #expect(harness.sent[0].split(separator: ",").count == 11)
  }

  @Test func `a changed subscription requests only the difference`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.input(.wanted([.init(.book, xbtusd), .init(.trades, xbtusd)]))
    #expect(harness.sent == [#"{"op":"subscribe","args":["trade:XBTUSD"]}"#])
    harness.input(.wanted([.init(.trades, xbtusd)]))
    #expect(
      harness.sent == [
        #"{"op":"unsubscribe","args":["orderBookL2:XBTUSD","orderBookL2_25:XBTUSD"]}"#
      ])
    harness.input(.wanted([.init(.trades, xbtusd)]))
    #expect(harness.effects.isEmpty)
    harness.input(.wanted([.init(.quote, xbtusd), .init(.trades, xbtusd)]))
    #expect(harness.sent == [#"{"op":"subscribe","args":["quote:XBTUSD"]}"#])
    harness.input(.wanted([]))
    #expect(
      harness.sent == [
        #"{"op":"unsubscribe","args":["trade:XBTUSD","quote:XBTUSD","instrument:XBTUSD"]}"#
      ])
  }

  @Test func `after a reconnect exactly the subscribed topics are requested, each once`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd), .init(.trades, xbtusd))
    harness.receive(partial)
    harness.input(.closed)
    harness.input(.wanted([.init(.book, xbtusd)]))
    #expect(harness.effects.isEmpty, "nothing can be sent while closed")
    harness.open()
    #expect(harness.sent == [Wire.subscribeBook])
  }

  @Test func `a closed connection shows everything as disconnected until the next partial`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd), .init(.trades, xbtusd))
    harness.receive(partial)
    harness.receive(Wire.trades("partial", "36:01.000 Buy 101 5"))
    harness.input(.closed)
    #expect(harness.effects == [.changed(.init(.book, xbtusd)), .changed(.init(.trades, xbtusd))])
    #expect(harness.book(xbtusd)?.freshness.state == .disconnected)
    #expect(harness.book(xbtusd)?.freshness.confirmedAt != nil)
    #expect(harness.tape(xbtusd)?.freshness.state == .disconnected)
    #expect(harness.table(xbtusd) == "100×7 | 101×10", "the last known values stay visible")
    harness.open()
    #expect(harness.book(xbtusd)?.freshness.state == .resyncing)
    #expect(harness.tape(xbtusd)?.freshness.state == .resyncing)
    harness.receive(Wire.change("update", "2 Buy - 99"))
    #expect(harness.table(xbtusd) == "100×7 | 101×10", "changes before the partial are dropped")
    harness.receive(partial)
    #expect(harness.book(xbtusd)?.freshness.state == .live)
  }

  @Test func `a reconnect during a resync leaves one clean subscription`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(partial)
    harness.receive(Wire.change("insert", "5 Buy 200 1"))
    #expect(harness.book(xbtusd)?.status == .resyncing)
    harness.input(.closed)
    harness.open()
    #expect(harness.sent == [Wire.subscribeBook])
    harness.receive(partial)
    #expect(harness.book(xbtusd)?.status == .synced)
    #expect(harness.wait(20_000).isEmpty)
  }

  @Test func `an unsubscribe during a resync is the last word`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(partial)
    harness.receive(Wire.change("insert", "5 Buy 200 1"))
    harness.input(.wanted([]))
    #expect(harness.sent == [Wire.unsubscribeBook])
    harness.receive(partial)
    #expect(harness.effects.isEmpty, "a late snapshot is not wanted any more")
    #expect(harness.wait(30_000).isEmpty)
    #expect(harness.book(xbtusd)?.status == .waiting)
    harness.input(.wanted([.init(.book, xbtusd)]))
    #expect(harness.sent == [Wire.subscribeBook])
    #expect(harness.book(xbtusd)?.status == .waiting)
    harness.receive(partial)
    #expect(harness.table(xbtusd) == "100×7 | 101×10")
  }

  @Test func `being subscribed already is no error`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(
      #"{"status":400,"error":"You are already subscribed to this topic: orderBookL2:XBTUSD","#
        + #""meta":{},"request":{"op":"subscribe","args":["orderBookL2:XBTUSD"]}}"#
    )
    #expect(harness.effects.isEmpty)
    #expect(harness.session.value(for: .init(.book, xbtusd), at: harness.now) != nil)
  }

  @Test(
    arguments: [
      (
        #"{"status":429,"error":"Rate limit exceeded, retry in 1 seconds.","#
          + #""meta":{"retryAfter":7}}"#,
        7
      ),
      (#"{"error":"Rate limit exceeded, retry in 29 seconds."}"#, 29),
      (#"{"status":429,"error":"slow down","meta":{}}"#, nil),
      (#"{"status":429,"error":"retry in 99999999999999999999 seconds"}"#, nil),
    ] as [(String, Int?)])
  func `a rate limit names the wait`(text: String, seconds: Int?) {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    guard case .reconnect(let problem)? = harness.receive(text).first else {
      Issue.record("no reconnect")
      return
    }
    #expect(problem.kind == .rateLimited(retryAfterSeconds: seconds))
  }

  @Test(arguments: [
    #"{"status":401,"error":"Signature not valid.","meta":{},"request":{"op":"authKey","#
      + #""args":["x",1588893594859,"y"]}}"#,
    #"{"error":{"message":"Invalid API Key.","name":"HTTPError"}}"#,
  ])
  func `a lack of permission is final`(text: String) {
    var harness = SessionHarness()
    guard case .refuse(let problem)? = harness.receive(text).first else {
      Issue.record("not refused")
      return
    }
    #expect(problem.kind == .unauthorized)
  }

  @Test func `one unknown topic does not take the others of its request with it`() {
    let nope = symbol("NOPE")
    var harness = SessionHarness(wanting: .init(.book, xbtusd), .init(.book, nope))
    harness.receive(
      #"{"status":400,"error":"Unknown or expired symbol.","meta":{},"#
        + #""request":{"op":"subscribe","args":["orderBookL2:NOPE","instrument:NOPE","#
        + #""orderBookL2:XBTUSD","instrument:XBTUSD"]}}"#
    )
    #expect(
      harness.sent
        == ["orderBookL2:NOPE", "instrument:NOPE", "orderBookL2:XBTUSD", "instrument:XBTUSD"].map {
          #"{"op":"subscribe","args":["\#($0)"]}"#
        })
    harness.receive(
      #"{"status":400,"error":"Unknown or expired symbol.","request":{"op":"subscribe","#
        + #""args":"orderBookL2:NOPE"}}"#
    )
    guard case .rejected(let problem)? = harness.effects.first else {
      Issue.record("not rejected")
      return
    }
    #expect(problem.kind == .unknownSymbol)
    #expect(harness.effects.last == .changed(.init(.book, nope)))
    #expect(harness.book(nope)?.isKnown == false && harness.book(xbtusd)?.isKnown == true)
    #expect(harness.wait(30_000).allSatisfy { $0 != .changed(.init(.book, nope)) })
    harness.receive(partial)
    #expect(harness.table(xbtusd) == "100×7 | 101×10")
  }

  @Test func `other errors are reported and change nothing`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(partial)
    harness.receive(#"{"status":503,"error":"overloaded"}"#)
    guard case .rejected(let problem)? = harness.effects.first else {
      Issue.record("not rejected")
      return
    }
    #expect(problem.kind == .venueError)
    #expect(harness.effects.count == 1)
    #expect(harness.book(xbtusd)?.status == .synced)
  }

  @Test(arguments: [
    "{}", #"{"now":"2015-09-02T14:18:43.536Z","cancelTime":"x"}"#,
    #"{"table":"liquidation","action":"partial","data":[]}"#, #"{"table":"new","x":[[{}]]}"#,
    #"{"table":"orderBook10","action":"update","data":[{"symbol":"XBTUSD","asks":[[1,2]]}]}"#,
    #"{"success":true,"unsubscribe":"trade:XBTUSD","request":{"op":"unsubscribe","args":[]}}"#,
  ])
  func `unknown messages are ignored`(text: String) {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(partial)
    #expect(harness.receive(text).isEmpty)
    #expect(harness.book(xbtusd)?.status == .synced)
  }

  @Test func `an error key decides before a table key`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(partial)
    harness.receive(
      #"{"table":"orderBookL2","action":"delete","data":[{"symbol":"XBTUSD","id":1}],"error":"x"}"#)
    #expect(harness.table(xbtusd) == "100×7 | 101×10")
  }

  @Test func `keys may come in any order`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(
      #" { "data" : [ {"price":100,"size":7,"side":"Buy","id":2,"symbol":"XBTUSD"} ] ,"#
        + #""filter":{"pool":"Aggregated","symbol":"XBTUSD"}, "action":"partial" ,"#
        + #" "table":"orderBookL2" } "#
    )
    #expect(harness.table(xbtusd) == "100×7 | ")
  }

  @Test func `ping is sent as text, by the venue's times`() {
    let policy = BitMEXSession(origin: .venue).heartbeat
    #expect(policy.probe == .text("ping"))
    #expect(policy.probeAfterMilliseconds == 5000)
    #expect(policy.deadAfterMilliseconds == 5000)
  }

  @Test func `values that have not arrived yet are waiting`() {
    let session = BitMEXSession(origin: .venue)
    let now = ClockReading(milliseconds: 0)
    for channel in [Channel.book, .trades, .quote] {
      let value = session.value(for: .init(channel, xbtusd), at: now)
      let state: FreshnessState? =
        switch value {
        case .book(let view): view.freshness.state
        case .trades(let view): view.freshness.state
        case .quote(let view): view.freshness.state
        case .figures(let view): view.freshness.state
        case .listing(let view): view.freshness.state
        case nil: nil
        }
      #expect(state == .waiting)
    }
  }

  @Test func `messages on a closed connection are not used`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.input(.closed)
    #expect(harness.receive(partial).isEmpty)
    #expect(harness.table(xbtusd) == " | ")
  }

  /// An image without rows, which the venue sends for any unknown name.
  private func nothing(_ table: String, _ name: String) -> String {
    #"{"table":"\#(table)","action":"partial","keys":[],"types":{},"#
      + #""filter":{"symbol":"\#(name)"},"data":[]}"#
  }

  @Test func `an instrument that the venue does not list is never live, and shown as unknown`() {
    let nope = symbol("NOPE")
    let streams = [Subscription(.book, nope), .init(.trades, nope), .init(.quote, nope)]
    var harness = SessionHarness(wanting: streams[0], streams[1], streams[2])
    for table in ["orderBookL2", "orderBookL2_25", "trade", "quote"] {
      harness.receive(nothing(table, "NOPE"))
      #expect(harness.book(nope)?.freshness.state == .waiting, "\(table)")
      #expect(harness.tape(nope)?.freshness.state == .waiting, "\(table)")
      #expect(harness.quote(nope)?.freshness.state == .waiting, "\(table)")
      #expect(harness.book(nope)?.isKnown == true, "nobody has said so yet")
    }
    harness.receive(nothing("instrument", "NOPE"))
    guard case .rejected(let problem)? = harness.effects.first else {
      Issue.record("nothing was said")
      return
    }
    #expect(problem.kind == .unknownSymbol && problem.userMessage == "BitMEX does not offer NOPE.")
    for stream in streams { #expect(harness.effects.contains(.changed(stream))) }
    #expect(harness.sent.allSatisfy { $0.contains("unsubscribe") } && !harness.sent.isEmpty)
    #expect(harness.book(nope)?.isKnown == false && harness.tape(nope)?.isKnown == false)
    harness.wait(20_000)
    #expect(harness.sent.allSatisfy { !$0.contains("NOPE") }, "and not asked for again")
    #expect(harness.book(nope)?.freshness.state == .waiting)
  }

  @Test func `an unlisted instrument's topics are refused even before they are requested`() {
    let nope = symbol("NOPE")
    var harness = SessionHarness()
    // Three topics are left in the budget: book, audit and details, but not trades.
    let crowd = (0..<19).compactMap { Symbol("CROWD\($0)") }.map { Subscription(.book, $0) }
    harness.input(.wanted(Set(crowd)))
    harness.input(.wanted(Set(crowd + [.init(.book, nope), .init(.trades, nope)])))
    #expect(harness.sent.contains { $0.contains("instrument:NOPE") })
    #expect(!harness.sent.contains { $0.contains("trade:NOPE") })
    harness.receive(nothing("instrument", "NOPE"))
    #expect(harness.book(nope)?.isKnown == false && harness.tape(nope)?.isKnown == false)
    harness.wait(20_000)
    #expect(harness.sent.allSatisfy { !$0.contains("NOPE") })
  }

  @Test func `a second view of an unlisted instrument is unknown at once`() {
    let nope = symbol("NOPE")
    var harness = SessionHarness(wanting: .init(.trades, nope))
    harness.receive(nothing("instrument", "NOPE"))
    harness.input(.wanted([.init(.trades, nope), .init(.book, nope)]))
    #expect(harness.book(nope)?.isKnown == false)
    #expect(harness.sent.isEmpty)
    // Without viewers the rejection is dropped, and the next view sends a request.
    harness.input(.wanted([]))
    harness.input(.wanted([.init(.book, nope)]))
    #expect(harness.sent.contains { $0.contains("instrument:NOPE") })
    #expect(harness.book(nope)?.isKnown == true)
  }
}
