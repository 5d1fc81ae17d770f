import MarketModel

/// A venue's faults on demand, in the order of their requests; ``FaultyVenue`` applies them.
struct FaultSchedule: Sendable {
  private struct Entry: Sendable {
    let order: FaultOrder
    let end: Timestamp?
    /// Remaining occurrences; nil for any number until it ends.
    var left: Int?
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  var nextEnd: Timestamp? { entries.compactMap(\.end).min() }

  var running: [RunningFault] { entries.map { RunningFault($0.order, end: $0.end) } }

  /// Adds an order; immediate ones are not for the schedule.
  mutating func add(_ order: FaultOrder, at now: Timestamp) {
    let left: Int? =
      switch order.kind {
      case .message(_, .next): 1
      case .gap(let messages, nil): messages
      case .refuse(_, let count): count
      default: nil
      }
    let end = order.milliseconds.map { now.adding(milliseconds: $0) }
    entries.append(Entry(order: order, end: end, left: left))
  }

  mutating func expire(at now: Timestamp) {
    entries.removeAll { entry in entry.end.map { $0 <= now } ?? false }
  }

  /// The fault of a message: that of the first order that affects it.
  mutating func fault(
    of bytes: [UInt8], number: Int, _ random: inout SplitMix64
  ) -> FaultPlan.Fault? {
    for index in entries.indices {
      guard let fault = FaultSchedule.fault(of: entries[index].order, number, &random) else {
        continue
      }
      if fault == .checksum, !MessageDamage.hasChecksum(bytes) { continue }
      guard entries[index].left != nil else { return fault }
      // A lost heartbeat is no loss, so single faults affect only messages with contents.
      if MessageDamage.isIdle(bytes) { continue }
      use(index)
      return fault
    }
    return nil
  }

  private static func fault(
    of order: FaultOrder, _ number: Int, _ random: inout SplitMix64
  ) -> FaultPlan.Fault? {
    switch order.kind {
    case .message(let fault, .next): fault
    case .message(let fault, .number(let wanted)): wanted == number ? fault : nil
    case .message(let fault, .chance(let share)): random.chance(share, of: 1_000_000) ? fault : nil
    case .gap(_, nil): .drop
    case .gap(let messages, let first?): number >= first && number - first < messages ? .drop : nil
    default: nil
    }
  }

  private mutating func use(_ index: Int) {
    guard let left = entries[index].left else { return }
    entries[index].left = left - 1
    if left <= 1 { entries.remove(at: index) }
  }

  /// The status that refuses a connection; nil to accept it.
  mutating func refusal() -> Int? {
    for index in entries.indices {
      guard case .refuse(let status, _) = entries[index].order.kind else { continue }
      use(index)
      return status
    }
    return nil
  }

  /// How a connection is silent after a message; nil while it is not.
  func silence(after number: Int) -> FaultPlan.Silence? {
    for entry in entries {
      switch entry.order.kind {
      case .stall(let last) where number > last: return .allButPongs
      case .halfOpen(let last) where number > last: return .everything
      default: continue
      }
    }
    return nil
  }

  /// Whether a connection that has sent this many messages no longer reads.
  func isDeaf(after number: Int) -> Bool {
    entries.contains { entry in
      if case .halfOpen(let last) = entry.order.kind { return number >= last }
      return false
    }
  }

  /// How the message of this number ends its connection; nil when it does not.
  func end(at number: Int, of client: ClientID) -> VenueEffect? {
    for entry in entries {
      switch entry.order.kind {
      case .close(let code, let last?) where number > last:
        return .close(client, code: code, reason: FaultSchedule.closeReason)
      case .cut(let last?) where number > last: return .drop(client)
      default: continue
      }
    }
    return nil
  }

  static let closeReason = "a fault on demand"

  var delayMilliseconds: Int64 {
    entries.reduce(0) { sum, entry in
      if case .delay(let milliseconds) = entry.order.kind { return sum + milliseconds }
      return sum
    }
  }

  var clockMilliseconds: Int64 {
    entries.reduce(0) { sum, entry in
      if case .clock(let milliseconds) = entry.order.kind { return sum + milliseconds }
      return sum
    }
  }

  var floodPerSecond: Int {
    entries.reduce(0) { sum, entry in
      if case .flood(let rate) = entry.order.kind { return sum + rate }
      return sum
    }
  }
}
