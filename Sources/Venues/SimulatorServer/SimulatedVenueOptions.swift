public import FeedConnections
public import MarketModel
import SimulatorHost
package import SocketServer
import SocketTransport
import VenueSimulator

/// The addresses and the behaviour of the simulated venues.
public struct SimulatedVenueOptions: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The HTTP and WebSocket port; 0 for a free one.
  public var port = 0
  /// The tick feed's port; 0 for a free one.
  public var exchangePort = 0
  /// The seed of the markets; equal seeds give equal markets.
  public var seed: UInt64 = 1
  /// Time between the exchange's ticks, in milliseconds.
  public var tickMilliseconds: Int64 = 1000
  /// Whether BitMEX rows are of the older generation (no price on updates).
  public var usesLegacyRows = false

  /// The faults from the start on, by venue.
  public var faults: [Venue: VenueFaults] = [:]

  /// The limits of the sockets of each port.
  package var sockets = SocketLimits()

  /// Creates options with loopback and free ports.
  public init() {}

  var venues: SimulatedVenues.Options {
    var options = SimulatedVenues.Options()
    options.bitmexGeneration = usesLegacyRows ? .legacy : .modern
    options.exchangeIntervalMilliseconds = tickMilliseconds
    options.stockStartCents = SimulatedVenueHost.stockCents
    return options
  }
}

/// The addresses of the listening simulated venues.
public struct SimulatedVenueAddresses: Sendable {
  /// The host to connect to.
  public let host: String
  /// The HTTP and WebSocket port.
  public let port: Int
  /// The tick feed's port.
  public let exchangePort: Int

  /// The address of a venue.
  public func address(of venue: Venue) -> VenueAddress {
    .simulated(venue, host: host, port: port, tcpPort: exchangePort)
  }

  /// The URL of a venue, as the command's flags accept it.
  public func url(of venue: Venue) -> String { address(of: venue).endpoint.description }
}
