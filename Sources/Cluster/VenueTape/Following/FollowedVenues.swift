package import FeedConnections
package import MarketModel
import MessageBus
package import NIOCore
import SocketTransport
package import VenueProtocols

/// Sends venue requests to the venues' readers, never to a venue.
package struct FollowedVenues: VenueAsking {
  static let maximumUnderWay = 64

  /// The venues whose readers accept requests.
  package let venues: Set<Venue>
  private let following: TapeFollowing
  private let underWay: NIOLoopBoundBox<Int>

  /// Uses the bus of `following`.
  package init(_ venues: Set<Venue>, _ following: TapeFollowing) {
    (self.venues, self.following) = (venues, following)
    underWay = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: following.bus.eventLoop)
  }

  /// Sends a request to the reader of a venue.
  package func ask(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, abandoned: EventLoopFuture<Void>?
  ) -> EventLoopFuture<VenueAnswer> {
    let loop = following.bus.eventLoop
    guard loop.inEventLoop else {
      return loop.flatSubmit { ask(venue, question, isPatient: isPatient, abandoned: abandoned) }
    }
    guard venues.contains(venue), venue.adapter.path(of: question) != nil else {
      return failed(.refused(venue))
    }
    guard underWay.value < FollowedVenues.maximumUnderWay else {
      return failed(.busy(venue))
    }
    underWay.value += 1
    let promise = loop.makePromise(of: VenueAnswer.self)
    let run = InquiryRun(venue, question, isPatient: isPatient, following, promise)
    run.start()
    let bound = NIOLoopBound(run, eventLoop: loop)
    abandoned?.hop(to: loop).whenSuccess { bound.value.abandon() }
    return promise.futureResult.always { [underWay] _ in underWay.value -= 1 }
  }

  private func failed(_ problem: ReaderProblem) -> EventLoopFuture<VenueAnswer> {
    following.bus.eventLoop.makeFailedFuture(ConnectionProblem.reader(problem))
  }
}

private final class InquiryRun {
  private let following: TapeFollowing
  private let venue: Venue
  private let subject: String
  private var inquiry: VenueInquiry
  private var promise: EventLoopPromise<VenueAnswer>?

  init(
    _ venue: Venue, _ question: VenueQuestion, isPatient: Bool, _ following: TapeFollowing,
    _ promise: EventLoopPromise<VenueAnswer>
  ) {
    (self.venue, self.following, self.promise) = (venue, following, promise)
    subject = TapeSubjects(venue).question
    inquiry = VenueInquiry(
      question, isPatient: isPatient, of: venue, at: following.clock.now().monotonic)
  }

  func start() { perform(inquiry.start()) }

  /// The caller has given up; a request already sent may still be answered.
  func abandon() {
    promise?.fail(ConnectionProblem.transport(.abandoned))
    promise = nil
  }

  private func perform(_ effect: VenueInquiry.Effect) {
    switch effect {
    case .ask(let question): if promise != nil { ask(question) }
    case .done(let answer): promise?.succeed(answer)
    case .fail(let problem): promise?.fail(ConnectionProblem.reader(problem))
    case .nothing: break
    }
    if inquiry.isOver { promise = nil }
  }

  private func ask(_ question: AskedQuestion) {
    following.bus.request(
      subject, question.bytes, timeoutMilliseconds: VenueInquiry.replyMilliseconds
    ).assumeIsolated().whenComplete { [self] result in
      let reply = result.map { AnswerRecord($0) }.mapError { ($0 as? BusError) ?? .disconnected }
      perform(
        inquiry.take(
          reply, following: following.epoch(of: venue), at: following.clock.now().monotonic))
    }
  }
}
