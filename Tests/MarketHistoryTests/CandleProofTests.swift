// A real capture: the venue's trades prove its candles.

import ChartModel
import Foundation
import MarketHistory
import MarketModel
import Testing
import VenueProtocols

@Suite struct CandleProofTests {
  private static let name = "XBTUSDT"
  /// 11 November 2025, 00:17:30 UTC: ten seconds after the last request of the capture.
  private static let time: Int64 = 1_762_820_250_000

  private func read(_ file: String, as request: HistoryRequest) throws -> HistoryResponse {
    let url = Bundle.module.url(forResource: file, withExtension: nil, subdirectory: "Payloads")
    let bytes = try [UInt8](Data(contentsOf: #require(url)))
    let history = try #require(Venue.kraken.adapter.history)
    return try history.read(request, Self.name, 200, bytes.span).get()
  }

  private func captured() throws -> (candles: VenueCandles, trades: [VenueTrade]) {
    let first = HistoryRequest.trades(after: HistoryCursor("0"))
    guard case .candles(let candles) = try read("rest.ohlc.json", as: .candles(.minute)),
      case .trades(let page) = try read("rest.trades.json", as: first)
    else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return (candles, page.trades)
  }

  @Test("The captured trades prove 409 of the 409 minutes that they cover")
  func proof() throws {
    let (candles, trades) = try captured()
    for tradesComeFirst in [true, false] {
      var harness = HistoryHarness(at: Self.time)
      harness.want()
      if tradesComeFirst { for trade in trades { harness.join.receive(trade, at: harness.now) } }
      harness.answer(.candles(.minute), .success(.candles(candles)))
      if !tradesComeFirst { for trade in trades { harness.join.receive(trade, at: harness.now) } }
      harness.wait(1)
      let minutes = harness.join.candles(of: .minute)
      #expect(harness.join.status == .ready && harness.join.mismatches.isEmpty)
      #expect(minutes.count { $0.proof == .proven } == 409)
      #expect(minutes.count { $0.source == .venue } == 720 - 409)
      #expect(minutes.allSatisfy { $0.missing == 0 })
      let empty = minutes.count { $0.proof == .proven && $0.count == 0 }
      #expect(empty > 0, "minutes without trades are proven, too")
    }
  }

  @Test("One figure that was tampered with is found, and only that one")
  func tampered() throws {
    let (candles, trades) = try captured()
    var generator = SplitMix64(seed: 11)
    for round in 0..<60 {
      var rows = candles.rows
      // The whole minutes of the trades: 17:24 to 00:12.
      let index = 307 + Int(generator.below(409))
      let row = rows[index]
      rows[index] = Self.tamper(row, figure: round % 6)
      var harness = HistoryHarness(at: Self.time)
      harness.want()
      for trade in trades { harness.join.receive(trade, at: harness.now) }
      harness.answer(.minute, rows, committed: candles.lastCommitted)
      let found = harness.join.mismatches
      #expect(found.map(\.ours.start) == [row.start], "round \(round), row \(index)")
      #expect(found.first.map { $0.ours.hasSameWords(as: $0.venues) } == false)
      let minutes = harness.join.candles(of: .minute)
      #expect(minutes.count { $0.proof == .contradicted } == 1)
      #expect(minutes.count { $0.proof == .proven } == 408)
      let ours = try #require(harness.minute(row.start))
      #expect(ours.proof == .contradicted && ours.source == .trades, "ours is kept")
    }
  }

  @Test("A venue that does not count trades proves minutes by prices and volume")
  func uncounted() throws {
    let (candles, trades) = try captured()
    var rows = candles.rows.map { row in
      VenueCandle(
        start: row.start, open: row.open, high: row.high, low: row.low, close: row.close,
        volume: row.volume, count: nil)
    }
    var harness = HistoryHarness(at: Self.time)
    harness.want()
    for trade in trades { harness.join.receive(trade, at: harness.now) }
    harness.answer(.minute, rows, committed: candles.lastCommitted)
    #expect(harness.join.candles(of: .minute).count { $0.proof == .proven } == 409)
    #expect(harness.join.mismatches.isEmpty)
    rows[400] = Self.tamper(rows[400], figure: 4)
    harness.wait(60_000)
    harness.answer(.minute, rows, committed: candles.lastCommitted)
    #expect(harness.join.mismatches.map(\.ours.start) == [rows[400].start])
  }

  private static func tamper(_ row: VenueCandle, figure: Int) -> VenueCandle {
    func more(_ value: FixedDecimal, _ isMeant: Bool) -> FixedDecimal {
      FixedDecimal(units: value.units + (isMeant ? 1 : 0), scale: value.scale)
    }
    return VenueCandle(
      start: row.start, open: more(row.open, figure == 0), high: more(row.high, figure == 1),
      low: more(row.low, figure == 2), close: more(row.close, figure == 3),
      volume: more(row.volume, figure == 4), count: row.count.map { $0 + (figure == 5 ? 1 : 0) })
  }
}

extension Candle {
  fileprivate func hasSameWords(as other: Candle) -> Bool {
    (open, high, low, close) == (other.open, other.high, other.low, other.close)
      && volume == other.volume && count == other.count
  }
}
