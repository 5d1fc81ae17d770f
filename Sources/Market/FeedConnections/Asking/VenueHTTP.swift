public import Logging
public import MarketModel
import NIOConcurrencyHelpers
public import NIOCore
public import SocketTransport
public import VenueCatalogue
public import VenueProtocols

/// Sends requests to venues from this process, over one connection each.
public struct VenueHTTP: VenueAsking {
  private let addresses: [Venue: VenueAddress]
  private let token: @Sendable () -> AccessToken?
  private let deadlineMilliseconds: Int64
  private let loop: any EventLoop
  private let logger: Logger?
  private let warnings = NIOLockedValueBox<[Venue: VenueWarnings]>([:])

  /// Creates a client; the first address of a venue counts.
  ///
  /// `token` is read for each request and sent only to venues that require one.
  /// `deadlineMilliseconds` limits a whole response. The logger receives warnings in responses.
  public init(
    _ addresses: [VenueAddress], token: @escaping @Sendable () -> AccessToken? = { nil },
    deadlineMilliseconds: Int64 = ClientOptions().deadlineMilliseconds, on loop: any EventLoop,
    logger: Logger? = nil
  ) {
    self.addresses = Dictionary(addresses.map { ($0.venue, $0) }) { first, _ in first }
    (self.token, self.deadlineMilliseconds, self.loop) = (token, deadlineMilliseconds, loop)
    self.logger = logger
  }

  /// The venues with an address.
  public var venues: Set<Venue> { Set(addresses.keys) }

  /// Sends a request at once.
  public func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<VenueAnswer> {
    let now = HubClock.live.now().wall
    guard let address = addresses[venue], let endpoint = address.endpoint(of: question, at: now)
    else {
      let error = TransportError.badResponse(venue.displayName, detail: "it can't be asked that")
      return loop.makeFailedFuture(ConnectionProblem.transport(error))
    }
    return HTTPClient.get(
      endpoint, headers: address.headers(token: token()) ?? [],
      options: ClientOptions(deadlineMilliseconds: deadlineMilliseconds),
      maximumBodyBytes: venue.adapter.maximumBytes(of: question), on: loop,
      abandoned: abandoned
    ).map {
      log(venue.adapter.warnings($0.body.readableBytesUInt8Span), of: venue)
      return VenueAnswer(status: $0.status, origin: address.origin, body: $0.body)
    }.flatMapErrorThrowing { error in
      throw ConnectionProblem.transport(
        error as? TransportError
          ?? .badResponse(endpoint.host, detail: String(describing: error)))
    }
  }

  private func log(_ texts: [String], of venue: Venue) {
    guard let logger, !texts.isEmpty else { return }
    for text in texts
    where warnings.withLockedValue({ $0[venue, default: VenueWarnings()].isNew(text) }) {
      logger.notice("the venue warns: \(text)", metadata: ["venue": "\(venue)"])
    }
  }
}

extension VenueAddress {
  /// The URL of a request; nil when the venue doesn't have it.
  package func endpoint(of question: VenueQuestion, at now: Timestamp) -> Endpoint? {
    guard let path = venue.adapter.path(of: question, at: now) else { return nil }
    switch question {
    case .history, .tickers: return history?.appending(path)
    case .product: return endpoint.asHTTP.appending(path)
    }
  }
}
