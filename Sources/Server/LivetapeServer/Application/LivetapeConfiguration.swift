// What a person can choose about a running Livetape.

public import FeedConnections
import Foundation
import Logging
public import MarketModel
public import MessageBus
import NIOCore
import NIOHTTP1
public import OrderLedger
public import SimulatorServer
import SocketServer
public import SocketTransport
public import VenueCatalogue

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
  /// What every request needs; required where ``host`` is not loopback and behind a proxy.
  public var pageToken: PageToken?
  /// The token with which people may see everything and change nothing; nil for none.
  public var viewerToken: PageToken?
  /// What the server speaks TLS with; nil for plain HTTP.
  public var tls: ServerTLS?
  /// The name of the reverse proxy that speaks TLS with everybody and through which all come.
  public var proxyName: String?
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
  /// What goes wrong with simulated venues from the start on.
  public var faults: [Venue: VenueFaults] = [:]
  /// The folder of the orders; made if need be.
  public var dataFolder = DataFolder.standard(environment: ProcessInfo.processInfo.environment)
  /// The ledger of the bus that the one in ``dataFolder`` replaces; nil for none.
  public var replacedLedger: LedgerIdentity?
  /// What is to be called again and again as a sign that the server turns; nil for none.
  public var beat: ServerBeat?
  /// The token for BUX.
  public var buxToken: AccessToken?
  /// The broker behind which readers are: venues are not read here then, but followed; nil where
  /// this process reads by itself.
  public var bus: NatsAddress?

  /// The defaults: simulated venues, port 8080 on loopback.
  public init() {}

  /// Whether browsers reach the server over TLS: its own, or that of the named proxy.
  var isReachedOverTLS: Bool { tls != nil || proxyName != nil }

  /// What every response says: over TLS, that browsers shall use nothing else from now on.
  var responseHeaders: HTTPHeaders {
    isReachedOverTLS ? ["Strict-Transport-Security": "max-age=31536000"] : [:]
  }

  /// Which requests are accepted; each call makes tickets and counts of its own.
  func access(_ logger: Logger? = nil) -> AccessPolicy {
    let names = hostNames + [proxyName].compactMap { $0 }
    let clock = clock
    let monotonic: @Sendable () -> MonotonicTime = { clock.now().monotonic }
    return AccessPolicy(
      origins: OriginPolicy(
        listeningOn: host, names: names, proxyOnly: proxyName != nil && tls == nil,
        overTLS: isReachedOverTLS),
      token: pageToken, viewerToken: viewerToken,
      tickets: pageToken.map { _ in SocketTickets(now: monotonic) },
      tokenGuard: pageToken.map { _ in TokenGuard(now: monotonic, logger: logger) },
      isSecure: isReachedOverTLS, isBehindProxy: proxyName != nil,
      isLoopbackOnly: proxyName == nil && IPAddress.isLoopback(host),
      now: { clock.now().wall })
  }

  /// Whether a venue is simulated in this process.
  func simulates(_ venue: Venue) -> Bool {
    bus == nil && mode == .simulated && addresses[venue] == nil
  }

  /// Throws a ``ConfigurationError`` when others could use the server without a token or over
  /// plain HTTP, or when a venue is to go wrong that is not simulated.
  public func check() throws(ConfigurationError) {
    let isReachable = proxyName != nil || !IPAddress.isLoopback(host)
    guard pageToken != nil || !isReachable else {
      throw ConfigurationError(
        description: "\(proxyName ?? host) can be reached by others, so an access token is "
          + "needed: give one with --token-file FILE or LIVETAPE_ACCESS_TOKEN")
    }
    if let viewerToken {
      guard let pageToken, !viewerToken.isSame(as: pageToken) else {
        throw ConfigurationError(
          description: "a viewers' token needs another access token beside it, which may do more")
      }
    }
    guard tls != nil || proxyName != nil || !isReachable else {
      throw ConfigurationError(
        description: "\(host) can be reached by others, so what travels needs TLS: give "
          + "--tls-certificate FILE and --tls-key FILE, or --behind-proxy NAME where a reverse "
          + "proxy with TLS stands before it")
    }
    for venue in Venue.allCases where faults[venue] != nil && !simulates(venue) {
      throw ConfigurationError(
        description: "--faults: \(venue) is not simulated here, so it can't be broken")
    }
  }
}

/// A sign of life: called on the loop that everything runs on, so that it stops when that hangs.
public struct ServerBeat: Sendable {
  /// The time between two calls, in milliseconds; at least 1.
  public let milliseconds: Int64
  /// What is called; it must not block.
  public let call: @Sendable () -> Void

  /// Puts both together.
  public init(milliseconds: Int64, call: @escaping @Sendable () -> Void) {
    self.milliseconds = max(1, milliseconds)
    self.call = call
  }

  /// Calls it again and again on a loop, until the task is cancelled.
  func start(on loop: any EventLoop) -> RepeatedTask {
    loop.scheduleRepeatedTask(
      initialDelay: .milliseconds(milliseconds), delay: .milliseconds(milliseconds)
    ) { _ in call() }
  }
}

/// A configuration that is not run.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
  /// One clear line.
  public let description: String
}
