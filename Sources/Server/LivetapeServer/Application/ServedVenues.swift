// Which venues a server reads, and where.

import FeedConnections
import Logging
import MarketModel
import NIOCore
import SimulatorServer
import VenueCatalogue
import VenueTape

/// The venues of one server.
struct ServedVenues: Sendable {
  /// In order of display; venues without an address are left out.
  let addresses: [VenueAddress]
  /// Venues that other processes read, and that are followed on the bus.
  let followed: Set<Venue>
  private let token: AccessToken?
  private let seed: UInt64
  private let simulates: Bool

  /// Puts the addresses together: the person's own, the simulated venues', or the real ones.
  init(_ configuration: LivetapeConfiguration, simulated: SimulatedVenueAddresses?) {
    token = configuration.buxToken
    seed = configuration.seed
    let isFollowing = configuration.bus != nil
    let isLive = configuration.mode == .live
    // Readers are simulated, too, unless told otherwise: the real venues' history is not theirs.
    let published: (Venue) -> VenueAddress? = { venue in
      isFollowing && !isLive ? nil : .published(venue)
    }
    let addresses = Venue.allCases.compactMap { venue in
      configuration.addresses[venue] ?? simulated?.address(of: venue) ?? published(venue)
    }
    let followed = Venue.allCases.filter { venue in
      let isKnown = !isLive || addresses.contains { $0.venue == venue }
      return isFollowing && isKnown && !venue.descriptor.isOfOneClient
    }
    self.addresses = addresses
    self.followed = Set(followed)
    simulates = isFollowing ? !isLive : addresses.contains { $0.origin == .simulated }
  }

  /// The connections, fresh.
  var connections: [VenueConfiguration] {
    Venue.allCases.compactMap { venue in
      let address = addresses.first { $0.venue == venue }
      guard followed.contains(venue) else {
        return address?.connection(token: token, seed: seed)
      }
      return FollowedVenue.connection(to: venue, seed: seed)
    }
  }

  /// Where values come from until a session says it: simulated as soon as one venue is.
  var origin: DataOrigin { simulates ? .simulated : .venue }

  /// Venues that are left out because they are closed, with the words for people.
  var closed: [Venue: String] {
    let open = Set(addresses.map(\.venue)).union(followed)
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

  /// Asks the venues at their addresses over HTTP.
  func http(on loop: any EventLoop, logger: Logger) -> VenueHTTP {
    VenueHTTP(addresses, token: { [token] in token }, on: loop, logger: logger)
  }
}
