// What pages may do to simulated venues. The texts go on as they are: what is wrong with them is
// said in a sentence, not as a bad message.

/// A change of what goes wrong.
package enum FaultCommand: Equatable, Sendable {
  /// Let this go wrong, too.
  case inject(venue: String, spec: String)
  /// Let nothing go wrong on demand any more.
  case clear(venue: String)

  /// The command behind an action; nil for other actions.
  init?(_ action: String, _ members: ObjectMembers) throws(PageRequestError) {
    switch action {
    case "fault.inject":
      self = .inject(
        venue: try members.text("venue", of: action), spec: try members.text("faults", of: action))
    case "fault.clear": self = .clear(venue: try members.text("venue", of: action))
    default: return nil
    }
  }

  /// The venue as it was named.
  var venueName: String {
    switch self {
    case .inject(let venue, _), .clear(let venue): venue
    }
  }
}
