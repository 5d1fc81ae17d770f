// One question of a server to the reader of a venue, from the first message to the whole answer, as
// a pure state machine.

import FeedConnections
import MarketModel
import MessageBus
import NIOCore
import VenueCatalogue
import VenueProtocols

/// A question under way; after ``Effect/done(_:)`` and ``Effect/fail(_:)`` nothing follows.
///
/// | state | wait | part | no answer, or none that fits |
/// |---|---|---|---|
/// | asking | asks again, within its time | asks for the rest, or has all | fails |
/// | collecting | fails | the same, where it goes on | fails |
///
/// What comes from an epoch before the one that is followed is no answer: a reader that was paused
/// and does not know yet that another has taken over. Nor is one that may be older than its
/// question where that counts (``VenueProtocols/VenueQuestion/isOfTheMoment``): it is asked again.
struct VenueInquiry {
  enum Effect: Equatable {
    /// Ask the reader this, and hand its answer in.
    case ask(AskedQuestion)
    case done(VenueAnswer)
    case fail(ReaderProblem)
    /// It is over already.
    case nothing
  }

  /// How long one message waits for its answer, in milliseconds: a reader that lives has said
  /// ``AnswerRecord/Content/wait`` by then.
  static let replyMilliseconds: Int64 = 2000
  /// How long the venue may take with all that waits before this question, in milliseconds.
  static let patienceMilliseconds: Int64 = 30_000
  /// The most messages for one beginning: a reader that answers at once asks for no more.
  static let maximumRounds = 60

  private enum State {
    case asking
    case collecting(AnswerPlace, AnswerPart, ByteBuffer, since: MonotonicTime)
    case over
  }

  private let question: VenueQuestion
  private let venue: Venue
  private let isPatient: Bool
  private let maximumBytes: Int
  private let startedAt: MonotonicTime
  private var state = State.asking
  private var rounds = 0

  /// Prepares a question to a venue.
  init(_ question: VenueQuestion, isPatient: Bool, of venue: Venue, at now: MonotonicTime) {
    (self.question, self.venue, self.isPatient, startedAt) = (question, venue, isPatient, now)
    maximumBytes = venue.adapter.maximumBytes(of: question)
  }

  /// Whether nothing is waited for any more.
  var isOver: Bool { if case .over = state { true } else { false } }

  /// What is sent first.
  mutating func start() -> Effect {
    rounds += 1
    return .ask(AskedQuestion(question, isPatient: isPatient))
  }

  /// Takes the answer to a message; nil for one that is none.
  mutating func take(
    _ reply: Result<AnswerRecord?, BusError>, following epoch: UInt64, at now: MonotonicTime
  ) -> Effect {
    guard !isOver else { return .nothing }
    switch reply {
    case .failure(.disconnected): return fail(.bus(BusError.disconnected.description))
    case .failure(.tooLarge), .success(nil): return fail(.unusable)
    case .failure: return fail(.unanswered(milliseconds: now.milliseconds(since: startedAt)))
    case .success(let record?):
      guard record.epoch >= epoch else { return fail(.changed) }
      return take(record, at: now)
    }
  }

  private mutating func take(_ record: AnswerRecord, at now: MonotonicTime) -> Effect {
    switch (record.content, state) {
    case (.wait, .asking): return startAgain(at: now)
    case (.part(let part), .asking):
      guard part.offset == 0, part.total <= maximumBytes else { return fail(.unusable) }
      if question.isOfTheMoment, part.age > now.milliseconds(since: startedAt) {
        return startAgain(at: now)
      }
      let place = AnswerPlace(epoch: record.epoch, number: record.number, offset: 0)
      return collect(part, place, part, ByteBuffer(), since: now, at: now)
    case (.part(let part), .collecting(let place, let first, let bytes, let since)):
      guard record.epoch == place.epoch, record.number == place.number,
        part.offset == bytes.readableBytes, part.total == first.total,
        part.status == first.status, part.origin == first.origin
      else { return fail(.unusable) }
      return collect(part, place, first, bytes, since: since, at: now)
    case (.failed(let reason), .asking): return fail(.venue(reason))
    case (.busy, .asking): return fail(.busy(venue))
    case (.refused, .asking): return fail(.refused(venue))
    default: return fail(.unusable)
    }
  }

  private mutating func startAgain(at now: MonotonicTime) -> Effect {
    let waited = now.milliseconds(since: startedAt)
    guard waited < VenueInquiry.patienceMilliseconds, rounds < VenueInquiry.maximumRounds
    else { return fail(.late(venue)) }
    return start()
  }

  private mutating func collect(
    _ part: AnswerPart, _ place: AnswerPlace, _ first: AnswerPart, _ former: ByteBuffer,
    since: MonotonicTime, at now: MonotonicTime
  ) -> Effect {
    var bytes = former
    bytes.writeImmutableBuffer(part.bytes)
    let count = bytes.readableBytes
    if count == first.total {
      state = .over
      // Old by what the reader said, and by how long the rest took.
      let age = first.age + max(0, now.milliseconds(since: since))
      return .done(
        VenueAnswer(
          status: first.status, origin: first.origin, body: bytes, ageMilliseconds: age))
    }
    guard part.bytes.readableBytes > 0, place.number > 0,
      now.milliseconds(since: since) < VenueInquiry.patienceMilliseconds
    else { return fail(.unusable) }
    state = .collecting(place, first, bytes, since: since)
    let rest = AnswerPlace(epoch: place.epoch, number: place.number, offset: count)
    return .ask(AskedQuestion(question, isPatient: isPatient, rest: rest))
  }

  private mutating func fail(_ problem: ReaderProblem) -> Effect {
    state = .over
    return .fail(problem)
  }
}

extension ReaderProblem {
  /// The venue took too long, with all that waited before.
  static func late(_ venue: Venue) -> ReaderProblem {
    .venue("\(venue.displayName) did not answer in time.")
  }

  /// More is asked of a venue than may wait.
  static func busy(_ venue: Venue) -> ReaderProblem {
    .venue("Too many questions wait for \(venue.displayName).")
  }

  /// A venue can't be asked that.
  static func refused(_ venue: Venue) -> ReaderProblem {
    .venue("\(venue.displayName) can't be asked that.")
  }
}
