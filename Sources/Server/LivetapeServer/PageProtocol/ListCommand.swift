import AppState
import MarketModel

enum ListCommand: Equatable, Sendable {
  /// Adds or moves a member; to the end without `before`.
  case add(list: String, InstrumentKey, before: InstrumentKey?)
  case remove(list: String, InstrumentKey)
  case create(name: String)
  case rename(list: String, name: String)
  case delete(list: String)

  /// Changes the lists; throws and changes nothing on failure.
  func apply(to lists: inout MarketLists) throws(MarketListProblem) {
    switch self {
    case .add(let list, let member, let place): try lists.add(member, to: list, before: place)
    case .remove(let list, let member): try lists.remove(member, from: list)
    case .create(let name): try lists.create(name)
    case .rename(let list, let name): try lists.rename(list, to: name)
    case .delete(let list): try lists.delete(list)
    }
  }
}

extension ListCommand {
  /// The maximum length of a member's text in bytes.
  static let maximumBytes = 640

  init?(_ action: String, _ members: ObjectMembers) throws(PageRequestError) {
    switch action {
    case "list.add":
      let place =
        members.names.contains("before") ? try members.instrument("before", of: action) : nil
      self = .add(
        list: try members.text("list", of: action), try members.instrument("member", of: action),
        before: place)
    case "list.remove":
      self = .remove(
        list: try members.text("list", of: action), try members.instrument("member", of: action))
    case "list.create": self = .create(name: try members.text("name", of: action))
    case "list.rename":
      self = .rename(
        list: try members.text("list", of: action), name: try members.text("name", of: action))
    case "list.delete": self = .delete(list: try members.text("list", of: action))
    default: return nil
    }
  }
}
