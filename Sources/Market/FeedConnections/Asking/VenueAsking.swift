public import MarketModel
public import NIOCore
import SocketTransport
public import VenueProtocols

/// A venue's HTTP response, of any status.
public struct VenueAnswer: Sendable, Equatable {
  /// The status code.
  public let status: Int
  /// The source of the data, by the venue's address.
  public let origin: DataOrigin
  /// The whole body.
  public let body: ByteBuffer
  /// The response's maximum age, in milliseconds; 0 unless it may be from an earlier request.
  public let ageMilliseconds: Int64

  /// Creates a response.
  public init(status: Int, origin: DataOrigin, body: ByteBuffer, ageMilliseconds: Int64 = 0) {
    (self.status, self.origin, self.body) = (status, origin, body)
    self.ageMilliseconds = ageMilliseconds
  }
}

/// Sends REST requests to venues, from this process or through their readers behind a bus.
public protocol VenueAsking: Sendable {
  var venues: Set<Venue> { get }

  /// Sends a request; returns a response of any status, or a ``ConnectionProblem``.
  ///
  /// All other requests may go before a patient one. `abandoned` cancels it by succeeding.
  func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<VenueAnswer>
}

extension VenueAsking {
  /// Sends a request that can't be cancelled.
  public func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool = false
  ) -> EventLoopFuture<VenueAnswer> {
    ask(venue, question, isPatient: isPatient, abandoned: nil)
  }

  /// Sends a request, cancelled with its task; throws ``ConnectionProblem``.
  public func answer(
    of venue: Venue, to question: VenueQuestion, on loop: any EventLoop
  ) async throws -> VenueAnswer {
    let abandoned = loop.makePromise(of: Void.self)
    let answer = ask(venue, question, isPatient: false, abandoned: abandoned.futureResult)
    // A promise must be completed; completing it twice is allowed.
    defer { abandoned.fail(TransportError.abandoned) }
    return try await withTaskCancellationHandler {
      try await answer.get()
    } onCancel: {
      abandoned.succeed()
    }
  }
}
