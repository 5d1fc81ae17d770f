// The page's words against the core's: a changed word, threshold or state meaning in Swift fails
// here until the page follows.

import AppState
import Foundation
import MarketModel
import PaperTrading
import Testing
import VenueCatalogue
import WireJSON

@testable import LivetapeServer

@Suite struct PageVocabularyTests {
  private let file = GeneratedFile(
    path: "Web/page/assets/text/vocabulary.js", variable: "UPDATE_VOCABULARY")

  @Test func `the words and thresholds of the page are those of the core`() throws {
    try file.expect(PageVocabulary.text, suite: "PageVocabularyTests")
  }

  @Test func `no other module of the page spells a state's word`() throws {
    let assets = file.url.deletingLastPathComponent().deletingLastPathComponent()
    let words = FreshnessState.allCases.map(\.word) + ConnectionPhase.allCases.map(\.word)
    // One-word labels with another meaning elsewhere.
    let own = Set(words).subtracting(["Live", "Connected", "Waiting", "Stopped"])
    let modules = FileManager.default.enumerator(at: assets, includingPropertiesForKeys: nil)
    var read = 0
    for case let module as URL in modules ?? .init() where module.pathExtension == "js" {
      if module.lastPathComponent == file.url.lastPathComponent { continue }
      read += 1
      let text = try String(contentsOf: module, encoding: .utf8)
      for word in own where text.contains("\"\(word)\"") {
        Issue.record("\(module.lastPathComponent) spells \(word)")
      }
    }
    #expect(read > 50)
  }
}

private enum PageVocabulary {
  /// The meaning of one case: names and literals.
  typealias Entry = KeyValuePairs<String, String>

  static var text: String {
    """
    // The core's words and thresholds for the page, written by PageVocabularyTests. To rewrite
    // them: UPDATE_VOCABULARY=1 swift test --filter PageVocabularyTests.

    /** What each state of freshness is called, how severe it is, and how its values are drawn. */
    export const FRESHNESS = \(object(FreshnessState.allCases) {
      [
        "word": quoted($0.word), "severity": "\($0.severity)",
        "showsMovement": "\($0.showsMovement)", "isDimmed": "\($0.isDimmed)",
      ]
    });

    /** Silence that makes a late value stale, in silences that make it late. */
    export const STALE_FACTOR = \(CadenceTracker.staleFactor);

    /** The badge of values that no real venue sent, and what it means. */
    export const ORIGINS = \(object(DataOrigin.allCases) {
      ["badge": quoted($0.badge), "explanation": quoted($0.explanation)]
    });

    /** What each phase of a connection is called, and what it counts as. */
    export const PHASES = \(object(ConnectionPhase.allCases) {
      [
        "word": quoted($0.word), "indicator": quoted(ConnectionIndicator($0).rawValue),
        "isOutage": "\($0.isOutage)",
      ]
    });

    /** The units that ages are told in: each below so many seconds, the last without a bound. */
    export const AGES = [
    \(AgeText.units.map(age).joined(separator: "\n"))
    ];

    /** What the sides of an order are called. */
    export const SIDES = { buy: \(quoted(Side.buy.word)), sell: \(quoted(Side.sell.word)) };

    /** The venues. */
    export const VENUES = \(object(Venue.allCases) { ["name": quoted($0.displayName)] });

    /** Whether an order of a status can still be filled or cancelled. */
    export const ORDER_STATUSES = \(object(OrderStatus.allCases) { ["isOpen": "\($0.isOpen)"] });

    """
  }

  private static func age(_ unit: (below: Int64, seconds: Int64, word: String)) -> String {
    let below = unit.below == .max ? "null" : "\(unit.below)"
    return "  { below: \(below), seconds: \(unit.seconds), word: \(quoted(unit.word)) },"
  }

  /// A text as a literal, or null.
  private static func quoted(_ text: String?) -> String {
    guard let text else { return "null" }
    var writer = JSONWriter(capacity: 128)
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// One entry a case, in the order of the cases; a member a line where a line is too short.
  private static func object<Case: RawRepresentable<String>>(
    _ cases: [Case], _ entry: (Case) -> Entry
  ) -> String {
    let entries = cases.map { each in
      let members = entry(each).map { "\($0.key): \($0.value)" }
      let isPlain = each.rawValue.allSatisfy(\.isLetter)
      let key = isPlain ? each.rawValue : quoted(each.rawValue)
      let line = "  \(key): { \(members.joined(separator: ", ")) },"
      if line.count <= 100 { return line }
      return "  \(key): {\n" + members.map { "    \($0),\n" }.joined() + "  },"
    }
    return "{\n\(entries.joined(separator: "\n"))\n}"
  }
}
