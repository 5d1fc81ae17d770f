import ArgumentParser
import ChartModel
import FeedConnections
import Foundation
import HistoryStore
import LivetapeServer
import MarketHistory
import MarketModel
import NIOCore
import NIOPosix
import VenueCatalogue

/// `livetape history`: prints an instrument's candles, from its venue or from a server's stored
/// history.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Print an instrument's candles, oldest first.",
    discussion: """
      From its venue; with --data from what a server has kept in that folder, also while it runs. \
      Example: livetape history kraken:BTC/USD --interval 1h
      """)

  @Argument(help: "The instrument, as VENUE:SYMBOL.") var instrument: InstrumentName
  @Option(help: "The venue's URL; the real one when left out.") var url: VenueURL?
  @Option(help: "The candles' length: 1m, 5m, 15m, 1h, 4h, 1d or 1w.")
  var interval = IntervalName.minute
  @Option(help: "Only candles that start at or after this: seconds since 1970 or a UTC date.")
  var from: MomentName?
  @Option(help: "Only candles that start before this.") var to: MomentName?
  @Option(help: "Read what a server has kept in this folder instead of asking the venue.")
  var data: String?
  @Flag(help: "Print CSV.") var csv = false
  @Flag(help: "Print one JSON object a line.") var json = false

  func validate() throws {
    if csv && json { throw ValidationError("choose --csv or --json, not both") }
    if data != nil, url != nil { throw ValidationError("choose --data or --url, not both") }
    _ = try url?.address(of: instrument.venue)
  }

  func run() async throws {
    let kept = try await candles()
    let lines = CandleLines(
      interval: interval.interval, priceScale: kept.priceScale, priceDecimals: decimals(of: kept),
      quantityScale: kept.quantityScale, venue: instrument.venue)
    if csv { try StandardOutput.write(CandleLines.head) }
    for candle in kept.candles where isWanted(candle) {
      try StandardOutput.write(
        csv ? lines.csv(candle) : json ? lines.json(candle) : lines.text(candle))
    }
  }

  /// The market's decimals: those of the candles' scale, except for stored BitMEX candles, whose
  /// scale has more; there the most that a price needs.
  private func decimals(of kept: KeptCandles) -> Scale {
    if let decimals = instrument.venue.descriptor.priceDecimals { return decimals }
    guard data != nil, instrument.venue == .bitmex else { return kept.priceScale }
    let scales = kept.candles.map { candle in
      [candle.open, candle.high, candle.low, candle.close]
        .map { FixedDecimal($0, scale: kept.priceScale).trimmed.scale }.max() ?? .whole
    }
    return scales.max() ?? .whole
  }

  private func isWanted(_ candle: Candle) -> Bool {
    candle.start >= from?.milliseconds ?? .min && candle.start < to?.milliseconds ?? .max
  }

  private func candles() async throws -> KeptCandles {
    let key = InstrumentKey(instrument.venue, instrument.symbol)
    if let data { return try keptCandles(of: key, in: data) }
    guard
      let address = try url?.address(of: instrument.venue)
        ?? .published(instrument.venue)
    else { throw CommandFailure("\(instrument.venue) has no public address; give one with --url") }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    guard let reader = HistoryReader(key, at: address, group: group) else {
      throw CommandFailure("\(instrument.venue) gives no history")
    }
    let result: Result<VenueCandles, HistoryFailure>
    do throws(HistoryFailure) {
      result = .success(try await reader.candles(interval.interval))
    } catch {
      result = .failure(error)
    }
    try? await group.shutdownGracefully()
    switch result {
    case .success(let candles): return try KeptCandles(candles, interval.interval)
    case .failure(let failure): throw CommandFailure(failure.userMessage.description)
    }
  }

  private func keptCandles(of key: InstrumentKey, in folder: String) throws -> KeptCandles {
    let folder = URL(fileURLWithPath: (folder as NSString).expandingTildeInPath).path
    do {
      guard let archive = try HistoryArchive(folder: folder) else {
        throw CommandFailure("there is no kept history in \(folder)")
      }
      return try archive.candles(
        key, interval.interval, from: from?.milliseconds, before: to?.milliseconds,
        limit: 1_100_000)
    } catch let error as HistoryStoreError {
      throw CommandFailure(error.readingMessage)
    }
  }
}

/// The length of a candle, such as `1m`.
enum IntervalName: String, ExpressibleByArgument, CaseIterable {
  case minute = "1m"
  case fiveMinutes = "5m"
  case fifteenMinutes = "15m"
  case hour = "1h"
  case fourHours = "4h"
  case day = "1d"
  case week = "1w"

  var interval: CandleInterval {
    switch self {
    case .minute: .minute
    case .fiveMinutes: .fiveMinutes
    case .fifteenMinutes: .fifteenMinutes
    case .hour: .hour
    case .fourHours: .fourHours
    case .day: .day
    case .week: .week
    }
  }
}

/// A time: seconds since 1970, `2026-11-22` or `2026-11-22T09:05:00Z`.
struct MomentName: ExpressibleByArgument {
  /// Since 1970.
  let milliseconds: Int64

  init?(argument: String) {
    if let seconds = Int64(argument), seconds.magnitude < 1_000_000_000_000 {
      milliseconds = seconds * 1000
      return
    }
    let text = argument.count == 10 ? argument + "T00:00:00Z" : argument
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
  }
}
