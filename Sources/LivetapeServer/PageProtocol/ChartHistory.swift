// The candles behind a chart, for the page that asks for them.

import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import WireJSON

extension CandlePage {
  /// What `/history/VENUE/SYMBOL` answers: docs/page-protocol.md.
  ///
  /// O(candles); 100,000 take some milliseconds, so not on the event loop.
  var json: [UInt8] {
    var writer = JSONWriter(capacity: 512 + candles.count * 80)
    writer.beginObject()
    writer.key("interval")
    writer.integer(interval.milliseconds)
    writer.key("priceScale")
    writer.integer(priceScale.digits)
    writer.key("quantityScale")
    writer.integer(quantityScale.digits)
    writer.key("revision")
    writer.integer(revision)
    writer.key("lastArrival")
    writer.integer(lastArrival)
    if let seenSince {
      writer.key("seenSince")
      writer.integer(seenSince)
    }
    writer.key("status")
    writer.string(status.name)
    if case .failed(let failure) = status { writer.member("problem", failure.userMessage) }
    writer.key("hasOlder")
    writer.boolean(hasOlder)
    writer.key("mismatches")
    writer.integer(mismatches)
    writer.key("candles")
    writer.beginArray()
    for candle in candles {
      writer.integers(
        candle.figures + [
          Int64(candle.missing), Int64(candle.source.rawValue), Int64(candle.proof.rawValue),
        ])
    }
    writer.endArray()
    writer.key("contradicted")
    writer.beginArray()
    for candle in contradicted { writer.integers(candle.figures) }
    writer.endArray()
    writer.key("gaps")
    writer.beginArray()
    for gap in gaps { writer.integers([gap.start, gap.end]) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}

extension Candle {
  fileprivate var figures: [Int64] {
    [start, open.units, high.units, low.units, close.units, volume.units, Int64(count)]
  }
}

extension HistoryStatus {
  /// Its name in the page protocol.
  var name: String {
    switch self {
    case .none: "none"
    case .loading: "loading"
    case .ready: "ready"
    case .failed: "failed"
    }
  }
}
