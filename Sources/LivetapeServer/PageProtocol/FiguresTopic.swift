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
    object.setDay(of: figures)
    object.set("count", integer: figures.trades)
    object.setBest(of: figures)
    // The source's own time, which ages count from: a snapshot's figures are older than it.
    object.set("at", time: figures.at)
    return object.value
  }
}
