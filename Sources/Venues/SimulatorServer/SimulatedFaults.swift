// What goes wrong with the simulated venues, for whoever may change it: from any thread.

public import MarketModel
import NIOCore
import VenueSimulator

/// Whether new faults come beside those that a venue has, or instead of them.
public enum FaultScope: Sendable {
  /// Beside them.
  case more
  /// Instead of them: nothing else goes wrong on demand.
  case all
}

/// The faults of the venues of one process.
public struct SimulatedFaults: Sendable {
  let host: SimulatedVenueHost

  /// Asks for faults; an empty list instead of all others ends them.
  ///
  /// - Parameters:
  ///   - venue: The venue.
  ///   - faults: What is to go wrong.
  ///   - scope: Beside what goes wrong already, or instead of it.
  ///   - done: Told, on the venues' loop, why nothing was changed; nil when it was.
  public func change(
    _ venue: Venue, to faults: VenueFaults, _ scope: FaultScope,
    done: @escaping @Sendable (VenueFaultError?) -> Void
  ) {
    onLoop {
      do throws(FaultSpecError) {
        try host.changeFaults(of: venue, to: faults.spec, scope)
        done(nil)
      } catch {
        done(VenueFaultError(error))
      }
    }
  }

  /// Calls a listener, on the venues' loop, with what goes wrong now and whenever that changes.
  public func listen(_ listener: @escaping @Sendable ([Venue: [CurrentFault]]) -> Void) {
    onLoop { host.listenToFaults { listener($0.mapValues { $0.map(CurrentFault.init) }) } }
  }

  /// What goes wrong now.
  func all() async throws -> [Venue: [CurrentFault]] {
    try await host.loop.submit { host.faults.mapValues { $0.map(CurrentFault.init) } }.get()
  }

  private func onLoop(_ work: @escaping @Sendable () -> Void) {
    if host.loop.inEventLoop { work() } else { host.loop.execute(work) }
  }
}
