// The parts of the ticket's state that are more than a value: the pinned review, the order that was
// sent, the questions, a step button that is held.

public import MarketModel

/// What was reviewed, pinned.
public struct PinnedReview: Sendable {
  /// The order, under the name that it is sent with.
  public let order: TicketOrder
  /// What it would have done.
  public let reply: PreviewReply
  /// The offer that it would have taken.
  public let best: BestLevel?
  /// When.
  public let at: ClockReading
}

/// The order that was sent, and what became of it.
public struct SentOrder: Sendable {
  /// What is known of it.
  public enum State: Hashable, Sendable {
    /// It was sent; the answer has not come.
    case waiting
    /// It exists.
    case placed
    /// It was refused.
    case rejected
    /// There was no connection, so it was not sent.
    case unsent
    /// No answer came in time; it may exist or not.
    case doubtful
    /// The same, and the person left it at that.
    case abandoned
  }

  /// The order.
  public let order: TicketOrder
  /// What is known of it.
  public internal(set) var state = State.waiting
  /// Its number in the history, once it is known.
  public internal(set) var identifier: String?
  /// Why it was refused.
  public internal(set) var message: String?
  /// The field to mark.
  public internal(set) var field: TicketDraft.Field?
  /// Whether it had arrived before, under the same name.
  public internal(set) var isRepeated = false
  /// What it would have taken at the last look; nil for nothing, and when that is not known.
  public internal(set) var foreseen: BestLevel?
  /// Whether there was a last look.
  public internal(set) var isForeseen = false
  /// What it took at once, best and worst price first and last; nil while that is not known.
  public internal(set) var taken: Taken?
  var sentAt: Timestamp
  var triedAt: MonotonicTime
  /// Whether it has left, so that it may have arrived.
  var hasLeft = false

  /// What an order took.
  public struct Taken: Sendable {
    /// How much.
    let quantity: FixedDecimal
    /// The best and the worst price; nil when nothing was taken.
    let prices: (best: FixedDecimal, worst: FixedDecimal)?
  }

  /// Whether it may exist without this device knowing.
  public var isOpen: Bool { state == .waiting || state == .doubtful }
}

/// How a ticket reaches its order service.
public struct TicketTiming: Sendable {
  /// Over a link that may be lost and that limits how often it may be asked.
  public static let link = TicketTiming(
    betweenQuestions: 200, resendAfter: 5000, tooOld: 120_000)
  /// In the same process: each question and each order is answered.
  public static let local = TicketTiming(betweenQuestions: 0, resendAfter: nil, tooOld: 120_000)

  /// A question that was not answered by then makes room for the next one, milliseconds.
  static let patience: Int64 = 200
  /// Presses do nothing for so long after the ticket has become another thing, milliseconds: they
  /// were meant for what stood there before.
  public static let settle: Int64 = 400
  /// A step button that is held steps on after this, milliseconds.
  static let hold: Int64 = 400
  /// And then as often, milliseconds.
  static let repeats: Int64 = 70

  let betweenQuestions: Int64
  let resendAfter: Int64?
  /// An order that waits for longer is not sent again by itself: the market is another one by then.
  let tooOld: Int64
}

/// Questions of what an order would do: the latest order counts, and an answer to anything else is
/// not shown.
struct PreviewQuestions: Sendable {
  private(set) var wanted: TicketOrder?
  private(set) var reply: PreviewReply?
  /// The order that the reply is about.
  private(set) var judged: TicketOrder?
  private var number: UInt32 = 0
  private var asked: [(number: UInt32, order: TicketOrder)] = []
  private var askedAt: MonotonicTime?
  private var isDue = false
  /// Whether the wanted order differs from an earlier one by a price that follows the market.
  private var isFollowing = false
  private static let maximumAsked = 20

  /// Wants to know about an order; nil for nothing.
  ///
  /// The same order again is no new question.
  mutating func want(_ order: TicketOrder?) {
    if order == nil, wanted == nil { return }
    if let order, order.isSame(as: wanted) { return }
    (wanted, reply, isFollowing) = (order, nil, false)
    isDue = order != nil
  }

  /// The same order with another protection price that the person has not chosen: the old reply
  /// stays until the new one comes.
  mutating func follow(_ order: TicketOrder?) {
    guard let order, let wanted, order.isAlike(wanted) else { return want(order) }
    if !order.isSame(as: wanted) { (self.wanted, isDue, isFollowing) = (order, true, true) }
  }

  /// The market moved: the old reply stays until the new one comes.
  mutating func refresh() { isDue = wanted != nil }

  /// When the next question may be asked; nil when there is none.
  func due(_ timing: TicketTiming) -> MonotonicTime? {
    guard isDue else { return nil }
    guard let askedAt else { return MonotonicTime(nanoseconds: .min) }
    let wait =
      asked.isEmpty
      ? timing.betweenQuestions
      : max(TicketTiming.patience, timing.betweenQuestions)
    return askedAt.adding(milliseconds: wait)
  }

  /// The question, when it is time for one.
  mutating func question(_ timing: TicketTiming, at now: MonotonicTime) -> TicketEffect? {
    guard let due = due(timing), due <= now, let wanted else { return nil }
    number &+= 1
    (askedAt, isDue) = (now, false)
    asked.append((number, wanted))
    if asked.count > PreviewQuestions.maximumAsked { asked.removeFirst() }
    return .ask(number, wanted)
  }

  /// Takes a reply; false when it is not about what is wanted now, or is older than the shown one.
  mutating func take(_ answered: UInt32, _ reply: PreviewReply) -> Bool {
    guard let index = asked.firstIndex(where: { $0.number == answered }) else { return false }
    let order = asked[index].order
    // What was asked before this is answered too late to count.
    asked.removeFirst(index + 1)
    // A protection price that follows the market may be a moment further by now.
    let isMeant = order.isSame(as: wanted) || isFollowing && wanted.map(order.isAlike) ?? false
    guard isMeant else { return false }
    (self.reply, judged) = (reply, order)
    return true
  }
}

/// A step button under a finger.
struct StepHold: Sendable {
  let field: TicketDraft.Field
  let count: Int64
  var next: MonotonicTime
  /// Whether it has stepped by itself, so that its click does nothing more.
  var hasRepeated = false
}

extension MonotonicTime {
  func adding(milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds &+ milliseconds &* 1_000_000)
  }
}
