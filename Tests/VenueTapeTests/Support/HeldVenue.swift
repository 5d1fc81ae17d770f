// Venues that are asked over HTTP, and that a test answers by hand.

import FeedConnections
import MarketModel
import NIOCore
import SocketTransport
import VenueProtocols

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

  /// All that was asked, oldest first.
  var questions: [VenueQuestion] { asked.value.map(\.0) }

  /// Answers the newest question.
  func answer(_ result: Result<VenueAnswer, ConnectionProblem>) {
    asked.value.last?.1.completeWith(result.mapError { $0 })
  }

  /// Says that the venue is gone to all who still wait.
  func end() {
    for (_, promise) in asked.value { promise.fail(ConnectionProblem.transport(.abandoned)) }
  }
}
