// What the hub must know about a venue.

public import MarketModel
public import NIOCore
public import SocketTransport
public import VenueCatalogue
public import VenueProtocols

/// One venue: where it is, how to speak to it, and how carefully.
public struct VenueConfiguration: Sendable {
  /// Where it is; ws and wss by WebSocket, tcp by plain TCP.
  public var endpoint: Endpoint
  /// Sent with the upgrade: tokens and languages.
  ///
  /// Never logged.
  public var headers: HeaderFields
  /// The venue's protocol with its data; the hub's copy lives on.
  public var session: any VenueSession
  /// The session's venue.
  public var venue: Venue { session.venue }
  /// The name for people.
  public var displayName: String
  /// How many attempts to connect the venue allows.
  public var budget: ConnectionBudget
  /// TLS, the deadline for a handshake, and message limits.
  public var options: ClientOptions
  /// How long the venue may take to greet after the handshake, in milliseconds.
  public var readyDeadlineMilliseconds: Int64
  /// Seeds the jitter of the back-off; nil for a seed of the process's own.
  public var jitterSeed: UInt64?
  /// Gets each message as it came, before the session, on the hub's event loop: for recordings.
  public var onRawMessage: (@Sendable (Venue, ByteBuffer, ClockReading) -> Void)?

  /// The longest span of the back-off, in milliseconds; nil for what the budget allows.
  package var backoffCapMilliseconds: Int64?
  /// Hears what a connection brings after the session has; nil for nobody.
  package var tap: VenueTap?

  /// Puts a configuration together.
  ///
  /// - Parameters:
  ///   - endpoint: with the scheme ws, wss or tcp.
  ///   - headers: sent with the upgrade.
  ///   - session: the venue's protocol, fresh.
  ///   - displayName: for people; nil takes the venue's usual one.
  ///   - budget: nil takes the venue's usual one.
  ///   - options: TLS, deadline and limits.
  ///   - readyDeadlineMilliseconds: 10 s by default.
  ///   - jitterSeed: for repeatable back-off.
  ///   - onRawMessage: gets each message as it came.
  public init(
    endpoint: Endpoint, headers: HeaderFields = [], session: any VenueSession,
    displayName: String? = nil, budget: ConnectionBudget? = nil,
    options: ClientOptions = ClientOptions(), readyDeadlineMilliseconds: Int64 = 10_000,
    jitterSeed: UInt64? = nil,
    onRawMessage: (@Sendable (Venue, ByteBuffer, ClockReading) -> Void)? = nil
  ) {
    self.endpoint = endpoint
    self.headers = headers
    self.session = session
    self.displayName = displayName ?? session.venue.displayName
    self.budget = budget ?? session.venue.descriptor.budget
    self.options = options
    self.readyDeadlineMilliseconds = readyDeadlineMilliseconds
    self.jitterSeed = jitterSeed
    self.onRawMessage = onRawMessage
  }
}
