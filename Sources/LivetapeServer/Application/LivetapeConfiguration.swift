// What a person can choose about a running Livetape.

import Foundation
public import MarketModel
public import SocketTransport

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
  /// The port to listen on; 0 for a free one.
  public var port = 8080
  /// Which venues are read unless ``endpoints`` names another.
  public var mode = VenueMode.simulated
  /// Venues at addresses of the person's own.
  public var endpoints: [VenueName: Endpoint] = [:]
  /// The seed of simulated venues and of everything random.
  public var seed: UInt64 = 1
  /// The folder of the orders; made if need be.
  public var dataFolder = DataFolder.standard(environment: ProcessInfo.processInfo.environment)
  /// The token for BUX; never logged.
  public var buxToken: String?

  /// The defaults: simulated venues, port 8080 on loopback.
  public init() {}
}
