public import MarketModel

/// A connection to a simulated venue, numbered by the host and never reused.
public struct ClientID: Hashable, Sendable, Comparable {
  /// The number.
  public let number: Int

  /// Wraps a number.
  public init(_ number: Int) { self.number = number }

  /// Older connections first.
  public static func < (left: ClientID, right: ClientID) -> Bool { left.number < right.number }
}

/// An HTTP request, or the head of a WebSocket upgrade.
public struct VenueRequest: Sendable, Equatable {
  /// The path below the venue's own prefix, without the query: "/realtime".
  public let path: String
  /// The decoded query, in order.
  public let query: [(name: String, value: String)]
  /// Header values by lower-case name; the last one where a name repeats.
  public let headers: [String: String]

  /// Creates a request.
  public init(
    path: String, query: [(name: String, value: String)] = [], headers: [String: String] = [:]
  ) {
    self.path = path
    self.query = query
    self.headers = headers
  }

  /// The first value of a query name; nil when absent.
  public func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// Equal paths, queries and headers.
  public static func == (left: VenueRequest, right: VenueRequest) -> Bool {
    left.path == right.path && left.headers == right.headers
      && left.query.map(\.name) == right.query.map(\.name)
      && left.query.map(\.value) == right.query.map(\.value)
  }
}

/// An HTTP response with a JSON body.
public struct VenueResponse: Sendable, Equatable {
  /// The status code, 200 to 599.
  public let status: Int
  /// JSON, or empty.
  public let body: [UInt8]
  /// Further headers, by name.
  public let headers: [String: String]

  /// Creates a response.
  public init(status: Int, body: [UInt8], headers: [String: String] = [:]) {
    self.status = status
    self.body = body
    self.headers = headers
  }
}

/// An action that the host must take for a venue; actions are taken in order.
public enum VenueEffect: Sendable, Equatable {
  /// Send these bytes to each client; as text unless `binary`, for raw TCP as they are.
  case send(to: [ClientID], bytes: [UInt8], binary: Bool)
  /// Close the WebSocket with a code and a reason; for raw TCP close the socket.
  case close(ClientID, code: UInt16, reason: String)
  /// Cut the connection without a close frame.
  case drop(ClientID)
}

/// A market behind one protocol: a pure, seeded state machine; the host owns sockets and clocks.
///
/// All calls come from one thread; times never go back.
public protocol SimulatedVenue: Sendable {
  /// The response that refuses a new WebSocket (or TCP) connection; nil to accept it.
  mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse?
  /// Handles an accepted connection; returns the greeting, if any.
  mutating func connect(
    _ client: ClientID, _ request: VenueRequest, at now: Timestamp
  ) -> [VenueEffect]
  /// Handles a whole message (or, for raw TCP, any bytes) of a client.
  mutating func receive(
    _ bytes: [UInt8], binary: Bool, from client: ClientID, at now: Timestamp
  ) -> [VenueEffect]
  /// Handles a closed connection.
  mutating func disconnect(_ client: ClientID)
  /// Responds to a plain HTTP GET; nil when the path is unknown.
  mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse?
  /// Advances the market to `now`.
  mutating func advance(to now: Timestamp) -> [VenueEffect]
  /// When `advance` has something to do next; nil when nothing is scheduled.
  var nextEvent: Timestamp? { get }
}

extension SimulatedVenue {
  /// Nil: every connection is accepted.
  public mutating func refusal(of request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    nil
  }

  /// Nil: there are no plain requests.
  public mutating func respond(to request: VenueRequest, at now: Timestamp) -> VenueResponse? {
    nil
  }
}
