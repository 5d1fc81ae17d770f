import Foundation
import MarketModel
import Testing

@testable import VenueProtocols

/// A captured session of a venue, with the rows that an independent replay found.
struct CapturedBooks: Sendable, CustomTestStringConvertible {
  let venue: Venue
  /// The file of the messages.
  let name: String
  let symbol: Symbol
  /// How many checkpoints the expected rows have.
  let checkpoints: Int
  /// What only updates of the book contain.
  let update: String
  /// Whether the numbers reveal that an update is repeated, so that it changes nothing.
  var ignoresRepetitions = false
  /// Every so many updates one is altered.
  var stride = 1

  var testDescription: String { name }

  static let all = [
    CapturedBooks(
      venue: .coinbase, name: "advanced-level2-BTC-USD-2026-08-24.jsonl",
      symbol: Symbol(known: "BTC-USD"), checkpoints: 11, update: #""type":"update""#,
      ignoresRepetitions: true),
    CapturedBooks(
      venue: .coinbase, name: "SYNTHETIC-advanced-CRV-EUR.jsonl",
      symbol: Symbol(known: "CRV-EUR"), checkpoints: 32, update: #""type":"update""#,
      ignoresRepetitions: true, stride: 40),
    CapturedBooks(
      venue: .binance, name: "spot-2021-10-12-NKNUSDT.tsv", symbol: Symbol(known: "NKNUSDT"),
      checkpoints: 16, update: "depthUpdate", ignoresRepetitions: true),
    CapturedBooks(
      venue: .binance, name: "us-spot-2021-10-12-COMPUSDT.tsv",
      symbol: Symbol(known: "COMPUSDT"), checkpoints: 11, update: "depthUpdate",
      ignoresRepetitions: true),
    CapturedBooks(
      venue: .okx, name: "ws-2022-05-13-BTC-USDT.tsv", symbol: Symbol(known: "BTC-USDT"),
      checkpoints: 10, update: #""action":"update""#),
    CapturedBooks(
      venue: .okx, name: "spot-books-BTC-USDT-2026-08-24.jsonl",
      symbol: Symbol(known: "BTC-USDT"), checkpoints: 7, update: #""action":"update""#),
    CapturedBooks(
      venue: .bybit, name: "spot-orderbook50-BTCUSDT-2026-08-24.jsonl",
      symbol: Symbol(known: "BTCUSDT"), checkpoints: 9, update: #""delta""#),
    CapturedBooks(
      venue: .bybit, name: "testnet-spot-BTCUSDT-2026-09-13.jsonl",
      symbol: Symbol(known: "BTCUSDT"), checkpoints: 2, update: #""delta""#),
  ]

  /// By line, the first one at 0; responses over HTTP as a host delivers them.
  func messages() throws -> [String] {
    try Self.text(name, venue.rawValue).split(separator: "\n").map { line in
      let columns = line.split(separator: "\t", maxSplits: 2)
      guard columns.count == 3, columns[1] != "ws" else { return String(columns.last ?? "") }
      let response = FetchedResponse(
        path: String(columns[1]), status: 200, body: Array(columns[2].utf8))
      return String(decoding: response.message, as: UTF8.self)
    }
  }

  /// "bids | asks | levels" after a line, by its number.
  func expected() throws -> [Int: String] {
    let file =
      venue == .coinbase
      ? name.replacing(".jsonl", with: ".expected.jsonl") : name + ".expected.jsonl"
    var expected: [Int: String] = [:]
    for line in try Self.text(file, venue.rawValue).split(separator: "\n") {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let number = row?["line"] as? Int else { continue }
      func side(_ key: String) -> String {
        (row?[key] as? [[String]] ?? []).map { level in
          level.map { FixedDecimal($0)?.trimmed.description ?? "?" }.joined(separator: "×")
        }.joined(separator: " ")
      }
      let levels = row?["levels"] as? [Int] ?? []
      expected[number] = "\(side("bids")) | \(side("asks"))\(Self.counts(levels))"
    }
    return expected
  }

  private static func counts(_ levels: [Int]) -> String {
    levels.isEmpty ? "" : " | \(levels.map(String.init).joined(separator: "/"))"
  }

  /// A book in the form of ``expected()``, which has the counts of levels or has not.
  static func table(_ view: BookView, hasCounts: Bool) -> String {
    BookTable.text(view) + (hasCounts ? counts([view.bidLevels, view.askLevels]) : "")
  }

  static func text(_ name: String, _ venue: String) throws -> String {
    let url = Bundle.module.url(
      forResource: name, withExtension: nil, subdirectory: "Payloads/\(venue)")
    return try String(contentsOf: try #require(url, "payload \(name)"), encoding: .utf8)
  }

  /// Replays messages; `look` receives the book after each, with the number of its line.
  @discardableResult
  func play(
    _ messages: some Sequence<String>, _ look: (Int, BookView) -> Void = { _, _ in }
  ) throws -> any MarketReplay {
    guard case .allInstruments(let make) = venue.adapter.replay else { throw NoReplay() }
    var replay = make()
    for (index, message) in messages.enumerated() {
      let now = ClockReading(milliseconds: Int64(index + 1) * 10)
      replay.process(Array(message.utf8).span, at: now)
      if let view = replay.bookView(for: symbol, at: now) { look(index + 1, view) }
    }
    return replay
  }

  private struct NoReplay: Error {}
}
