import ChartModel
import Foundation
@testable import HistoryStore
import MarketModel

/// A history in a temporary data folder, with a manual clock; deleted with the last store in it.
final class HistoryFolder: Sendable {
  let folder: String
  var path: String { folder + "/history.sqlite" }
  let clock = SetClock()

  /// A folder on disk, or in memory where the system offers that: for tests that would wait for the
  /// disk thousands of times.
  init(isInMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let parent =
      isInMemory && FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    folder = parent + "/livetape-history-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func open(
    _ limits: HistoryLimits = HistoryLimits(), maximumPages: Int? = nil,
    onChange: @escaping @Sendable (HistoryStoreStatus) -> Void = { _ in }
  ) -> HistoryStore {
    HistoryStore(
      folder: folder, limits: limits, maximumPages: maximumPages,
      now: { [self] in clock.time }, onChange: onChange)
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}

/// A wall clock with a set time.
///
/// @unchecked: the lock guards the time.
final class SetClock: @unchecked Sendable {
  /// 23 November 2026, 00:00 UTC.
  static let start = Timestamp(milliseconds: 1_795_392_000_000)
  private let lock = NSLock()
  private var current = SetClock.start
  var time: Timestamp {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }
}

/// A history's reported statuses, in order.
///
/// @unchecked: the lock guards the list.
final class SaidStatuses: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [HistoryStoreStatus] = []
  var all: [HistoryStoreStatus] { lock.withLock { list } }
  func add(_ status: HistoryStoreStatus) { lock.withLock { list.append(status) } }
}

let bitcoin = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
let ether = InstrumentKey(.kraken, Symbol(known: "ETH/USD"))

/// A record at Kraken's scales.
func record(
  _ candle: Candle, _ interval: CandleInterval = .minute, of instrument: InstrumentKey = bitcoin,
  priceScale: UInt8 = 8, quantityScale: UInt8 = 8
) -> CandleRecord {
  CandleRecord(
    instrument, interval, priceScale: Scale(clamping: priceScale),
    quantityScale: Scale(clamping: quantityScale), candle)
}

/// A valid candle of a seed.
func candle(_ start: Int64, _ random: inout SplitMix64) -> Candle {
  let low = 10_000_000_000_000 + random.below(1_000_000_000)
  let high = low + random.below(1_000_000_000)
  return Candle(
    start: start, open: Price(units: low + random.below(high - low + 1)),
    high: Price(units: high), low: Price(units: low),
    close: Price(units: low + random.below(high - low + 1)),
    volume: Quantity(units: random.below(500_000_000_000)), count: Int32(random.below(3000)),
    missing: Int32(random.below(3) == 0 ? random.below(1000) : 0),
    source: CandleSource.allCases[Int(random.below(3))],
    proof: CandleProof.allCases[Int(random.below(3))])
}

/// Consecutive minutes from a start, at one price.
func minutes(
  from start: Int64, _ count: Int, price: Int64 = 5, source: CandleSource = .venue
) -> [Candle] {
  (0..<Int64(count)).map {
    var candle = Candle(
      start: start + $0 * 60_000, price: Price(units: price), volume: Quantity(units: 7))
    candle.source = source
    return candle
  }
}
