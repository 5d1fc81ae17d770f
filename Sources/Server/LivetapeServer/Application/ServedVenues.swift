import FeedConnections
import Logging
import MarketModel
import NIOCore
import SimulatorServer
import VenueCatalogue
import VenueTape

struct ServedVenues: Sendable {
  /// In display order; venues without an address are omitted.
  let addresses: [VenueAddress]
  /// Venues that other processes read, followed on the bus.
  let followed: Set<Venue>
  private let mode: VenueMode
  private let token: AccessToken?
  private let seed: UInt64
  private let simulates: Bool

  /// Chooses each address: custom, simulated, or the real one.
  init(_ configuration: LivetapeConfiguration, simulated: SimulatedVenueAddresses?) {
    mode = configuration.mode
    token = configuration.buxToken
    seed = configuration.seed
    let isFollowing = configuration.bus != nil
    let isLive = configuration.mode != .simulated
    // Readers are assumed to be simulated unless configured otherwise: the real venues' history
    // does not match theirs.
    let published: (Venue) -> VenueAddress? = { venue in
      isFollowing && !isLive || !configuration.mode.includes(venue) ? nil : .published(venue)
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

  var connections: [VenueConfiguration] {
    Venue.allCases.compactMap { venue in
      let address = addresses.first { $0.venue == venue }
      guard followed.contains(venue) else {
        return address?.connection(token: token, seed: seed)
      }
      return FollowedVenue.connection(to: venue, seed: seed)
    }
  }

  /// The origin of values until a session reports it: simulated if any venue is.
  var origin: DataOrigin { simulates ? .simulated : .venue }

  /// Omitted venues that are closed or not among the named ones, with the text for the user.
  var closed: [Venue: Sentence] {
    let open = Set(addresses.map(\.venue)).union(followed)
    return Dictionary(
      uniqueKeysWithValues: Venue.allCases.filter { !open.contains($0) }.compactMap { venue in
        let unread: Sentence = "This server doesn't read \(venue.descriptor.displayName)."
        return (venue.closure ?? (mode.includes(venue) ? nil : unread)).map { (venue, $0) }
      })
  }

  /// The instruments whose candles are recorded from the start: the exchange's, and the first one
  /// with a book.
  var recorded: Set<InstrumentKey> {
    let books = BookCatalogue.instruments(closed: Set(closed.keys))
    let first = books.first.map { InstrumentKey($0.venue, $0.symbol) }
    return Set([InstrumentKey(.exchange, ExchangeCatalogue.symbol), first].compactMap { $0 })
  }

  func http(on loop: any EventLoop, logger: Logger) -> VenueHTTP {
    VenueHTTP(addresses, token: { [token] in token }, on: loop, logger: logger)
  }
}
