// Recorded candles read back unchanged, whatever precedes or accompanies them.

import ChartModel
import Foundation
@testable import HistoryStore
import MarketModel
import Testing

@Suite struct HistoryStoreTests {
  static let midnight = SetClock.start.milliseconds

  @Test(
    "Every figure of every candle comes back, also after a restart",
    arguments: 0..<20 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    let folder = try HistoryFolder()
    var random = SplitMix64(seed: seed)
    var kept: [CandleInterval: [Candle]] = [:]
    let store = folder.open()
    for interval in CandleInterval.allCases {
      let first = interval.start(of: Self.midnight) - 30 * interval.milliseconds
      kept[interval] = (0..<30).map { candle(first + $0 * interval.milliseconds, &random) }
      store.record(kept[interval, default: []].map { record($0, interval) })
    }
    store.flush()
    #expect(store.status.failure == nil && store.status.refusedCount == 0)
    store.close()
    let again = folder.open()
    for (interval, candles) in kept {
      let found = try again.candles(bitcoin, interval, limit: 100)
      #expect(found.candles == candles, "seed \(seed), \(interval)")
      #expect(found.priceScale.digits == 8 && found.quantityScale.digits == 8)
      #expect(
        try again.endOfHistory(bitcoin, interval)
          == (candles.last?.start ?? 0) + interval.milliseconds)
    }
    #expect(try again.candles(ether, .minute, limit: 5).candles.isEmpty)
    #expect(try again.endOfHistory(ether, .minute) == nil)
  }

  @Test("The latest are given, those before a time, and those from a time on")
  func ranges() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    let all = minutes(from: Self.midnight, 100)
    store.record(all.map { record($0) })
    store.flush()
    #expect(try store.candles(bitcoin, .minute, limit: 3).candles == Array(all.suffix(3)))
    let fifty = all[50].start
    #expect(
      try store.candles(bitcoin, .minute, before: fifty, limit: 2).candles == Array(all[48..<50]))
    #expect(try store.candles(bitcoin, .minute, before: fifty + 1, limit: 1).candles == [all[50]])
    #expect(
      try store.candles(bitcoin, .minute, from: fifty, before: all[52].start, limit: 9).candles
        == Array(all[50..<52]))
    #expect(
      try store.candles(bitcoin, .minute, from: fifty + 1, limit: 99).candles
        == Array(all[51...]))
    #expect(try store.candles(bitcoin, .minute, limit: -1).candles.isEmpty)
    #expect(try store.candles(bitcoin, .minute, before: .min, limit: 5).candles.isEmpty)
  }

  @Test(
    "A later word replaces the earlier one, but for a poorer one beside a venue's or a compared one"
  )
  func laterWord() throws {
    struct Word: Hashable { let source: CandleSource, proof: CandleProof, missing: Int32 }
    let seen = Word(source: .seen, proof: .none, missing: 0)
    let partial = Word(source: .trades, proof: .none, missing: 30_000)
    let trades = Word(source: .trades, proof: .none, missing: 0)
    let venue = Word(source: .venue, proof: .none, missing: 0)
    let folded = Word(source: .venue, proof: .none, missing: 10_000)
    let proven = Word(source: .trades, proof: .proven, missing: 0)
    let contradicted = Word(source: .trades, proof: .contradicted, missing: 0)
    let strength = [
      seen: 0, partial: 0, trades: 0, folded: 0, venue: 1, proven: 2, contradicted: 2,
    ]
    let store = try HistoryFolder().open()
    var start = Self.midnight
    for (old, oldStrength) in strength {
      for (new, newStrength) in strength {
        start += 60_000
        let pair = [old, new].enumerated().map { index, word in
          Candle(
            start: start, open: Price(units: 5), high: Price(units: 5), low: Price(units: 5),
            close: Price(units: 5), volume: Quantity(units: Int64(index)), missing: word.missing,
            source: word.source, proof: word.proof)
        }
        store.record(pair.map { record($0) })
        store.flush()
        let found = try store.candles(bitcoin, .minute, limit: 1).candles
        #expect(found == [pair[newStrength >= oldStrength ? 1 : 0]], "\(old), then \(new)")
      }
    }
  }

  @Test(
    "Finer quantities than before multiply what is kept; coarser ones are multiplied as they come")
  func scales() throws {
    let store = try HistoryFolder().open()
    let all = minutes(from: Self.midnight, 3)
    store.record([record(all[0], priceScale: 2, quantityScale: 3)])
    store.flush()
    store.record([record(all[1], priceScale: 4, quantityScale: 8)])
    store.record([record(all[2], priceScale: 2, quantityScale: 3)])
    store.flush()
    let found = try store.candles(bitcoin, .minute, limit: 9)
    #expect(found.priceScale.digits == 4 && found.quantityScale.digits == 8)
    #expect(found.candles.map(\.volume.units) == [700_000, 7, 700_000])
    #expect(found.candles.map(\.close.units) == [500, 5, 500])
    #expect(found.candles.map(\.low.units) == [500, 5, 500])
    let coarse = found.candles(priceScale: Scale(clamping: 2), quantityScale: Scale(clamping: 3))
    #expect(coarse == [all[0], all[2]], "what a coarser scale can't hold exactly is left out")
    let same = found.candles(priceScale: found.priceScale, quantityScale: found.quantityScale)
    #expect(same == found.candles)
  }

  @Test("A scale at which a kept volume would not fit is not taken; what is kept stays as it is")
  func impossibleScale() throws {
    let store = try HistoryFolder().open()
    var large = minutes(from: Self.midnight, 2)
    large[0].volume = Quantity(units: .max / 10)
    store.record([record(large[0], quantityScale: 8)])
    store.record([record(large[1], quantityScale: 18)])
    store.flush()
    let found = try store.candles(bitcoin, .minute, limit: 9)
    #expect(found.candles == [large[0]] && found.quantityScale.digits == 8)
    #expect(store.status.refusedCount == 1, "7e-18 is nothing that 8 digits can say")
  }

  @Test("What is no candle is refused and counted, and the rest is kept")
  func unsound() throws {
    let store = try HistoryFolder().open()
    let good = minutes(from: Self.midnight, 1)[0]
    var bad: [Candle] = Array(repeating: good, count: 9)
    bad[0].start += 1
    bad[1].start = .min
    bad[2].start = .max
    bad[3].high = Price(units: 4)
    bad[4].low = Price(units: 6)
    bad[5].volume = Quantity(units: -1)
    bad[6].count = -1
    bad[7].missing = -1
    bad[8].missing = 60_001
    store.record(bad.map { record($0) } + [record(good)])
    store.flush()
    #expect(try store.candles(bitcoin, .minute, limit: 99).candles == [good])
    #expect(store.status.refusedCount == 9)
  }

  @Test("A reader during writes sees whole commits, in order")
  func readWhileWriting() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    let all = minutes(from: Self.midnight, 4000)
    let isDone = SaidStatuses()
    DispatchQueue.concurrentPerform(iterations: 2) { worker in
      if worker == 0 {
        for start in stride(from: 0, to: all.count, by: 40) {
          store.record(all[start..<start + 40].map { record($0) })
          store.flush()
        }
        isDone.add(store.status)
      } else {
        var last = 0
        while isDone.all.isEmpty {
          guard let found = try? store.candles(bitcoin, .minute, limit: 9999).candles else {
            Issue.record("a reading failed")
            return
          }
          #expect(found.elementsEqual(all.prefix(found.count)))
          #expect(found.count >= last && found.count % 40 == 0)
          last = found.count
        }
      }
    }
    #expect(try store.candles(bitcoin, .minute, limit: 9999).candles == all)
  }

  @Test("Files and folder are readable by the owner only")
  func privacy() throws {
    let parent = try HistoryFolder()
    let folder = parent.folder + "/data/deep"
    let store = HistoryStore(folder: folder, now: { SetClock.start })
    store.record([record(minutes(from: Self.midnight, 1)[0])])
    store.flush()
    func mode(_ path: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return try #require(attributes[.posixPermissions] as? Int)
    }
    #expect(try mode(folder) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count >= 4, "\(names)")
    for name in names { #expect(try mode(folder + "/" + name) == 0o600, "\(name)") }
  }

  @Test("Once closed, nothing is taken and nothing is read; what came before is there")
  func closed() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    let all = minutes(from: Self.midnight, 2)
    store.record([record(all[0])])
    store.close()
    store.close()
    store.record([record(all[1])])
    store.flush()
    #expect(store.status.failure == .closed)
    #expect(throws: HistoryStoreError.closed) { try store.candles(bitcoin, .minute, limit: 1) }
    #expect(try folder.open().candles(bitcoin, .minute, limit: 9).candles == [all[0]])
  }
}
