// The topic of what goes wrong with simulated venues, on purpose.

import AppState
import MarketModel
import SimulatorServer
import WireJSON

/// What goes wrong on demand, at the venues that can be broken.
struct FaultsState: Equatable, Sendable {
  /// The venues that are simulated in this process, in order of display.
  var order: [Venue] = []
  /// What goes wrong, by venue.
  var running: [Venue: [CurrentFault]] = [:]
}

extension FaultsState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("order", array: order) { $0.string($1.rawValue) }
    object.setObject("venues") { venues in
      for venue in order {
        venues.setObject(venue.rawValue) { object in
          object.set("kinds", array: VenueFaults.kinds(at: venue)) { $0.string($1) }
          object.set("running", array: running[venue] ?? []) { $1.write(to: &$0) }
        }
      }
    }
    return object.value
  }
}

/// A screen of one state that nothing but the simulated venues changes.
struct FaultsTopic: TopicScreen {
  var state: FaultsState

  var page: PageValue { state.page }
}
