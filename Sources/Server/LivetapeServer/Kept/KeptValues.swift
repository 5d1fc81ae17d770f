import AppState
import MarketModel
import PriceAlerts
import WireJSON

protocol KeptValue: Sendable {
  static var fileName: String { get }
  /// The noun in sentences: "The … can't be kept".
  static var things: Sentence { get }
  static var maximumBytes: Int { get }
  /// The value before anything is stored.
  init()
  /// Reads what ``json`` wrote; throws for anything else.
  init(decoding bytes: Span<UInt8>) throws(JSONError)
  var json: [UInt8] { get }
}

extension MarketLists: KeptValue {
  static let fileName = "lists.json"
  static let things: Sentence = "lists"
}

extension AlertBook: KeptValue {
  static let fileName = "alerts.json"
  static let things: Sentence = "alerts"
}
