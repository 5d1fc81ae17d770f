// The candles behind a chart, for the page that has just opened it.

import ChartModel
import MarketModel
import WireJSON

/// What `/history/VENUE/SYMBOL` answers.
struct ChartHistory: Sendable {
  let recorder: ChartRecorder
  let interval: CandleInterval

  /// The JSON of docs/page-protocol.md.
  ///
  /// O(candles); 100,000 take some milliseconds, so not on the event loop.
  var json: [UInt8] {
    let candles = recorder.series.candles.candles(of: interval)
    var writer = JSONWriter(capacity: 256 + candles.count * 72)
    writer.beginObject()
    writer.key("interval")
    writer.integer(interval.milliseconds)
    writer.key("priceScale")
    writer.integer(recorder.priceScale.digits)
    writer.key("quantityScale")
    writer.integer(recorder.quantityScale.digits)
    writer.key("lastArrival")
    writer.integer(recorder.lastArrival)
    if let since = recorder.series.seenSince {
      writer.key("seenSince")
      writer.integer(since)
    }
    writer.key("candles")
    writer.beginArray()
    for candle in candles {
      writer.integers([
        candle.start, candle.open.units, candle.high.units, candle.low.units, candle.close.units,
        candle.volume.units,
      ])
    }
    writer.endArray()
    writer.key("gaps")
    writer.beginArray()
    for gap in recorder.series.gaps { writer.integers([gap.start, gap.end]) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
