public import MarketModel
public import NIOCore
public import SocketTransport
public import VenueCatalogue
public import VenueProtocols

/// The configuration of one venue's connection.
public struct VenueConfiguration: Sendable {
  /// The endpoint; ws and wss use a WebSocket, tcp plain TCP.
  public var endpoint: Endpoint
  /// The base address of the session's own requests over HTTP; nil without one.
  public var requests: Endpoint?
  /// Sent with the upgrade: tokens and languages; never logged.
  public var headers: HeaderFields
  /// The venue's protocol and data; the hub uses a copy.
  public var session: any VenueSession
  /// The session's venue.
  public var venue: Venue { session.venue }
  /// The name for people.
  public var displayName: String
  /// The connection attempts that the venue allows.
  public var budget: ConnectionBudget
  /// TLS, handshake deadline and message limits.
  public var options: ClientOptions
  /// The limit for the venue's welcome message after the handshake, in milliseconds.
  public var readyDeadlineMilliseconds: Int64
  /// The seed of the back-off's jitter; nil for a random one.
  public var jitterSeed: UInt64?
  /// Receives each raw message before the session, on the hub's event loop; for recordings.
  public var onRawMessage: (@Sendable (Venue, ByteBuffer, ClockReading) -> Void)?

  /// The longest back-off, in milliseconds; nil for the budget's default.
  package var backoffCapMilliseconds: Int64?
  /// Receives a connection's messages after the session; nil for none.
  package var tap: VenueTap?

  /// Creates a configuration for an endpoint with the scheme ws, wss or tcp and a new session.
  ///
  /// Nil for `displayName` and `budget` takes the venue's defaults.
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
