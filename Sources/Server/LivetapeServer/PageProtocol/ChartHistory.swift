import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import WireJSON

extension CandlePage {
  /// The response of `/history/VENUE/SYMBOL`: docs/page-protocol.md.
  ///
  /// O(candles); 100,000 take some milliseconds, so not on the event loop.
  var json: [UInt8] {
    JSONWriter.object(capacity: 512 + candles.count * 80) { writer in
      writer.member("interval", interval.milliseconds)
      writer.member("priceScale", priceScale.digits)
      writer.member("quantityScale", quantityScale.digits)
      writer.member("revision", revision)
      writer.member("lastArrival", lastArrival)
      if let seenSince { writer.member("seenSince", seenSince) }
      writer.member("status", status.name)
      if case .failed(let failure) = status { writer.member("problem", failure.userMessage) }
      writer.member("hasOlder", hasOlder)
      writer.member("mismatches", mismatches)
      writer.member("candles", array: candles) { writer, candle in
        writer.integers(
          candle.figures + [
            Int64(candle.missing), Int64(candle.source.rawValue), Int64(candle.proof.rawValue),
          ])
      }
      writer.member("contradicted", array: contradicted) { $0.integers($1.figures) }
      writer.member("gaps", array: gaps) { $0.integers([$1.start, $1.end]) }
    }
  }
}

extension Candle {
  fileprivate var figures: [Int64] {
    [start, open.units, high.units, low.units, close.units, volume.units, Int64(count)]
  }
}

extension HistoryStatus {
  var name: String {
    switch self {
    case .none: "none"
    case .loading: "loading"
    case .ready: "ready"
    case .failed: "failed"
    }
  }
}
