// What pages may do to simulated venues. The texts go on as they are: what is wrong with them is
// said in a sentence, not as a bad message.

/// A change of what goes wrong.
package enum FaultCommand: Equatable, Sendable {
  /// Let this go wrong, too.
  case inject(venue: String, spec: String)
  /// Let nothing go wrong on demand any more.
  case clear(venue: String)

  /// The command behind an action; nil when the action is none about faults.
  init?(action: String, venue: String?, faults: String?) throws(PageRequestError) {
    switch action {
    case "fault.inject":
      guard let venue, let faults else { throw .bad("fault.inject needs a venue and its faults") }
      self = .inject(venue: venue, spec: faults)
    case "fault.clear":
      guard let venue, faults == nil else { throw .bad("fault.clear needs a venue") }
      self = .clear(venue: venue)
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
