// What pages may do with a person's lists.

import AppState
import MarketModel
import WireJSON

/// A change of a list.
enum ListCommand: Equatable, Sendable {
  /// Adds or moves a member; without `before` to the end.
  case add(list: String, InstrumentKey, before: InstrumentKey?)
  case remove(list: String, InstrumentKey)
  case create(name: String)
  case rename(list: String, name: String)
  case delete(list: String)

  /// Changes the lists; throws and changes nothing when that can't be.
  func apply(to lists: inout MarketLists) throws(MarketListProblem) {
    switch self {
    case .add(let list, let member, let place):
      try lists.add(member, to: list, before: place)
    case .remove(let list, let member): try lists.remove(member, from: list)
    case .create(let name): try lists.create(name)
    case .rename(let list, let name): try lists.rename(list, to: name)
    case .delete(let list): try lists.delete(list)
    }
  }
}

/// The members of a message that are about lists.
struct ListMembers: Equatable {
  /// The longest text of a member, in bytes; what is longer is no name of anything.
  static let maximumBytes = 640
  private static let names: [StaticString] = ["list", "member", "before", "name"]

  private var texts: [String: String] = [:]

  /// Whether there are any.
  var isEmpty: Bool { texts.isEmpty }

  /// Reads a member; false when the key is none of these.
  mutating func read(
    _ key: Range<Int>, of bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> Bool {
    guard let name = Self.names.first(where: { JSONText.equals(bytes, key, $0) }) else {
      return false
    }
    guard texts["\(name)"] == nil else { throw JSONError(.duplicateKey, at: key.lowerBound) }
    texts["\(name)"] = try cursor.text(bytes, maximumBytes: Self.maximumBytes)
    return true
  }

  /// The command behind an action; nil when the action is none about lists.
  func command(_ action: String) throws(PageRequestError) -> ListCommand? {
    switch action {
    case "list.add":
      let (list, member) = (try text("list", action), try instrument("member", action))
      let place = texts["before"] == nil ? nil : try instrument("before", action)
      try require(["list", "member", "before"], action)
      return .add(list: list, member, before: place)
    case "list.remove":
      try require(["list", "member"], action)
      return .remove(list: try text("list", action), try instrument("member", action))
    case "list.create":
      try require(["name"], action)
      return .create(name: try text("name", action))
    case "list.rename":
      try require(["list", "name"], action)
      return .rename(list: try text("list", action), name: try text("name", action))
    case "list.delete":
      try require(["list"], action)
      return .delete(list: try text("list", action))
    default: return nil
    }
  }

  private func text(_ key: String, _ action: String) throws(PageRequestError) -> String {
    guard let text = texts[key] else { throw .bad("\(action) needs a \(key)") }
    return text
  }

  private func instrument(
    _ key: String, _ action: String
  ) throws(PageRequestError) -> InstrumentKey {
    guard let instrument = InstrumentKey(text: try text(key, action)) else {
      throw .bad("\(key) of \(action) is a venue and a symbol, as in kraken/BTC/USD")
    }
    return instrument
  }

  private func require(
    _ allowed: Set<String>, _ action: String
  ) throws(PageRequestError) {
    guard allowed.isSuperset(of: texts.keys) else {
      throw .bad("the action \(action) takes no such argument")
    }
  }
}
