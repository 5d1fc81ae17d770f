// One event, one text: what is stored and hashed.

import MarketModel
@testable import OrderLedger
import PaperTrading
import Testing
import WireJSON

@Suite struct `Event texts` {
  @Test func `every event of a long run is read back as it was`() throws {
    let events = try LedgerFolder().events(3000)
    let kinds = Set(events.map { EventCodec.encode($0).split(separator: "\"")[9] })
    #expect(kinds == ["accepted", "rejected", "filled", "amended", "cancelled"])
    for event in events {
      let text = EventCodec.encode(event)
      #expect(try EventCodec.decode(text) == event)
      #expect(text.utf8.count < PayloadReader.maximumBytes / 2)
    }
  }

  @Test func `the texts are a stored format`() throws {
    let name = try #require(ClientOrderIdentifier("a-1"))
    let symbol = try #require(Symbol("AAPL"))
    let request = OrderRequest(
      clientIdentifier: name, symbol: symbol, side: .buy, kind: .limit(Price(units: 5)),
      quantity: Quantity(units: -9))
    let one = OrderIdentifier(number: 1)
    let level = PriceLevel(price: Price(units: 7), quantity: Quantity(units: 0))
    let snapshot = TopOfBook(number: 3, venueTime: 4, bid: nil, ask: level)
    let changes: [(OrderEvent.Change, String)] = [
      (
        .rejected(
          Placement(identifier: one, request: request, arrival: snapshot),
          .quantityNotPositive(Quantity(units: -9))),
        #""rejected","order":1,"client":"a-1","symbol":"AAPL","side":"buy","limit":5,"#
          + #""quantity":-9,"arrival":{"tick":3,"venueTime":4,"bid":null,"ask":[7,0]},"#
          + #""reason":"quantityNotPositive","values":[-9]"#
      ),
      (
        .accepted(Placement(identifier: one, request: request, arrival: nil)),
        #""accepted","order":1,"client":"a-1","symbol":"AAPL","side":"buy","limit":5,"#
          + #""quantity":-9,"arrival":null"#
      ),
      (
        .filled(
          one,
          OrderFill(
            quantity: Quantity(units: 2), price: Price(units: 5), offered: Quantity(units: 6),
            tickNumber: 8, venueTime: .max)),
        #""filled","order":1,"quantity":2,"price":5,"offered":6,"tick":8,"#
          + #""venueTime":18446744073709551615"#
      ),
      (
        .cancelled(
          one, Cancellation(reason: .immediateOrCancel, level: level, available: Quantity(units: 1))
        ),
        #""cancelled","order":1,"reason":"marketRest","offer":[7,0],"available":1"#
      ),
    ]
    let changesSince: [(OrderType, String)] = [
      (.market, #""limit":null"#), (.limit(Price(units: 5)), #""limit":5"#),
      (.protectedMarket(Price(units: 5)), #""limit":null,"protection":5"#),
      (.immediateOrCancel(Price(units: 5)), #""limit":5,"timeInForce":"ioc""#),
      (.fillOrKill(Price(units: 5)), #""limit":5,"timeInForce":"fok""#),
    ]
    let amendment = Amendment(
      clientIdentifier: name, quantity: Quantity(units: 7), limit: Price(units: 5))
    let amended = (
      OrderEvent.Change.amended(one, amendment),
      #""amended","order":1,"client":"a-1","limit":5,"quantity":7"#
    )
    let kinds = changesSince.map { kind, text in
      let request = OrderRequest(
        clientIdentifier: name, symbol: symbol, side: .sell, kind: kind,
        quantity: Quantity(units: 1))
      return (
        OrderEvent.Change.accepted(Placement(identifier: one, request: request, arrival: nil)),
        #""accepted","order":1,"client":"a-1","symbol":"AAPL","side":"sell","# + text
          + #","quantity":1,"arrival":null"#
      )
    }
    let rules = try #require(
      TradingRules(
        symbol: Symbol(known: "kraken:BTC/USD"), priceScale: Scale(clamping: 1),
        tick: Price(units: 1), maximumPrice: Price(units: 1000), quantityScale: Scale(clamping: 8),
        lot: Quantity(units: 2), maximumQuantity: Quantity(units: 40), currency: "USD"))
    func proof(_ ahead: Int64?) -> TradeProof {
      TradeProof(
        number: 77, price: Price(units: 5), quantity: Quantity(units: 9),
        ahead: ahead.map { Quantity(units: $0) })
    }
    let markets: [(OrderEvent.Change, String)] = [
      (
        .listed(rules),
        #""listed","symbol":"kraken:BTC/USD","currency":"USD","priceScale":1,"tick":1,"#
          + #""maximumPrice":1000,"quantityScale":8,"lot":2,"maximumQuantity":40"#
      ),
      (
        .possible(one, PossibleFill(upTo: Quantity(units: 3), proof: nil)),
        #""possible","order":1,"upTo":3"#
      ),
      (
        .possible(one, PossibleFill(upTo: Quantity(units: 3), proof: proof(nil))),
        #""possible","order":1,"upTo":3,"trade":[77,5,9]"#
      ),
      (
        .possible(
          one,
          PossibleFill(
            upTo: Quantity(units: 3), proof: nil,
            missed: MissedSpan(from: Timestamp(nanoseconds: 5), to: Timestamp(nanoseconds: 9)))),
        #""possible","order":1,"upTo":3,"missed":[5,9]"#
      ),
      (
        .triggered(one, Activation(proof: proof(nil), isLate: true, market: nil)),
        #""triggered","order":1,"trade":[77,5,9],"late":1,"market":null"#
      ),
      (
        .triggered(
          one,
          Activation(
            proof: proof(nil), isLate: false, market: snapshot, quantity: Quantity(units: 4))),
        #""triggered","order":1,"trade":[77,5,9],"quantity":4,"#
          + #""market":{"tick":3,"venueTime":4,"bid":null,"ask":[7,0]}"#
      ),
      (
        .filled(
          one,
          OrderFill(
            quantity: Quantity(units: 2), price: Price(units: 5), offered: Quantity(units: 6),
            tickNumber: 8, venueTime: 0, fee: FillFee(isMaker: true, amount: -3),
            proof: proof(4))),
        #""filled","order":1,"quantity":2,"price":5,"offered":6,"tick":8,"venueTime":0,"#
          + #""maker":-3,"trade":[77,5,9,4]"#
      ),
      (
        .filled(
          one,
          OrderFill(
            quantity: Quantity(units: 2), price: Price(units: 5), offered: Quantity(units: 6),
            tickNumber: 8, venueTime: 0, fee: FillFee(isMaker: false, amount: 7))),
        #""filled","order":1,"quantity":2,"price":5,"offered":6,"tick":8,"venueTime":0,"#
          + #""taker":7"#
      ),
    ]
    let waiting: [(OrderEvent.Change, String)] = [
      (Trigger(.stop, at: Price(units: 6)), #""stop":6"#),
      (Trigger(.takeProfit, at: Price(units: 4)), #""takeProfit":4"#),
    ].map { trigger, text in
      let request = OrderRequest(
        clientIdentifier: name, symbol: symbol, side: .sell, kind: .fillOrKill(Price(units: 5)),
        quantity: Quantity(units: 1), trigger: trigger)
      return (
        .accepted(Placement(identifier: one, request: request, arrival: nil)),
        #""accepted","order":1,"client":"a-1","symbol":"AAPL","side":"sell","limit":5,"#
          + #""timeInForce":"fok","# + text + #","quantity":1,"arrival":null"#
      )
    }
    let links: [(Exits?, OrderLink?, String)] = [
      (Exits(.oco, stop: Price(units: 6)), nil, #""oco":[6,0]"#),
      (Exits(.bracket, stop: nil, takeProfit: Price(units: 4)), nil, #""bracket":[0,4]"#),
      (nil, OrderLink(.oco, to: one), #""ocoWith":1"#),
      (nil, OrderLink(.bracket, to: one), #""exitOf":1"#),
    ]
    let terms = OrderTerms(isPostOnly: true, isReduceOnly: true, expiry: Timestamp(nanoseconds: 7))
    let restricted: (OrderEvent.Change, String) = (
      .accepted(
        Placement(
          identifier: one,
          request: OrderRequest(
            clientIdentifier: name, symbol: symbol, side: .sell, kind: .market,
            quantity: Quantity(units: 1), terms: terms), arrival: nil)),
      #""accepted","order":1,"client":"a-1","symbol":"AAPL","side":"sell","limit":null,"#
        + #""postOnly":1,"reduceOnly":1,"expires":7,"quantity":1,"arrival":null"#
    )
    let sent: [(OrderEvent.Change, String)] = [
      (
        .accepted(
          Placement(
            identifier: one,
            request: OrderRequest(
              clientIdentifier: name, symbol: symbol, side: .sell, kind: .market,
              quantity: Quantity(units: 1)), arrival: nil, latencyMilliseconds: 80)),
        #""accepted","order":1,"client":"a-1","symbol":"AAPL","side":"sell","limit":null,"#
          + #""quantity":1,"arrival":null,"latency":80"#
      ),
      (.arrived(one, nil), #""arrived","order":1,"market":null"#),
      (
        .requested(one, .cancel(milliseconds: 80)),
        #""requested","order":1,"change":"cancel","latency":80"#
      ),
      (.requested(one, .refused), #""requested","order":1,"change":"refused""#),
      (
        .requested(
          one,
          .amend(
            AmendRequest(
              clientIdentifier: name, order: one, quantity: Quantity(units: 3),
              price: Price(units: 5), trigger: Trigger(.stop, at: Price(units: 4))),
            milliseconds: 80)),
        #""requested","order":1,"change":"amend","client":"a-1","limit":5,"stop":4,"#
          + #""quantity":3,"latency":80"#
      ),
      (
        .requested(
          one,
          .amend(
            AmendRequest(clientIdentifier: name, order: one, quantity: nil, price: nil),
            milliseconds: 1)),
        #""requested","order":1,"change":"amend","client":"a-1","latency":1"#
      ),
    ]
    let trailed: (OrderEvent.Change, String) = (
      .trailed(one, TrailMove(best: Price(units: 7), number: 77, trigger: Price(units: 5))),
      #""trailed","order":1,"best":7,"number":77,"stop":5"#
    )
    let trails = [
      (Trail.distance(Price(units: 2)), #""trail":2"#),
      (.basisPoints(250), #""trailBasisPoints":250"#),
    ].map { trail, text -> (OrderEvent.Change, String) in
      let request = OrderRequest(
        clientIdentifier: name, symbol: symbol, side: .sell, kind: .market,
        quantity: Quantity(units: 1),
        trigger: Trigger(.stop, at: Price(units: 0), trail: trail))
      return (
        .accepted(Placement(identifier: one, request: request, arrival: nil)),
        #""accepted","order":1,"client":"a-1","symbol":"AAPL","side":"sell","limit":null,"# + text
          + #","quantity":1,"arrival":null"#
      )
    }
    let linked = links.map { exits, link, text -> (OrderEvent.Change, String) in
      let request = OrderRequest(
        clientIdentifier: name, symbol: symbol, side: .sell, kind: .market,
        quantity: Quantity(units: 1), exits: exits, link: link)
      return (
        .accepted(Placement(identifier: one, request: request, arrival: nil)),
        #""accepted","order":1,"client":"a-1","symbol":"AAPL","side":"sell","limit":null,"# + text
          + #","quantity":1,"arrival":null"#
      )
    }
    let later = waiting + linked + sent + [restricted, trailed] + trails
    for (change, text) in changes + [amended] + kinds + markets + later {
      let event = OrderEvent(sequence: 2, time: Timestamp(nanoseconds: -3), change: change)
      let expected = #"{"v":1,"sequence":2,"time":-3,"event":"# + text + "}"
      #expect(EventCodec.encode(event) == expected)
      #expect(try EventCodec.decode(expected) == event)
    }
  }

  @Test(arguments: [
    (#""priceScale":1"#, #""priceScale":19"#), (#""tick":1"#, #""tick":0"#),
    ("kraken:BTC/USD", "kraken BTC"),
    (#""maximumPrice":9"#, #""maximumPrice":9223372036854775807"#), (#""lot":2"#, #""lot":"2""#),
    (#""lot":2"#, #""lot":3"#),
  ])
  func `a market that no event can have is refused`(part: String, other: String) throws {
    let text =
      #"{"v":1,"sequence":2,"time":-3,"event":"listed","symbol":"kraken:BTC/USD","#
      + #""currency":"USD","priceScale":1,"tick":1,"maximumPrice":9,"quantityScale":8,"#
      + #""lot":2,"maximumQuantity":40}"#
    #expect(throws: Never.self) { try EventCodec.decode(text) }
    let changed = text.split(separator: part, maxSplits: 1).joined(separator: other)
    #expect(throws: JSONError.self) { try EventCodec.decode(changed) }
  }

  @Test(arguments: [#"3,"trade":[77,5]"#, #"3,"trade":[77,5,9,4,1]"#, #""3""#, "3.0", "null"])
  func `a proof that no event can have is refused`(text: String) {
    let whole = #"{"v":1,"sequence":2,"time":-3,"event":"possible","order":1,"upTo":"# + text + "}"
    #expect(throws: JSONError.self) { try EventCodec.decode(whole) }
  }

  @Test func `a cut or changed text is refused or reads as something else, and never crashes`()
    throws
  {
    var random = SplitMix64(seed: 5)
    for event in try LedgerFolder().events(60) {
      let bytes = Array(EventCodec.encode(event).utf8)
      for end in 0..<bytes.count {
        #expect(throws: JSONError.self) {
          try EventCodec.decode(String(decoding: bytes[..<end], as: UTF8.self))
        }
        var changed = bytes
        changed[end] = UInt8(truncatingIfNeeded: random.next())
        let text = String(decoding: changed, as: UTF8.self)
        if changed != bytes, let read = try? EventCodec.decode(text) {
          #expect(read != event, "seed 5: \(text)")
          #expect(EventCodec.encode(read) == text)
        }
      }
    }
  }

  @Test(arguments: [
    #"{"v":1,"sequence":01,"time":0,"event":"filled"}"#, #"{"v":1,"sequence":+1,"time":0}"#,
    #"{"v":1,"sequence":1,"time":-0}"#, #"{"v":2,"sequence":1}"#, "", "{}",
    #"{"v":1,"sequence":99999999999999999999,"time":0}"#,
    #"{"v":1,"sequence":1,"time":0,"event":"burnt","order":1}"#,
    #"{"v":1,"sequence":1,"time":0,"event":"accepted","order":1,"client":"a","symbol":"A","#
      + #""side":"buy","limit":5,"timeInForce":"gtc","quantity":1,"arrival":null}"#,
    #"{"v":1,"sequence":1,"time":0,"event":"accepted","order":1,"client":"a","symbol":"A","#
      + #""side":"buy","limit":5,"protection":5,"quantity":1,"arrival":null}"#,
  ])
  func `another spelling is no event`(text: String) {
    #expect(throws: JSONError.self) { try EventCodec.decode(text) }
  }

  @Test func `a hash is read from its digits, and nothing else is`() throws {
    let hash = ChainHash(genesis: "abc")
    // SHA-256 of "abc", from FIPS 180-2.
    #expect(hash.description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(ChainHash(hash.description) == hash)
    #expect(ChainHash(String(hash.description.dropLast())) == nil)
    #expect(ChainHash("g" + hash.description.dropFirst()) == nil)
    #expect(ChainHash(bytes: [1, 2]) == nil)
  }
}
