// The entry point of libFuzzer for the ledger: an input is lines, each of which may be an event's
// text.

import MarketModel
import PaperTrading

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let data, count > 0, let stock = Symbol("TROAD") else { return 0 }
  let text = String(decoding: UnsafeBufferPointer(start: data, count: count), as: UTF8.self)
  var history = OrderHistory()
  for line in text.split(separator: "\n") {
    guard let event = try? EventCodec.decode(String(line)) else { continue }
    // An event has exactly one text, since the chain's hash covers it.
    guard EventCodec.encode(event) == String(line) else {
      fail("an event has two texts")
    }
    try? history.apply(event)
  }
  let trader = PaperTrader(rules: TradingRules(oneStock: stock), history: history)
  _ = trader.overview(storage: nil, failure: nil, skippedTicks: 0)
  for order in history.orders { _ = order.life.fills?.average }
  _ = history.stateHash
  return 0
}
