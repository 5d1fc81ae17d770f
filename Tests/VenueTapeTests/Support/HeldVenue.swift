import FeedConnections
import MarketModel
import NIOCore
import SocketTransport
import VenueProtocols

/// A venue's HTTP requests, which a test answers manually.
///
/// Used on the thread of its loop.
final class HeldVenue: VenueAsking {
  let venues: Set<Venue>
  private let loop: any EventLoop
  private let asked: NIOLoopBoundBox<[(VenueQuestion, EventLoopPromise<VenueAnswer>)]>

  init(_ venues: [Venue], on loop: any EventLoop) {
    (self.venues, self.loop) = (Set(venues), loop)
    asked = NIOLoopBoundBox([], eventLoop: loop)
  }

  func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<VenueAnswer> {
    let promise = loop.makePromise(of: VenueAnswer.self)
    asked.value.append((question, promise))
    return promise.futureResult
  }

  var questions: [VenueQuestion] { asked.value.map(\.0) }

  func answer(_ result: Result<VenueAnswer, ConnectionProblem>) {
    asked.value.last?.1.completeWith(result.mapError { $0 })
  }

  /// Fails all pending requests, as when the venue is gone.
  func end() {
    for (_, promise) in asked.value { promise.fail(ConnectionProblem.transport(.abandoned)) }
  }
}
