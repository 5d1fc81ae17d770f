public import MarketModel

/// A change of an open order that takes the way to the venue before it acts.
///
/// Until then the order fills as before.
public enum ChangeRequest: Hashable, Sendable {
  case cancel(milliseconds: Int64)
  case amend(AmendRequest, milliseconds: Int64)
  /// The amendment on its way could not be made when it arrived.
  case refused
}

/// A change on its way.
public struct PendingChange: Hashable, Sendable {
  /// The amendment; nil for a cancellation.
  public let amendment: AmendRequest?
  /// When it was sent.
  public let sentAt: Timestamp
  /// When it arrives; never before an earlier change, nor before the order.
  public let arrival: Timestamp
}

extension Order {
  /// Whether a cancellation is on its way.
  public var isCancelling: Bool { pending.contains { $0.amendment == nil } }
  /// Whether an amendment is on its way.
  public var isAmending: Bool { pending.contains { $0.amendment != nil } }
  /// When it reaches or reached the venue.
  var arrivesAt: Timestamp { placedAt.later(byMilliseconds: latencyMilliseconds) }
}

extension Timestamp {
  func later(byMilliseconds milliseconds: Int64) -> Timestamp {
    let (wait, _) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return Timestamp(nanoseconds: saturatingSum(nanoseconds, wait))
  }
}

extension PendingChange {
  /// Whether its way is over, or the clock was set back.
  func isDue(at now: Timestamp) -> Bool { now >= arrival || now < sentAt }
}
