/// A page's change of a simulated venue's faults.
///
/// Texts are passed on unchecked, so that errors get a sentence instead of "bad message".
package enum FaultCommand: Equatable, Sendable {
  /// Adds faults.
  case inject(venue: String, spec: String)
  case clear(venue: String)

  init?(_ action: String, _ members: ObjectMembers) throws(PageRequestError) {
    switch action {
    case "fault.inject":
      self = .inject(
        venue: try members.text("venue", of: action), spec: try members.text("faults", of: action))
    case "fault.clear": self = .clear(venue: try members.text("venue", of: action))
    default: return nil
    }
  }

  var venueName: String {
    switch self {
    case .inject(let venue, _), .clear(let venue): venue
    }
  }
}
