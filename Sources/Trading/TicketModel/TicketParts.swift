public import MarketModel

/// A reviewed order with its preview.
public struct PinnedReview: Sendable {
  /// The order with the client identifier it is sent under.
  public let order: TicketOrder
  /// The preview.
  public let reply: PreviewReply
  /// The best opposite level.
  public let best: BestLevel?
  /// When the review began.
  public let at: ClockReading
}

/// The order that was sent, and its outcome.
public struct SentOrder: Sendable {
  /// The state of a sent order.
  public enum State: Hashable, Sendable {
    /// Sent; no response yet.
    case waiting
    case placed
    case rejected
    /// Not sent for lack of a connection.
    case unsent
    /// No response in time, so it may or may not exist.
    case doubtful
    /// The outcome is unknown and the user gave up on it.
    case abandoned
  }

  /// The order.
  public let order: TicketOrder
  /// The current state.
  public internal(set) var state = State.waiting
  /// Its number in the history, once known.
  public internal(set) var identifier: String?
  /// Why it was rejected.
  public internal(set) var message: Sentence?
  /// The field to mark.
  public internal(set) var field: TicketDraft.Field?
  /// Whether it had already arrived under the same client identifier.
  public internal(set) var isRepeated = false
  /// The previewed fill; nil for none, or if unknown.
  public internal(set) var foreseen: BestLevel?
  /// Whether there was a preview.
  public internal(set) var isForeseen = false
  /// What it filled at once; nil while unknown.
  public internal(set) var taken: Taken?
  var sentAt: Timestamp
  var triedAt: MonotonicTime
  /// Whether it has left this device, so it may have arrived.
  var hasLeft = false

  /// The fill of an order.
  public struct Taken: Sendable {
    let quantity: FixedDecimal
    /// Best and worst price; nil if nothing filled.
    let prices: (best: FixedDecimal, worst: FixedDecimal)?
  }

  /// Whether it may exist although this device has no confirmation.
  public var isOpen: Bool { state == .waiting || state == .doubtful }
}

/// Timing of the communication with the order service.
public struct TicketTiming: Sendable {
  /// For a connection that can drop and has a rate limit.
  public static let link = TicketTiming(
    betweenQuestions: 200, resendAfter: 5000, tooOld: 120_000)
  /// For the same process: every request gets a response.
  public static let local = TicketTiming(betweenQuestions: 0, resendAfter: nil, tooOld: 120_000)

  /// After this, in milliseconds, an unanswered preview request no longer blocks the next one.
  static let patience: Int64 = 200
  /// Presses are ignored for this long after the contents changed, in milliseconds.
  ///
  /// They were meant for the previous contents.
  public static let settle: Int64 = 400
  /// The delay in milliseconds before a held step button repeats.
  static let hold: Int64 = 400
  /// The repeat interval in milliseconds.
  static let repeats: Int64 = 70

  let betweenQuestions: Int64
  let resendAfter: Int64?
  /// An order pending for longer, in milliseconds, is not resent automatically, because the market
  /// has moved on.
  let tooOld: Int64
}

/// Preview requests: only the latest order counts, and responses for others are discarded.
struct PreviewQuestions: Sendable {
  private(set) var wanted: TicketOrder?
  private(set) var reply: PreviewReply?
  private(set) var judged: TicketOrder?
  private var number: UInt32 = 0
  private var asked: [(number: UInt32, order: TicketOrder)] = []
  private var askedAt: MonotonicTime?
  private var isDue = false
  /// Whether the wanted order differs from an earlier one only by a protection price that follows
  /// the market.
  private var isFollowing = false
  private static let maximumAsked = 20

  /// Requests a preview of an order; nil for none.
  ///
  /// Ignores an unchanged order.
  mutating func want(_ order: TicketOrder?) {
    if order == nil, wanted == nil { return }
    if let order, order.isSame(as: wanted) { return }
    (wanted, reply, isFollowing) = (order, nil, false)
    isDue = order != nil
  }

  /// Requests a preview for an automatic change of the protection price; the old reply stays
  /// meanwhile.
  mutating func follow(_ order: TicketOrder?) {
    guard let order, let wanted, order.isAlike(wanted) else { return want(order) }
    if !order.isSame(as: wanted) { (self.wanted, isDue, isFollowing) = (order, true, true) }
  }

  /// Requests the preview again after a market move; the old reply stays meanwhile.
  mutating func refresh() { isDue = wanted != nil }

  /// When the next request may be sent; nil without one.
  func due(_ timing: TicketTiming) -> MonotonicTime? {
    guard isDue else { return nil }
    guard let askedAt else { return MonotonicTime(nanoseconds: .min) }
    let wait =
      asked.isEmpty
      ? timing.betweenQuestions
      : max(TicketTiming.patience, timing.betweenQuestions)
    return askedAt.adding(milliseconds: wait)
  }

  mutating func question(_ timing: TicketTiming, at now: MonotonicTime) -> TicketEffect? {
    guard let due = due(timing), due <= now, let wanted else { return nil }
    number &+= 1
    (askedAt, isDue) = (now, false)
    asked.append((number, wanted))
    if asked.count > PreviewQuestions.maximumAsked { asked.removeFirst() }
    return .ask(number, wanted)
  }

  /// Applies a reply; false if it is not for the wanted order or is older than the shown one.
  mutating func take(_ answered: UInt32, _ reply: PreviewReply) -> Bool {
    guard let index = asked.firstIndex(where: { $0.number == answered }) else { return false }
    let order = asked[index].order
    // Responses to earlier requests no longer count.
    asked.removeFirst(index + 1)
    // A protection price that follows the market may have moved since.
    let isMeant = order.isSame(as: wanted) || isFollowing && wanted.map(order.isAlike) ?? false
    guard isMeant else { return false }
    (self.reply, judged) = (reply, order)
    return true
  }
}

struct StepHold: Sendable {
  let field: TicketDraft.Field
  let count: Int64
  var next: MonotonicTime
  /// Whether it has repeated, so that its click is ignored.
  var hasRepeated = false
}

extension MonotonicTime {
  func adding(milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds &+ milliseconds &* 1_000_000)
  }
}
