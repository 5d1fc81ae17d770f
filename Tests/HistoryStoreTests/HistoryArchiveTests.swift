// A reader beside the writer: sees committed data, disturbs nothing, and reports errors in one
// line.

import ChartModel
import Foundation
@testable import HistoryStore
import MarketModel
import TestSupport
import Testing

@Suite struct HistoryArchiveTests {
  private let midnight = SetClock.start.milliseconds

  @Test("Committed data is readable while the writer continues undisturbed")
  func beside() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    let all = minutes(from: midnight, 200)
    store.record(all.prefix(100).map { record($0) })
    store.flush()
    let archive = try #require(try HistoryArchive(folder: folder.folder))
    #expect(try archive.candles(bitcoin, .minute, limit: 999).candles == Array(all.prefix(100)))
    for candle in all.suffix(100) {
      store.record([record(candle)])
      store.flush()
      #expect(try archive.candles(bitcoin, .minute, limit: 1).candles == [candle])
    }
    #expect(store.status.failure == nil && store.status.droppedCount == 0)
    store.close()
    #expect(try archive.candles(bitcoin, .minute, limit: 999).candles == all)
  }

  @Test("A history without a writer is read, and nothing is left beside it")
  func alone() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    store.record(minutes(from: midnight, 3).map { record($0) })
    store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    let archive = try #require(try HistoryArchive(folder: folder.folder))
    #expect(try archive.candles(bitcoin, .minute, limit: 9).candles.count == 3)
    #expect(try archive.candles(ether, .minute, limit: 9).candles.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == bytes)
  }

  @Test("What is no history is named and left as it is")
  func wrong() throws {
    let folder = try HistoryFolder()
    let none = try HistoryArchive(folder: folder.folder).map { _ in true }
    #expect(none == nil)
    #expect(try folder.names().isEmpty, "nothing is made")
    for content in ["", "this is no database, however long it may be".repeated(40)] {
      try content.write(toFile: folder.path, atomically: true, encoding: .utf8)
      let error = #expect(throws: HistoryStoreError.self) {
        _ = try HistoryArchive(folder: folder.folder)
      }
      #expect(error?.readingMessage.contains("histor") == true)
      #expect(try String(contentsOfFile: folder.path, encoding: .utf8) == content)
    }
  }

  @Test("48 hours of seconds of one instrument take at most 25 MB, however finely it is counted")
  func seconds() throws {
    let folder = try HistoryFolder()
    let store = folder.open()
    var random = SplitMix64(seed: 11)
    let count: Int64 = repetitions(28_800, all: 172_800)
    for batch in 0..<count / 4800 {
      let rows = (0..<4800 as Range<Int64>).map { number in
        record(candle(midnight + (batch * 4800 + number) * 1000, &random), .second)
      }
      store.record(rows)
      store.flush()
    }
    let bytes = store.status.bytes
    print("\(count) seconds: \(bytes) bytes, \(bytes / count) a second")
    #expect(bytes < 25_000_000 * count / 172_800)
    #expect(try store.candles(bitcoin, .second, limit: 200_000).candles.count == Int(count))
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
