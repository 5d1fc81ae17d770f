// A process that reads venues for the servers behind a bus: no orders.

import FeedConnections
import MarketModel
import MessageBus
import NIOCore
import SimulatorServer
import VenueProtocols
import VenueTape

extension BusApplication {
  /// Reads until the graceful shutdown.
  func read(behind address: NatsAddress) async throws {
    // What is simulated is so in this process, whatever is behind the bus.
    var own = configuration
    own.bus = nil
    try await own.withSimulatedVenues(on: group.next(), logger: logger) { [own] simulated, _ in
      try await read(ServedVenues(own, simulated: simulated), for: address)
    }
  }

  private func read(_ venues: ServedVenues, for address: NatsAddress) async throws {
    let loop = group.next()
    let bus = NatsBus(address: address, logger: logger, on: loop)
    let reader = TapeReader(
      venues: venues.connections.filter { !$0.session.venue.descriptor.isOfOneClient }, bus: bus,
      name: ServerName(random: .random(in: 0 ... .max)), logger: logger,
      asking: venues.http(on: loop, logger: logger), clock: configuration.clock)
    try await work(over: bus, readiness: { ReaderReadiness(link: $0, venues: reader.readings) }) {
      reader.start()
    } stop: {
      await reader.shutdown()
    }
  }
}
