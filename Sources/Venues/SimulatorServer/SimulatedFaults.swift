public import MarketModel
import NIOCore
import SimulatorHost
import SocketTransport
import VenueSimulator

/// Whether new faults are added to a venue's faults or replace them.
public enum FaultScope: Sendable {
  /// Added.
  case more
  /// Replaces all faults on demand.
  case all
}

/// The faults of the venues of one process, for use from any thread.
public struct SimulatedFaults: Sendable {
  let host: SimulatedVenueHost

  /// Requests faults; an empty list that replaces all others ends them.
  ///
  /// - Parameters:
  ///   - venue: The venue.
  ///   - faults: The faults.
  ///   - scope: Whether they are added or replace all others.
  ///   - done: Called on the venues' loop with the reason why nothing changed; nil on success.
  public func change(
    _ venue: Venue, to faults: VenueFaults, _ scope: FaultScope,
    done: @escaping @Sendable (VenueFaultError?) -> Void
  ) {
    host.loop.perform {
      do throws(FaultSpecError) {
        try host.changeFaults(of: venue, to: faults.spec, replacesAll: scope == .all)
        done(nil)
      } catch {
        done(VenueFaultError(error))
      }
    }
  }

  /// Calls a listener on the venues' loop with the current faults, now and on each change.
  public func listen(_ listener: @escaping @Sendable ([Venue: [CurrentFault]]) -> Void) {
    host.loop.perform {
      host.listenToFaults { listener($0.mapValues { $0.map(CurrentFault.init) }) }
    }
  }

  func all() async throws -> [Venue: [CurrentFault]] {
    try await host.loop.submit { host.faults.mapValues { $0.map(CurrentFault.init) } }.get()
  }
}
