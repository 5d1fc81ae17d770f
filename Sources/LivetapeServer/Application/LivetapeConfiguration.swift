// What a person can choose about a running Livetape.

public import FeedConnections
import Foundation
public import MarketModel
import SocketServer
import SocketTransport
public import VenueProtocols

/// Which venues a server reads by default.
public enum VenueMode: String, Sendable, CaseIterable {
  /// The simulated ones, in this process.
  case simulated
  /// The real ones.
  case live
}

/// A server's configuration, checked.
public struct LivetapeConfiguration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// Names that the server goes by beside ``host``, behind a proxy for instance.
  public var hostNames: [String] = []
  /// What every request needs; required where ``host`` is not loopback.
  public var pageToken: PageToken?
  /// The most pages at a time.
  var maximumPages = TopicServer.maximumPages
  /// Reads the time for feeds, orders and pages.
  var clock = HubClock.live
  /// Bounds of the page's sockets.
  var sockets = SocketLimits()
  /// The port to listen on; 0 for a free one.
  public var port = 8080
  /// Which venues are read unless ``addresses`` names another place.
  public var mode = VenueMode.simulated
  /// Venues at addresses of the person's own.
  public var addresses: [Venue: VenueAddress] = [:]
  /// The seed of simulated venues and of everything random.
  public var seed: UInt64 = 1
  /// The folder of the orders; made if need be.
  public var dataFolder = DataFolder.standard(environment: ProcessInfo.processInfo.environment)
  /// The token for BUX.
  public var buxToken: AccessToken?

  /// The defaults: simulated venues, port 8080 on loopback.
  public init() {}

  /// Throws a ``ConfigurationError`` when others could use the server without a token.
  func check() throws(ConfigurationError) {
    guard pageToken != nil || IPAddress.isLoopback(host) else {
      throw ConfigurationError(
        description: "\(host) can be reached by others, so an access token is needed: "
          + "give one with --token-file FILE or LIVETAPE_ACCESS_TOKEN")
    }
  }
}

/// A configuration that is not run.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
  /// One clear line.
  public let description: String
}
