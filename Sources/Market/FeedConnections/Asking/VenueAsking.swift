// The seam between what is asked of venues over HTTP and who asks them: this process, or their
// reader behind a bus.

public import MarketModel
public import NIOCore
import SocketTransport
public import VenueProtocols

/// What a venue answered over HTTP, whatever its status.
public struct VenueAnswer: Sendable, Equatable {
  /// The status code.
  public let status: Int
  /// Where it comes from, as whoever asked knows the address.
  public let origin: DataOrigin
  /// The whole body.
  public let body: ByteBuffer
  /// For how long at most the venue may have given it before this moment, in milliseconds: others
  /// may have asked the same before; 0 where this process asked by itself.
  public let ageMilliseconds: Int64

  /// Puts an answer together.
  public init(
    status: Int, origin: DataOrigin, body: ByteBuffer, ageMilliseconds: Int64 = 0
  ) {
    (self.status, self.origin, self.body) = (status, origin, body)
    self.ageMilliseconds = ageMilliseconds
  }
}

/// Asks venues what is known to be asked of them.
public protocol VenueAsking: Sendable {
  /// The venues that can be asked.
  var venues: Set<Venue> { get }

  /// Asks a venue.
  ///
  /// - Parameters:
  ///   - venue: which.
  ///   - question: what.
  ///   - isPatient: whether all other questions may go first.
  ///   - abandoned: nobody waits any more as soon as it succeeds.
  /// - Returns: any answer, whatever its status, or a ``ConnectionProblem``.
  func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<VenueAnswer>
}

extension VenueAsking {
  /// Asks a venue for somebody who waits to the end.
  public func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool = false
  ) -> EventLoopFuture<VenueAnswer> {
    ask(venue, question, isPatient: isPatient, abandoned: nil)
  }

  /// Asks a venue, for callers with `await`; ends with its task.
  ///
  /// - Throws: ``ConnectionProblem``.
  public func answer(
    of venue: Venue, to question: VenueQuestion, on loop: any EventLoop
  ) async throws -> VenueAnswer {
    let abandoned = loop.makePromise(of: Void.self)
    let answer = ask(venue, question, isPatient: false, abandoned: abandoned.futureResult)
    // Completing twice is allowed; a promise must not be left open.
    defer { abandoned.fail(TransportError.abandoned) }
    return try await withTaskCancellationHandler {
      try await answer.get()
    } onCancel: {
      abandoned.succeed()
    }
  }
}
