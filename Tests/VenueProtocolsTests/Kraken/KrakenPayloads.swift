// Captured and documented messages of the venue.

import Foundation
import Testing

enum KrakenPayloads {
  /// The worked example of the venue's guide to the checksum.
  static func documentedSnapshot() throws -> String {
    try text("book-snapshot-documented.json").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// One connection of 26 August 2026.
  static func captured() throws -> [String] {
    try text("captured-2026-08-26.ETH-BTC.jsonl").split(separator: "\n").map(String.init)
  }

  /// A snapshot of the ticker channel, in the older shape without `trades`.
  static func ticker() throws -> String {
    try text("ticker-snapshot.json").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func text(_ name: String) throws -> String {
    let url = Bundle.module.url(
      forResource: name, withExtension: nil, subdirectory: "Payloads/kraken")
    return try String(contentsOf: try #require(url, "payload \(name)"), encoding: .utf8)
  }
}
