// Which venues a server reads, and where.

import FeedConnections
import MarketModel
import NIOCore
import SimulatorServer
import VenueProtocols

/// The venues of one server.
struct ServedVenues: Sendable {
  /// In order of display; venues without an address are left out.
  let addresses: [VenueAddress]
  private let token: AccessToken?
  private let seed: UInt64

  /// Puts the addresses together: the person's own, the simulated venues', or the real ones.
  init(_ configuration: LivetapeConfiguration, simulated: SimulatedVenueAddresses?) {
    token = configuration.buxToken
    seed = configuration.seed
    addresses = Venue.allCases.compactMap { venue in
      configuration.addresses[venue] ?? simulated?.address(of: venue) ?? .published(venue)
    }
  }

  /// The connections, fresh.
  var connections: [VenueConfiguration] {
    addresses.map { $0.connection(token: token, seed: seed) }
  }

  /// Where values come from until a session says it: simulated as soon as one venue is.
  var origin: DataOrigin {
    addresses.contains { $0.origin == .simulated } ? .simulated : .venue
  }

  /// Venues that are left out because they are closed, with the words for people.
  var closed: [Venue: String] {
    let open = Set(addresses.map(\.venue))
    return Dictionary(
      uniqueKeysWithValues: Venue.allCases.filter { !open.contains($0) }
        .compactMap { venue in venue.closure.map { (venue, $0) } })
  }

  /// The instruments whose candles are recorded from the start on: the exchange's, and the first
  /// one with a book.
  var recorded: Set<InstrumentKey> {
    let books = BookCatalogue.instruments(closed: Set(closed.keys))
    let first = books.first.map { InstrumentKey($0.venue, $0.symbol) }
    return Set([InstrumentKey(.exchange, ExchangeCatalogue.symbol), first].compactMap { $0 })
  }

  /// The client for products; nil where no venue has any.
  func products(on loop: any EventLoop) -> ProductClient? {
    let clients = addresses.lazy.compactMap { [token] address in
      ProductClient(of: address, token: { token }, group: loop)
    }
    return clients.first
  }
}
