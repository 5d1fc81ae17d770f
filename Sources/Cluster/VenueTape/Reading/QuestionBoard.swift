import FeedConnections
import MarketHistory
import MarketModel
import NIOCore
import VenueProtocols

/// Servers' HTTP requests to a venue whose lease this reader holds, as a pure state machine.
///
/// Equal requests are sent once, at the venue's pace, and responses are kept for a moment.
///
/// | state of a request | server sends it | venue responds | time passes |
/// |---|---|---|---|
/// | unknown | queued | – | – |
/// | queued or sent | the server waits, too | all servers get it | long waits are repeated |
/// | answered | immediate response, while fresh | – | dropped |
struct QuestionBoard {
  enum Effect: Equatable {
    /// Send a request to the venue, and pass in its response under this number.
    case fetch(VenueQuestion, number: UInt64)
    case reply(to: String, AnswerRecord)
  }

  /// After this, in milliseconds, a waiting server is notified that this reader is alive.
  static let waitMilliseconds: Int64 = 1000
  static let maximumOpen = 64
  static let maximumUnderWay = 4
  static let maximumWaiting = 256
  /// The maximum total bytes of stored responses.
  static let maximumKeptBytes = 32 << 20
  /// How long a response is kept for fetching in parts, since the last fetch, in milliseconds.
  static let restMilliseconds: Int64 = 10_000
  /// How long a request stays queued after the last server sent it, in milliseconds.
  static let interestMilliseconds: Int64 = 5000

  private struct Open {
    let number: UInt64
    /// When it was sent to the venue; nil before.
    var sentAt: MonotonicTime?
    var isUnderWay: Bool { sentAt != nil }
    var isPatient: Bool
    var askedAt: MonotonicTime
    var waiting: [(replyTo: String, until: MonotonicTime)] = []
  }

  private struct Kept {
    let question: VenueQuestion
    let answer: Result<VenueAnswer, AskingFailure>
    /// When it was sent to the venue, which is the response's earliest time.
    let sentAt: MonotonicTime
    let arrivedAt: MonotonicTime
    var usedAt: MonotonicTime

    var byteCount: Int { (try? answer.get())?.body.readableBytes ?? 0 }
  }

  /// The maximum size of a response's part, in bytes.
  var partBytes = 512 << 10

  private let venue: Venue
  private var epoch: UInt64?
  private var nextNumber: UInt64 = 1
  private var pacer = RequestPacer<VenueQuestion>()
  private var open: [VenueQuestion: Open] = [:]
  private var kept: [UInt64: Kept] = [:]
  private var latest: [VenueQuestion: UInt64] = [:]

  init(_ venue: Venue) { self.venue = venue }

  mutating func begin(_ epoch: UInt64) {
    end()
    self.epoch = epoch
  }

  /// Ends the term: no more responses, nothing is kept.
  mutating func end() {
    epoch = nil
    let pace = pacer.waiting + pacer.patient
    _ = pacer.takeAll { pace.contains($0) }
    (open, kept, latest) = ([:], [:], [:])
  }

  // MARK: Requests

  mutating func take(
    _ asked: AskedQuestion, from replyTo: String, at now: MonotonicTime
  ) -> [Effect] {
    guard let epoch else { return [] }
    if let rest = asked.rest { return [.reply(to: replyTo, self.rest(rest, of: asked, at: now))] }
    let question = asked.question
    if let number = latest[question], let answer = kept[number], isFresh(answer, at: now) {
      return [.reply(to: replyTo, record(number, from: 0, at: now))]
    }
    guard venue.adapter.path(of: question) != nil else {
      return [.reply(to: replyTo, AnswerRecord(epoch: epoch, .refused))]
    }
    guard open.values.reduce(0, { $0 + $1.waiting.count }) < QuestionBoard.maximumWaiting,
      open[question] != nil || open.count < QuestionBoard.maximumOpen
    else { return [.reply(to: replyTo, AnswerRecord(epoch: epoch, .busy))] }
    line(up: asked, at: now)
    open[question]?.askedAt = now
    open[question]?.waiting.append(
      (replyTo, now.adding(milliseconds: QuestionBoard.waitMilliseconds)))
    return pump(at: now)
  }

  /// Queues a request, or moves it forward if it has become urgent.
  private mutating func line(up asked: AskedQuestion, at now: MonotonicTime) {
    let question = asked.question
    guard let former = open[question] else {
      open[question] = Open(number: nextNumber, isPatient: asked.isPatient, askedAt: now)
      nextNumber += 1
      if asked.isPatient { _ = pacer.addPatient(question) } else { pacer.add(question) }
      return
    }
    guard former.isPatient, !asked.isPatient, !former.isUnderWay else { return }
    _ = pacer.takeAll { $0 == question }
    pacer.add(question)
    open[question]?.isPatient = false
  }

  private mutating func rest(
    _ place: AnswerPlace, of asked: AskedQuestion, at now: MonotonicTime
  ) -> AnswerRecord {
    guard place.epoch == epoch, let answer = kept[place.number],
      answer.question == asked.question, place.offset < answer.byteCount
    else { return AnswerRecord(epoch: epoch ?? 0, .gone) }
    return record(place.number, from: place.offset, at: now)
  }

  // MARK: Responses of the venue

  /// Applies the venue's response or failure; ignores other epochs.
  mutating func fetched(
    _ number: UInt64, _ answer: Result<VenueAnswer, AskingFailure>, at now: MonotonicTime
  ) -> [Effect] {
    guard let (question, asked) = open.first(where: { $0.value.number == number }),
      let sentAt = asked.sentAt
    else { return [] }
    open[question] = nil
    pacer.finish(wasLimited: isLimited(question, answer), at: now)
    kept[number] = Kept(
      question: question, answer: answer, sentAt: sentAt, arrivedAt: now, usedAt: now)
    latest[question] = number
    let record = record(number, from: 0, at: now)
    let replies = asked.waiting.map { Effect.reply(to: $0.replyTo, record) }
    makeRoom()
    return replies + pump(at: now)
  }

  /// Requeues a request that could not be sent; it comes next.
  mutating func putBack(_ number: UInt64) {
    guard let (question, asked) = open.first(where: { $0.value.number == number }),
      asked.isUnderWay
    else { return }
    open[question]?.sentAt = nil
    pacer.addFirst(question)
  }

  private func isLimited(
    _ question: VenueQuestion, _ answer: Result<VenueAnswer, AskingFailure>
  ) -> Bool {
    guard case .success(let answer) = answer else { return false }
    return venue.adapter.isRefusedForPace(
      question, status: answer.status, answer.body.readableBytesUInt8Span)
  }

  private mutating func record(
    _ number: UInt64, from offset: Int, at now: MonotonicTime
  ) -> AnswerRecord {
    guard let epoch, let known = kept[number] else { return AnswerRecord(epoch: epoch ?? 0, .gone) }
    kept[number]?.usedAt = now
    switch known.answer {
    case .failure(let failure):
      return AnswerRecord(epoch: epoch, number: number, .failed(failure.words))
    case .success(let answer):
      let total = answer.body.readableBytes
      let count = min(max(1, partBytes), total - offset)
      let bytes = answer.body.getSlice(at: answer.body.readerIndex + offset, length: count)
      let age = answer.ageMilliseconds + now.milliseconds(since: known.sentAt)
      let part = AnswerPart(
        status: min(max(answer.status, 100), 999), origin: answer.origin,
        age: min(max(0, age), AnswerRecord.maximumAge), offset: offset, total: total,
        bytes: bytes ?? ByteBuffer())
      return AnswerRecord(epoch: epoch, number: number, .part(part))
    }
  }

  // MARK: Time

  mutating func timer(at now: MonotonicTime) -> [Effect] {
    guard let epoch else { return [] }
    var effects: [Effect] = []
    for question in Array(open.keys) {
      for waiter in open[question]?.waiting ?? [] where waiter.until <= now {
        effects.append(.reply(to: waiter.replyTo, AnswerRecord(epoch: epoch, .wait)))
      }
      open[question]?.waiting.removeAll { $0.until <= now }
      guard let asked = open[question], !asked.isUnderWay, asked.waiting.isEmpty,
        now.milliseconds(since: asked.askedAt) >= QuestionBoard.interestMilliseconds
      else { continue }
      open[question] = nil
      _ = pacer.takeAll { $0 == question }
    }
    forget(at: now)
    return effects + pump(at: now)
  }

  private mutating func pump(at now: MonotonicTime) -> [Effect] {
    var effects: [Effect] = []
    while open.values.count(where: \.isUnderWay) < QuestionBoard.maximumUnderWay,
      let question = pacer.next(at: now) ?? pacer.nextPatient(at: now)
    {
      guard let number = open[question]?.number else { continue }
      open[question]?.sentAt = now
      effects.append(.fetch(question, number: number))
    }
    return effects
  }

  private func isFresh(_ answer: Kept, at now: MonotonicTime) -> Bool {
    now.milliseconds(since: answer.arrivedAt) < answer.question.freshMilliseconds
  }

  private mutating func forget(at now: MonotonicTime) {
    for (number, answer) in kept
    where !isFresh(answer, at: now)
      && now.milliseconds(since: answer.usedAt) >= QuestionBoard.restMilliseconds
    {
      drop(number)
    }
  }

  private mutating func makeRoom() {
    var total = kept.values.reduce(0) { $0 + $1.byteCount }
    while total > QuestionBoard.maximumKeptBytes || kept.count > QuestionBoard.maximumWaiting,
      let oldest = kept.keys.min()
    {
      total -= kept[oldest]?.byteCount ?? 0
      drop(oldest)
    }
  }

  private mutating func drop(_ number: UInt64) {
    guard let answer = kept.removeValue(forKey: number) else { return }
    if latest[answer.question] == number { latest[answer.question] = nil }
  }
}

/// Why a venue could not be reached, as text for the user.
struct AskingFailure: Error, Equatable {
  let words: Sentence
}

extension VenueQuestion {
  /// How long its response is shared with equal requests, in milliseconds.
  ///
  /// A product's price is dated by its arrival, and trades end at the moment of the request, so
  /// only servers already waiting get those.
  var freshMilliseconds: Int64 {
    switch self {
    case .history(.names, _): 10_000
    case .history(.trades, _): 0
    case .history: 2000
    case .tickers: 60_000
    case .product: 0
    }
  }
}
