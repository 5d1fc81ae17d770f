// The topic of a chart: the latest prices one by one, in units that the chart's core counts in.

import AppState
import ChartModel
import MarketModel
import WireJSON

extension ChartState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("venue", text: venue.rawValue)
    object.set("symbol", text: symbol.text)
    object.set("known", boolean: true)
    object.set("priceScale", integer: priceScale.digits)
    object.set("quantityScale", integer: quantityScale.digits)
    object.set("priceDecimals", integer: priceDecimals?.digits)
    object.set("freshness", freshness: freshness)
    object.set("ticks") { writer in
      writer.beginArray()
      for tick in ticks {
        writer.integers(
          [Int64(clamping: tick.arrival), tick.time, tick.price.units, tick.quantity.units])
      }
      writer.endArray()
    }
    return object.value
  }
}

extension JSONWriter {
  /// An array of integers.
  mutating func integers(_ values: [Int64]) {
    beginArray()
    for value in values { integer(value) }
    endArray()
  }
}
