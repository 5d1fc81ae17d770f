import ChartModel
import FeedConnections
import HistoryStore
import MarketModel
import VenueCatalogue
import WireJSON

/// Formats candles of one interval as lines: text, CSV and JSON.
struct CandleLines {
  static let head = "start,open,high,low,close,volume,count,source,coverage,proven"

  let interval: CandleInterval
  let priceScale: Scale
  let priceDecimals: Scale
  let quantityScale: Scale
  let venue: Venue

  /// `{"start":seconds,"open":"…",…,"count":n,"source":"venue","coverage":1,"proven":null}`.
  func json(_ candle: Candle) -> [UInt8] {
    JSONWriter.object(capacity: 256) { writer in
      writer.member("start", candle.start / 1000)
      writer.member("open", price(candle.open))
      writer.member("high", price(candle.high))
      writer.member("low", price(candle.low))
      writer.member("close", price(candle.close))
      writer.member("volume", volume(candle))
      if let count = count(candle) { writer.member("count", count) }
      writer.member("source", source(candle))
      writer.member("coverage", number: coverage(candle))
      writer.key("proven")
      switch candle.proof {
      case .none: writer.null()
      case .proven: writer.boolean(true)
      case .contradicted: writer.boolean(false)
      }
    }
  }

  /// A line of CSV; `proven` is empty if nothing was compared.
  func csv(_ candle: Candle) -> [UInt8] {
    let proven =
      switch candle.proof {
      case .none: ""
      case .proven: "true"
      case .contradicted: "false"
      }
    let cells = [
      "\(candle.start / 1000)", price(candle.open), price(candle.high), price(candle.low),
      price(candle.close), volume(candle), count(candle).map(String.init) ?? "", source(candle),
      coverage(candle).description, proven,
    ]
    return Array(cells.joined(separator: ",").utf8)
  }

  func text(_ candle: Candle) -> [UInt8] {
    let marks = [
      candle.missing > 0 ? "\(coverage(candle)) seen" : "", candle.count == 0 ? "no trade" : "",
      candle.proof == .proven
        ? "proven" : candle.proof == .contradicted ? "contradicted by the venue" : "",
    ].filter { !$0.isEmpty }
    let cells = [
      Timestamp(milliseconds: candle.start).description, "O \(price(candle.open))",
      "H \(price(candle.high))", "L \(price(candle.low))", "C \(price(candle.close))",
      "V \(volume(candle))", count(candle).map { "\($0) trades" } ?? "", source(candle),
    ].filter { !$0.isEmpty }
    return Array((cells + marks).joined(separator: "  ").utf8)
  }

  private func price(_ price: Price) -> String {
    FixedDecimal(price, scale: priceScale).shown(at: priceDecimals).description
  }

  /// The number of trades; nil where the venue does not count them.
  private func count(_ candle: Candle) -> Int32? {
    let isExact = venue.descriptor.countsTrades(ofVenue: candle.source == .venue, interval)
    return isExact ? candle.count : nil
  }

  private func volume(_ candle: Candle) -> String {
    FixedDecimal(candle.volume, scale: quantityScale).trimmed.description
  }

  private func source(_ candle: Candle) -> String {
    switch candle.source {
    case .venue: "venue"
    case .trades: "trades"
    case .seen: "seen"
    }
  }

  /// The covered part of the span, 0 to 1 in thousandths, rounded down.
  private func coverage(_ candle: Candle) -> FixedDecimal {
    let covered = max(0, interval.milliseconds - Int64(candle.missing))
    return FixedDecimal(
      units: covered * 1000 / interval.milliseconds, scale: Scale(clamping: 3)
    ).trimmed
  }
}

extension KeptCandles {
  /// A venue's candles at its own scales; of the forming one, the remaining time is missing.
  init(_ venue: VenueCandles, _ interval: CandleInterval) throws {
    let scale =
      venue.rows.map { [$0.open, $0.high, $0.low, $0.close].map(\.scale).max() ?? .whole }.max()
      ?? .whole
    let quantityScale = venue.rows.map(\.volume.scale).max() ?? .whole
    func price(_ value: FixedDecimal) throws -> Price {
      guard let exact = value.exactly(at: scale) else {
        throw CommandFailure("the venue's price \(value) can't be written exactly")
      }
      return Price(units: exact.units)
    }
    let candles = try venue.rows.map { row in
      let isCommitted = venue.lastCommitted.map { row.start <= $0 } ?? false
      return Candle(
        start: row.start, open: try price(row.open), high: try price(row.high),
        low: try price(row.low), close: try price(row.close),
        volume: Quantity(units: row.volume.exactly(at: quantityScale)?.units ?? 0),
        count: row.leastCount, missing: isCommitted ? 0 : KeptCandles.rest(of: row.start, interval),
        source: .venue)
    }
    self.init(candles: candles, priceScale: scale, quantityScale: quantityScale)
  }

  private static func rest(of start: Int64, _ interval: CandleInterval) -> Int32 {
    let now = HubClock.live.now().wall.milliseconds
    let length = interval.milliseconds
    return Int32(clamping: max(1, min(length, start + length - now)))
  }
}
