import Foundation
package import MarketModel

/// The endless past of one instrument: candles and trades of any time, calculated from the time
/// alone.
///
/// Live trades that follow it have the same numbers.
package struct PlayedPast: Sendable {
  /// Milliseconds between two trades.
  package static let step: Int64 = 10_000
  /// Rows of a candle response: the venue's 720 and the forming one.
  static let rows: Int64 = 721
  static let scale = Scale(clamping: 1)
  static let quantityScale = Scale(clamping: 2)

  /// The price that the market oscillates around, in tenths.
  package let middle: Int64

  /// Creates a past around a price in tenths.
  package init(about middle: Int64) { self.middle = middle }

  /// The price at a time, in tenths: waves of hours and of minutes.
  package func price(at milliseconds: Int64) -> Int64 {
    let minutes = Double(milliseconds) / 60_000
    let wave = sin(minutes / 190) * 0.006 + sin(minutes / 37) * 0.0021
    let ripple = sin(minutes * 1.7) * 0.0004 + sin(minutes * 0.61) * 0.0006
    return middle + Int64((wave + ripple) * Double(middle))
  }

  /// The number of the last trade at or before a time.
  package static func number(at milliseconds: Int64) -> Int64 { milliseconds / step }

  /// The trade with a number.
  package func trade(_ number: Int64) -> VenueTrade {
    let time = number * PlayedPast.step
    return VenueTrade(
      identifier: number, time: Timestamp(milliseconds: time),
      price: decimal(price(at: time)),
      quantity: FixedDecimal(
        units: PlayedPast.quantity(ofMinute: time / 60_000), scale: PlayedPast.quantityScale))
  }

  private static func quantity(ofMinute minute: Int64) -> Int64 { 1 + minute % 90 }

  /// The volume of all earlier minutes, one trade in each.
  private static func traded(before minute: Int64) -> Int64 {
    minute + minute / 90 * 4005 + (minute % 90) * (minute % 90 - 1) / 2
  }

  /// The venue's response at a time.
  package func answer(
    _ symbol: Symbol, _ request: HistoryRequest, _ now: Int64
  ) -> Result<HistoryResponse, HistoryFailure> {
    switch request {
    case .condition: return .success(.condition(.online))
    case .names:
      let name = symbol.text.replacingOccurrences(of: "/", with: "")
      return .success(.names([symbol: name]))
    case .candles(let interval):
      let forming = interval.start(of: now)
      let first = forming - (PlayedPast.rows - 1) * interval.milliseconds
      let rows = stride(from: first, through: forming, by: Int(interval.milliseconds)).map {
        candle($0, interval)
      }
      return .success(
        .candles(VenueCandles(rows: rows, lastCommitted: forming - interval.milliseconds)))
    case .tradesBefore: return .failure(.unknownInstrument)
    case .trades(let cursor):
      let after = (Int64(cursor.text) ?? 0) / 1_000_000
      let numbers = PlayedPast.number(at: after) + 1..<PlayedPast.number(at: now) + 1
      let trades = numbers.prefix(1000).map(trade)
      let next = trades.last.map { String($0.time.nanoseconds) } ?? cursor.text
      return .success(.trades(VenueTrades(trades: trades, next: HistoryCursor(next))))
    }
  }

  private func candle(_ start: Int64, _ interval: CandleInterval) -> VenueCandle {
    let length = interval.milliseconds
    // As many prices as show the range; for a minute all.
    let part = max(PlayedPast.step, length / 12)
    let prices = stride(from: start, to: start + length, by: Int(part)).map { price(at: $0) }
    let count = length / PlayedPast.step
    let (minute, end) = (start / 60_000, (start + length) / 60_000)
    let volume = 6 * (PlayedPast.traded(before: end) - PlayedPast.traded(before: minute))
    return VenueCandle(
      start: start, open: decimal(prices.first ?? middle), high: decimal(prices.max() ?? middle),
      low: decimal(prices.min() ?? middle), close: decimal(prices.last ?? middle),
      volume: FixedDecimal(units: volume, scale: PlayedPast.quantityScale),
      count: Int32(clamping: count))
  }

  private func decimal(_ units: Int64) -> FixedDecimal {
    FixedDecimal(units: units, scale: PlayedPast.scale)
  }
}
