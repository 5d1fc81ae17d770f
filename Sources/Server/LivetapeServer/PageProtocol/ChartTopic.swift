// The prices are in the units of the chart's core.

import AppState
import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import WireJSON

extension ChartState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("venue", text: instrument.venue.rawValue)
    object.set("symbol", text: instrument.symbol.text)
    object.set("known", boolean: true)
    object.set("priceScale", integer: candles.priceScale.digits)
    object.set("quantityScale", integer: candles.quantityScale.digits)
    object.set("priceDecimals", integer: candles.priceDecimals?.digits)
    object.set("freshness", freshness: candles.freshness)
    object.set("history") { writer in
      writer.object { writer in
        writer.member("revision", candles.revision)
        writer.member("status", candles.history.name)
        if case .failed(let failure) = candles.history {
          writer.member("problem", failure.userMessage)
        }
      }
    }
    object.set("ticks", array: candles.ticks) { writer, tick in
      writer.integers(
        [Int64(clamping: tick.arrival), tick.time, tick.price.units, tick.quantity.units])
    }
    return object.value
  }
}

extension JSONWriter {
  mutating func integers(_ values: [Int64]) {
    beginArray()
    for value in values { integer(value) }
    endArray()
  }
}
