// What the server keeps as one file each.

import AppState
import PriceAlerts
import WireJSON

/// What a kept file holds.
protocol KeptValue: Sendable {
  /// The file's name in the data folder.
  static var fileName: String { get }
  /// What it is called in sentences: "The … can't be kept".
  static var things: String { get }
  /// The longest file.
  static var maximumBytes: Int { get }
  /// What there is before anything is kept.
  init()
  /// Reads what ``json`` wrote; throws for anything else.
  init(decoding bytes: Span<UInt8>) throws(JSONError)
  /// All of it as JSON.
  var json: [UInt8] { get }
}

extension MarketLists: KeptValue {
  static let fileName = "lists.json"
  static let things = "lists"
}

extension AlertBook: KeptValue {
  static let fileName = "alerts.json"
  static let things = "alerts"
}
