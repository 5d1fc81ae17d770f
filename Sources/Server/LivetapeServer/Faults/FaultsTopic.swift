import AppState
import MarketModel
import SimulatorServer
import WireJSON

struct FaultsState: Equatable, Sendable {
  /// The venues simulated in this process, in display order.
  var order: [Venue] = []
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
