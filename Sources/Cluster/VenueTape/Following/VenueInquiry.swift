import FeedConnections
import MarketModel
import MessageBus
import NIOCore
import VenueCatalogue
import VenueProtocols

/// One request of a server to a venue's reader, as a pure state machine; ``Effect/done(_:)`` or
/// ``Effect/fail(_:)`` is the last effect.
///
/// | state | wait | part | no response, or a mismatched one |
/// |---|---|---|---|
/// | asking | repeats, within its time | requests the rest, or is complete | fails |
/// | collecting | fails | the same, if it continues | fails |
///
/// A response of an epoch before the followed one is rejected: a paused reader may not have
/// detected yet that another has taken over. A response that may be older than its request is
/// requested again if that matters (``VenueProtocols/VenueQuestion/isOfTheMoment``).
struct VenueInquiry {
  enum Effect: Equatable {
    /// Send this to the reader, and pass in its response.
    case ask(AskedQuestion)
    case done(VenueAnswer)
    case fail(ReaderProblem)
    case nothing
  }

  /// The timeout of one message, in milliseconds: a live reader has sent
  /// ``AnswerRecord/Content/wait`` by then.
  static let replyMilliseconds: Int64 = 2000
  /// How long the venue may take, including earlier requests, in milliseconds.
  static let patienceMilliseconds: Int64 = 30_000
  /// The maximum number of messages for a response's first part: a reader that replies at once
  /// prompts no more.
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

  init(_ question: VenueQuestion, isPatient: Bool, of venue: Venue, at now: MonotonicTime) {
    (self.question, self.venue, self.isPatient, startedAt) = (question, venue, isPatient, now)
    maximumBytes = venue.adapter.maximumBytes(of: question)
  }

  var isOver: Bool { if case .over = state { true } else { false } }

  mutating func start() -> Effect {
    rounds += 1
    return .ask(AskedQuestion(question, isPatient: isPatient))
  }

  /// Applies the response to a message; nil for an unreadable one.
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
      // The age reported by the reader, plus the time for the rest.
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
  static func late(_ venue: Venue) -> ReaderProblem {
    .venue("\(venue.displayName) did not respond in time.")
  }

  static func busy(_ venue: Venue) -> ReaderProblem {
    .venue("Too many requests to \(venue.displayName) are pending.")
  }

  static func refused(_ venue: Venue) -> ReaderProblem {
    .venue("\(venue.displayName) doesn't support this request.")
  }
}
