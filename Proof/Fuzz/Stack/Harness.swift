// The entry point of libFuzzer: an input is messages separated by zero bytes. FUZZ_TARGET names the
// venue, `product` for BUX's HTTP responses, `history` for history responses, `page` for a page's
// messages.

import AppState
import ChartModel
import Foundation
import MarketHistory
import MarketModel
import VenueProtocols

@testable import LivetapeServer

private let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "bitmex"

private func rig() -> Rig {
  switch target {
  case "bitmex":
    Rig(
      BitMEXSession(origin: .venue),
      topics: ["book/XBTUSD", "trades/XBTUSD", "chart/bitmex/XBTUSD", "book/ETHUSD", "status"])
  case "kraken":
    Rig(
      KrakenSession(origin: .venue),
      topics: [
        "book/ETH/BTC", "trades/ETH/BTC", "chart/kraken/ETH/BTC", "book/BTC/USD",
        "trades/BTC/USD", "figures/kraken/ETH/BTC", "status",
      ])
  case "isin":
    Rig(IsinStreamSession(origin: .venue), topics: ["stock/US0378331005", "stocks", "status"])
  case "bux", "product":
    Rig(BuxSession(origin: .venue), topics: ["product/sb26493", "status"])
  case "echo":
    Rig(
      EchoTickerSession(symbols: [symbol("AAPL"), symbol("MSFT")], seed: 1, origin: .venue),
      topics: ["feed", "symbol/AAPL", "status"])
  case "tick":
    Rig(
      TickFeedSession(symbol: symbol("TROAD"), origin: .venue),
      topics: ["exchange", "chart/exchange/TROAD", "status"])
  default: Rig(KrakenSession(origin: .venue), topics: ["status"])
  }
}

/// BUX's HTTP responses: errors, lists and one product.
private func fuzzProduct(_ bytes: ContiguousArray<UInt8>) {
  var rig = rig()
  let product = symbol("sb26493")
  _ = BuxErrorResponse(decoding: bytes.span)
  _ = try? BuxProductResponse.products(from: bytes.span)
  do throws(ProductFailure) {
    let answer = try BuxProductResponse.product(from: bytes.span, expected: nil)
    rig.run(rig.server.receive(.success(answer), for: product, at: rig.clock))
  } catch {
    rig.run(rig.server.receive(.failure(error), for: product, at: rig.clock))
  }
  rig.pass(300)
}

/// History responses, separated by zero bytes, for a join's requests in turn.
private func fuzzHistory(_ bytes: ContiguousArray<UInt8>) {
  let messages = bytes.split(separator: 0)
  for (venue, name) in [(Venue.kraken, "XBTUSDT"), (.bitmex, "XBTUSD")] {
    guard let history = venue.adapter.history else { continue }
    var join = HistoryJoin(
      InstrumentKey(venue, symbol(name)), hasVenueHistory: true,
      venueIntervals: history.intervals, givesTrades: history.givesTrades)
    // Just after the captured responses.
    var now: Int64 = 1_762_820_250_000
    let live = Freshness(state: .live, origin: .venue, confirmedAt: nil)
    var asked = join.judge(live, at: ClockReading(milliseconds: now))
    asked += join.want(.day, at: ClockReading(milliseconds: now))
    for message in messages {
      now += 1000
      let body = ContiguousArray(message)
      _ = history.read(.names(.tokens), name, 200, body.span)
      guard !asked.isEmpty else {
        asked = join.timer(at: ClockReading(milliseconds: now))
        continue
      }
      let request = asked.removeFirst()
      let answer = history.read(request, name, 200, body.span)
      asked += join.receive(answer, to: request, at: ClockReading(milliseconds: now))
    }
    for interval in HistoryJoin.keptIntervals {
      let candles = join.candles(of: interval)
      for (former, next) in zip(candles, candles.dropFirst()) {
        precondition(former.start < next.start, "candles out of order")
      }
      precondition(
        candles.allSatisfy { $0.low <= $0.open && $0.open <= $0.high && $0.missing >= 0 },
        "a candle that can't be")
    }
  }
}

/// One message, of the page or of the venue; 1 lets time pass, 2 reconnects.
private func take(_ message: ContiguousArray<UInt8>, _ rig: inout Rig) {
  if target == "page" {
    rig.run(rig.server.receive(Array(message), from: rig.page, at: rig.clock))
    rig.now += 25
    if message.count % 3 == 0 { rig.pass(40) }
  } else if message.first == 1 {
    rig.pass(Int64(message.count) * Int64(message.count) * 50)
  } else if message.first == 2 {
    rig.reconnect()
  } else {
    rig.message(message.span)
    rig.now += 7
  }
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let data, count > 0 else { return 0 }
  let bytes = ContiguousArray(UnsafeBufferPointer(start: data, count: count))
  if target == "product" || target == "history" {
    if target == "product" { fuzzProduct(bytes) } else { fuzzHistory(bytes) }
    return 0
  }
  var rig = rig()
  for message in bytes.split(separator: 0) { take(ContiguousArray(message), &rig) }
  rig.pass(300)
  return 0
}
