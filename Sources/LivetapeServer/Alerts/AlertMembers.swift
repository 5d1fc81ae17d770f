// What pages may say about alerts. A price goes on as text: what is wrong with it is said in a
// sentence, not as a bad message.

import FeedConnections
import MarketModel
import WireJSON

/// The members of a message that are about alerts alone.
struct AlertMembers: Equatable {
  /// The longest text of a member, in bytes.
  static let maximumBytes = 96

  private var market: String?
  private var price: String?
  private var again: Bool?

  /// Whether there are any.
  var isEmpty: Bool { self == AlertMembers() }

  /// Reads a member; false when the key is none of these.
  mutating func read(
    _ key: Range<Int>, of bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Bool {
    let duplicate = JSONError(.duplicateKey, at: key.lowerBound)
    if JSONText.equals(bytes, key, "market") {
      guard market == nil else { throw duplicate }
      market = try cursor.text(bytes, maximumBytes: Self.maximumBytes)
    } else if JSONText.equals(bytes, key, "price") {
      guard price == nil else { throw duplicate }
      price = try cursor.text(bytes, maximumBytes: Self.maximumBytes)
    } else if JSONText.equals(bytes, key, "again") {
      guard again == nil else { throw duplicate }
      again = try cursor.boolean(bytes)
    } else {
      return false
    }
    return true
  }

  /// The command behind an action; nil when the action is none about alerts.
  func command(_ action: String, id: String?) throws(PageRequestError) -> AlertCommand? {
    switch action {
    case "alert.add":
      guard let market, let price, let again, id == nil else {
        throw .bad("alert.add needs a market, a price, and whether to go on again")
      }
      guard let instrument = InstrumentKey(text: market) else {
        throw .bad("market of alert.add is a venue and a symbol, as in kraken/BTC/USD")
      }
      return .add(instrument, price: price, repeats: again)
    case "alert.remove", "alert.arm":
      // Digits only: Int would take a sign, too.
      guard isEmpty, let id, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(id)
      else { throw .bad("\(action) needs the id of an alert") }
      return action == "alert.arm" ? .arm(number) : .remove(number)
    default: return nil
    }
  }
}
