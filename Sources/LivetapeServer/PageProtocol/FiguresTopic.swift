// The topic of an instrument's day: what its header and its row in a list show beside the price.

import AppState
import MarketModel
import WireJSON

extension FiguresState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("venue", text: instrument.venue.rawValue)
    object.set("symbol", text: instrument.symbol.text)
    object.set("freshness", freshness: freshness)
    // Without it the venue has the instrument, as far as is known.
    if !isKnown { object.set("known", boolean: false) }
    guard let figures else { return object.value }
    object.setQuote(
      price: figures.last, direction: figures.direction, changes: figures.changes)
    object.set("change", decimal: figures.change)
    object.set("percent", decimal: changePercent)
    // Without it the figures are of the last 24 hours.
    if case .since(let start) = figures.window { object.set("since", time: start) }
    object.set("high", decimal: figures.high)
    object.set("low", decimal: figures.low)
    object.set("volume", decimal: figures.volume)
    object.set("vwap", decimal: figures.vwap)
    object.set("count", integer: figures.trades)
    object.set("bid", decimal: figures.bid)
    object.set("bidSize", decimal: figures.bidSize)
    object.set("ask", decimal: figures.ask)
    object.set("askSize", decimal: figures.askSize)
    // The source's own time, which ages count from: a snapshot's figures are older than it.
    object.set("at", time: figures.at)
    return object.value
  }
}
