import ChartModel
import MarketHistory
import WireJSON

extension SparkLine {
  /// The response of `/spark/VENUE/SYMBOL`: docs/page-protocol.md.
  var json: [UInt8] {
    JSONWriter.object(capacity: 512) { writer in
      if !closes.isEmpty {
        writer.member("interval", "1h")
        writer.member("from", from / 1000)
      }
      writer.member("closes", array: closes) { $0.optional($1) }
      if !closes.isEmpty { writer.member("source", source.name) }
    }
  }
}

extension CandleSource {
  var name: String {
    switch self {
    case .venue: "venue"
    case .trades: "trades"
    case .seen: "seen"
    }
  }
}
