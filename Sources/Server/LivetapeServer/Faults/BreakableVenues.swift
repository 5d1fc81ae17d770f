import MarketModel
import SimulatorServer

/// Passes faults from pages to the venues simulated in this process; others can't be broken.
struct BreakableVenues: Sendable {
  /// In display order; empty if nothing is simulated here.
  let order: [Venue]
  private let faults: SimulatedFaults?

  init(_ configuration: LivetapeConfiguration, _ faults: SimulatedFaults?) {
    self.faults = faults
    order = faults == nil ? [] : Venue.allCases.filter { configuration.simulates($0) }
  }

  /// Performs a command; `done` receives the failure reason or nil, on any thread.
  func perform(_ command: FaultCommand, done: @escaping @Sendable (Sentence?) -> Void) {
    guard let venue = Venue(rawValue: command.venueName), order.contains(venue), let faults else {
      return done("Faults can be injected at simulated venues only.")
    }
    guard case .inject(_, let text) = command else {
      return faults.change(venue, to: .none, .all) { done($0?.sentence) }
    }
    do throws(VenueFaultError) {
      faults.change(venue, to: try VenueFaults(text, at: venue), .more) { done($0?.sentence) }
    } catch {
      done(error.sentence)
    }
  }

  /// Calls a listener, on any thread, with the current faults and with every change.
  func listen(_ listener: @escaping @Sendable (FaultsState) -> Void) {
    let order = order
    faults?.listen { running in listener(FaultsState(order: order, running: running)) }
  }
}
