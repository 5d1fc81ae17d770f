// What is deleted by age and for lack of space, and that a wrong clock deletes nothing.

import DataFiles
import ChartModel
@testable import HistoryStore
import MarketModel
import Testing

@Suite struct HistoryPruningTests {
  static let now = SetClock.start.milliseconds
  static let day: Int64 = 86_400_000

  private func flat(_ start: Int64) -> Candle {
    Candle(start: start, price: Price(units: 5), volume: .zero)
  }

  /// A history with one candle of every interval at each age, and a new one.
  private func fill(_ folder: HistoryFolder, ages: [Int64], newest: Int64 = now) {
    let store = folder.open()
    for interval in CandleInterval.allCases {
      for age in ages { store.record([record(flat(interval.start(of: Self.now - age)), interval)]) }
    }
    store.record([record(flat(CandleInterval.second.start(of: newest)), .second, of: ether)])
    store.close()
  }

  private func count(_ store: HistoryStore, _ interval: CandleInterval) throws -> Int {
    try store.candles(bitcoin, interval, limit: 99).candles.count
  }

  @Test("Seconds go after 48 hours, minutes after two years, coarser ones never")
  func age() throws {
    let folder = try HistoryFolder()
    let ages = [Self.day, 3 * Self.day, 400 * Self.day, 800 * Self.day]
    fill(folder, ages: ages)
    let store = folder.open()
    store.flush()
    for interval in CandleInterval.allCases {
      let kept = interval.milliseconds < 60_000 ? 1 : interval == .minute ? 3 : 4
      let starts = Set(ages.prefix(kept).map { interval.start(of: Self.now - $0) })
      #expect(try count(store, interval) == starts.count, "\(interval)")
    }
  }

  @Test("A clock that jumps ten years ahead deletes nothing, nor does one candle of the far future")
  func clockJump() throws {
    for newest in [Self.now, Self.now + 3650 * Self.day] {
      let folder = try HistoryFolder()
      if newest == Self.now {
        folder.clock.time = Timestamp(milliseconds: Self.now + 3650 * Self.day)
      }
      fill(folder, ages: [Self.day], newest: newest)
      let store = folder.open()
      store.flush()
      for interval in CandleInterval.allCases {
        #expect(try count(store, interval) == 1, "\(interval), newest \(newest)")
      }
    }
  }

  @Test("A clock at 1970 deletes nothing, and what is recorded then is kept")
  func unsetClock() throws {
    let folder = try HistoryFolder()
    folder.clock.time = Timestamp(milliseconds: 0)
    fill(folder, ages: [Self.day, 900 * Self.day])
    let store = folder.open()
    store.flush()
    #expect(try count(store, .second) == 2)
    #expect(try count(store, .minute) == 2)
  }

  @Test("Above its size the oldest minutes go, the newest stay, and the file stays below the bound")
  func size() throws {
    let folder = try HistoryFolder()
    var limits = HistoryLimits()
    limits.maximumBytes = 400_000
    let store = folder.open(limits)
    let start = Self.now - 30 * Self.day
    var random = SplitMix64(seed: 7)
    store.record((0..<Int64(100)).map { record(candle(start + $0 * 3_600_000, &random), .hour) })
    var last: Int64 = 0
    for batch in 0..<Int64(20) {
      store.record(
        (0..<Int64(1000)).map {
          last = start + (batch * 1000 + $0) * 60_000
          return record(candle(last, &random))
        })
      store.flush()
    }
    #expect(store.status.failure == nil)
    let found = try store.candles(bitcoin, .minute, limit: 99_999).candles
    #expect(found.last?.start == last)
    #expect(found.count > 3000 && found.count < 20_000, "\(found.count)")
    #expect(found.last.map { $0.start - Int64(found.count - 1) * 60_000 } == found.first?.start)
    #expect(try store.candles(bitcoin, .hour, limit: 999).candles.count == 100)
    store.close()
    let files = DatabaseFiles(path: folder.path)
    #expect(files.bytes <= 400_000, "\(files.bytes)")
  }

  @Test("Without minutes to delete, seconds go, then the finest of the rest")
  func sizeWithoutMinutes() throws {
    let folder = try HistoryFolder()
    var limits = HistoryLimits()
    limits.maximumBytes = 300_000
    let store = folder.open(limits)
    var random = SplitMix64(seed: 8)
    store.record((0..<Int64(300)).map { record(candle($0 * Self.day, &random), .day) })
    store.record((0..<Int64(20_000)).map { record(candle($0 * 300_000, &random), .fiveMinutes) })
    store.flush()
    #expect(try store.candles(bitcoin, .day, limit: 999).candles.count == 300)
    let found = try store.candles(bitcoin, .fiveMinutes, limit: 99_999).candles
    #expect(found.last?.start == 19_999 * 300_000 && found.count < 20_000)
  }
}
