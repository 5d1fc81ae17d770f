// The venues of a server that may be broken: those that are simulated in its own process. A real
// venue, a recording, or a simulator elsewhere is none of this server's business.

import MarketModel
import SimulatorServer

/// Passes faults from pages to the simulated venues.
struct BreakableVenues: Sendable {
  /// In order of display; empty where nothing is simulated here.
  let order: [Venue]
  private let faults: SimulatedFaults?

  /// The venues that a configuration has simulated in this process.
  init(_ configuration: LivetapeConfiguration, _ faults: SimulatedFaults?) {
    self.faults = faults
    order = faults == nil ? [] : Venue.allCases.filter { configuration.simulates($0) }
  }

  /// Carries out a command; `done` is told why it was not, from any thread.
  func perform(_ command: FaultCommand, done: @escaping @Sendable (String?) -> Void) {
    guard let venue = Venue(rawValue: command.venueName), order.contains(venue), let faults else {
      return done("Only venues that this server simulates can be broken.")
    }
    guard case .inject(_, let text) = command else {
      return faults.change(venue, to: .none, .all) { done($0?.description) }
    }
    do throws(VenueFaultError) {
      faults.change(venue, to: try VenueFaults(text, at: venue), .more) { done($0?.description) }
    } catch {
      done(error.description)
    }
  }

  /// Calls a listener, from any thread, with what goes wrong now and whenever that changes.
  func listen(_ listener: @escaping @Sendable (FaultsState) -> Void) {
    let order = order
    faults?.listen { running in listener(FaultsState(order: order, running: running)) }
  }
}
