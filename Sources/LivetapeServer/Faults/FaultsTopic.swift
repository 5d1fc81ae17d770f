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
    object.set("order") { writer in
      writer.beginArray()
      for venue in order { writer.string(venue.rawValue) }
      writer.endArray()
    }
    object.setObject("venues") { venues in
      for venue in order {
        venues.setObject(venue.rawValue) { object in
          object.set("kinds") { writer in
            writer.beginArray()
            for name in VenueFaults.kinds(at: venue) { writer.string(name) }
            writer.endArray()
          }
          object.set("running") { writer in
            writer.beginArray()
            for fault in running[venue] ?? [] { FaultsState.write(fault, to: &writer) }
            writer.endArray()
          }
        }
      }
    }
    return object.value
  }

  private static func write(_ fault: CurrentFault, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("fault", fault.text)
    if let end = fault.end { writer.member("until", end.milliseconds) }
    writer.endObject()
  }
}

/// A screen of one state that nothing but the simulated venues changes.
struct FaultsTopic: TopicScreen {
  var state: FaultsState

  var wanted: Set<MarketKey> { [] }
  var page: PageValue { state.page }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] { [] }
  mutating func perform(_ action: TopicAction, at now: ClockReading) -> [ScreenEffect] { [] }
}
