// Lists on disk: reloaded, replaced as a whole, set aside when damaged, and never blocking.

import AppState
import Foundation
import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct KeptListsTests {
  private let now = Timestamp(milliseconds: 1_790_000_000_000)

  private func folder() throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("livetape-lists-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  private func lists(_ members: String...) throws -> MarketLists {
    var lists = MarketLists()
    for member in members {
      try lists.add(try #require(InstrumentKey(text: member)), to: MarketLists.starsID)
    }
    return lists
  }

  private func keep(_ lists: MarketLists, in file: KeptFile<MarketLists>) async -> Sentence? {
    await withCheckedContinuation { continuation in
      file.keep(lists) { continuation.resume(returning: $0) }
    }
  }

  private func files(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `lists are read again, and nothing else lies about`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(first.kept == MarketLists() && first.problem == nil)
    #expect(await keep(try lists("kraken/BTC/USD", "isin/US0378331005"), in: first) == nil)
    await first.close()
    #expect(try files(folder) == ["lists.json", "lists.json.lock"])
    let second = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(second.kept == (try lists("kraken/BTC/USD", "isin/US0378331005")))
    await second.close()
  }

  @Test func `of many changes the last one is what is kept`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = KeptFile<MarketLists>(folder: folder.path, now: now)
    for number in 0..<200 {
      file.keep(try lists("kraken/C\(number)/USD")) { _ in }
    }
    await file.close()
    let again = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(again.kept == (try lists("kraken/C199/USD")))
    await again.close()
  }

  @Test(arguments: ["", "{", "not JSON", #"{"version":9,"next":1,"lists":[]}"#])
  func `a damaged file is set aside and reported`(_ text: String) async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("lists.json")
    try Data(text.utf8).write(to: path)
    let file = KeptFile<MarketLists>(folder: folder.path, now: now)
    let name = try #require(try files(folder).first { $0.contains("damaged") })
    #expect(file.kept == MarketLists())
    #expect(file.problem?.description.contains(name) == true)
    #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Data(text.utf8))
    #expect(await keep(try lists("kraken/BTC/USD"), in: file)?.description.contains(name) == true)
    await file.close()
    let again = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(again.kept == (try lists("kraken/BTC/USD")) && again.problem == nil)
    await again.close()
  }

  @Test func `a file that is too long is damaged, whatever it holds`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("lists.json")
    try Data(repeating: 0x20, count: MarketLists.maximumBytes + 1).write(to: path)
    let file = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(file.problem?.description.contains("damaged") == true)
    await file.close()
  }

  @Test func `what can't be read is left alone, and the lists live in memory`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("lists.json")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    try Data([1]).write(to: path.appendingPathComponent("theirs"))
    let file = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(file.problem != nil && file.kept == MarketLists())
    await file.close()
    #expect(try files(folder).contains { $0.hasPrefix("lists.json") })
  }

  @Test func `a folder that can't be created or written is reported, without harm`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let plain = folder.appendingPathComponent("plain")
    try Data([1]).write(to: plain)
    let below = KeptFile<MarketLists>(folder: plain.appendingPathComponent("below").path, now: now)
    #expect(below.problem?.description.hasPrefix("The lists can't be kept") == true)
    below.keep(try lists("kraken/BTC/USD")) { _ in Issue.record("nothing is written") }
    await below.close()
    // A folder has the temporary name, so that nothing can be written.
    let file = KeptFile<MarketLists>(folder: folder.path, now: now)
    let taken = folder.appendingPathComponent("lists.json.new")
    try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
    let problem = await keep(try lists("kraken/BTC/USD"), in: file)
    #expect(problem?.description.hasPrefix("The lists can't be kept") == true)
    try FileManager.default.removeItem(at: taken)
    #expect(await keep(try lists("kraken/BTC/USD"), in: file) == nil, "it is tried again")
    await file.close()
  }

  @Test func `a second server of the same folder reads the lists and writes none`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(await keep(try lists("kraken/BTC/USD"), in: first) == nil)
    let second = KeptFile<MarketLists>(folder: folder.path, now: now)
    #expect(second.kept == (try lists("kraken/BTC/USD")))
    #expect(second.problem?.description.hasPrefix("Another server") == true)
    await second.close()
    await first.close()
  }
}
