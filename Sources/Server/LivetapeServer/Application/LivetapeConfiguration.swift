public import FeedConnections
import Foundation
import Logging
public import MarketModel
public import MessageBus
import NIOCore
import NIOHTTP1
public import OrderLedger
public import PaperTrading
public import SimulatorServer
import SocketServer
public import SocketTransport
public import VenueCatalogue

/// The default source of venue data.
public enum VenueMode: Sendable, Equatable {
  case simulated
  case live
  /// These live venues alone; a server that can't read one of them is not ready.
  case named(Set<Venue>)

  /// "simulated", "live", or venues with commas between them; nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "simulated": self = .simulated
    case "live": self = .live
    default:
      let names = text.split(separator: ",", omittingEmptySubsequences: false)
      let venues = names.compactMap { Venue(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
      guard venues.count == names.count, Set(venues).count == venues.count else { return nil }
      self = .named(Set(venues))
    }
  }

  /// Whether it includes a venue.
  func includes(_ venue: Venue) -> Bool {
    if case .named(let venues) = self { venues.contains(venue) } else { true }
  }
}

/// A server's configuration; ``check()`` validates it.
public struct LivetapeConfiguration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The server's other names, for example behind a proxy.
  public var hostNames: [String] = []
  /// The access token; required behind a proxy or if ``host`` is not loopback.
  public var pageToken: PageToken?
  /// A token for read-only access; nil for none.
  public var viewerToken: PageToken?
  /// The TLS certificate and key; nil for plain HTTP.
  public var tls: ServerTLS?
  /// The name of a reverse proxy that terminates TLS for all clients; nil for none.
  public var proxyName: String?
  var maximumPages = TopicServer.maximumPages
  var clock = HubClock.live
  var sockets = SocketLimits()
  /// The port to listen on; 0 for a free one.
  public var port = 8080
  /// The default source of venue data; ``addresses`` overrides it.
  public var mode = VenueMode.simulated
  /// Custom venue addresses.
  public var addresses: [Venue: VenueAddress] = [:]
  /// The fees of paper orders, where they differ from the venue's lowest tier.
  public var fees: [Venue: FeeRates] = [:]
  /// How long paper orders are on their way to a venue.
  public var orderLatency = OrderLatency.measured
  /// The seed of simulated venues and all other randomness.
  public var seed: UInt64 = 1
  /// Faults of simulated venues from the start.
  public var faults: [Venue: VenueFaults] = [:]
  /// The folder of the orders; created if needed.
  public var dataFolder = DataFolder.standard(environment: ProcessInfo.processInfo.environment)
  /// The bus's ledger that the one in ``dataFolder`` replaces; nil for none.
  public var replacedLedger: LedgerIdentity?
  /// A periodic sign of life; nil for none.
  public var beat: ServerBeat?
  /// The token for BUX.
  public var buxToken: AccessToken?
  /// The program that runs for each alert; nil for none.
  public var alertProgram: AlertProgram?
  /// The URL that receives each alert; nil for none.
  public var alertWebhook: AlertWebhook?
  /// The message broker through which readers supply the venues; nil if this process reads itself.
  public var bus: NatsAddress?

  /// The defaults: simulated venues, port 8080 on loopback.
  public init() {}

  /// Whether browsers use TLS, of the server or of the configured proxy.
  var isReachedOverTLS: Bool { tls != nil || proxyName != nil }

  /// Headers of every response; with TLS, browsers must use nothing else.
  var responseHeaders: HTTPHeaders {
    isReachedOverTLS ? ["Strict-Transport-Security": "max-age=31536000"] : [:]
  }

  var alertReceivers: [any AlertReceiver] {
    [alertProgram as (any AlertReceiver)?, alertWebhook].compactMap { $0 }
  }

  /// The access rules; each call creates new tickets and counts.
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

  /// The venues that the configuration names, by ``mode`` or ``addresses``.
  var requestedVenues: Set<Venue> {
    let named: Set<Venue> = if case .named(let venues) = mode { venues } else { [] }
    return named.union(addresses.keys)
  }

  func simulates(_ venue: Venue) -> Bool {
    bus == nil && mode == .simulated && addresses[venue] == nil
  }

  /// Validates the configuration.
  ///
  /// Throws a ``ConfigurationError`` if other machines could use the server without a token or over
  /// plain HTTP, if faults are configured for a venue that is not simulated, or if a closed
  /// venue is named without an address.
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
    for venue in Venue.allCases {
      guard let closure = venue.closure, addresses[venue] == nil,
        requestedVenues.contains(venue)
      else { continue }
      throw ConfigurationError(description: "--venues: \(closure)")
    }
    for venue in Venue.allCases where faults[venue] != nil && !simulates(venue) {
      throw ConfigurationError(
        description: "--faults: \(venue) is not simulated here, so it can't be broken")
    }
  }
}

/// A sign of life, called on the main event loop so that it stops if the loop hangs.
public struct ServerBeat: Sendable {
  /// The interval in milliseconds; at least 1.
  public let milliseconds: Int64
  /// The callback; must not block.
  public let call: @Sendable () -> Void

  /// Creates a beat.
  public init(milliseconds: Int64, call: @escaping @Sendable () -> Void) {
    self.milliseconds = max(1, milliseconds)
    self.call = call
  }

  /// Calls it repeatedly until the task is cancelled.
  func start(on loop: any EventLoop) -> RepeatedTask {
    loop.scheduleRepeatedTask(
      initialDelay: .milliseconds(milliseconds), delay: .milliseconds(milliseconds)
    ) { _ in call() }
  }
}

/// An invalid configuration.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
  /// The reason in one line.
  public let description: String
}
