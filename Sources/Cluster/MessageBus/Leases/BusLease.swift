package import MarketModel

/// A renewable lease, held by at most one process at a time, as a candidate sees it; pure.
///
/// | state | time | granted | held by another | no answer |
/// |---|---|---|---|---|
/// | without | requests each half second | begins an epoch | without | without |
/// | holding | renews each second | continues | ends | continues until expiry |
///
/// The process stops half a second before the lease expires, counted from before the request was
/// sent, so that no other process can hold it by then.
package struct BusLease {
  /// An action for the host.
  package enum Effect: Equatable {
    /// Write the lease, if this is still its latest revision.
    case hold(expecting: UInt64)
    /// The lease is granted: begin, in this epoch.
    case begin(epoch: UInt64)
    /// The lease is lost: stop at once.
    case end
  }

  /// The precision of the expiry, in milliseconds.
  ///
  /// The venue's connection must be closed before another reader opens one.
  package static let tickMilliseconds: Int64 = 50
  /// The interval between two attempts to obtain it, in milliseconds.
  package static let attemptMilliseconds: Int64 = 500
  /// Between two renewals, in milliseconds.
  static let renewMilliseconds: Int64 = 1000
  /// How long a grant is relied on, from when it was requested, in milliseconds.
  static let reliedMilliseconds = leaseMilliseconds - 500

  /// The epoch of the held lease; nil without the lease.
  package private(set) var epoch: UInt64?
  /// The broker's reason for refusing; nil if the latest response was not a refusal.
  package private(set) var refusal: String?
  private var revision: UInt64 = 0
  /// The expiry of the held lease; nil without the lease.
  package private(set) var heldUntil: MonotonicTime?
  private var askedAt: MonotonicTime?
  private var nextAsk: MonotonicTime?

  /// Creates a state without the lease.
  package init() {}

  /// Whether the lease is held at this moment; check before publishing anything.
  package func isHeld(at now: MonotonicTime) -> Bool { heldUntil.map { now < $0 } ?? false }

  /// Advances time; call each ``tickMilliseconds``.
  package mutating func timer(at now: MonotonicTime) -> [Effect] {
    var effects: [Effect] = []
    if epoch != nil, !isHeld(at: now) {
      effects = [.end]
      lose(at: now)
    }
    guard askedAt == nil, nextAsk.map({ $0 <= now }) ?? true else { return effects }
    askedAt = now
    return effects + [.hold(expecting: epoch == nil ? 0 : revision)]
  }

  /// Applies the response to ``Effect/hold(expecting:)``.
  package mutating func answer(
    _ answer: Result<UInt64, BusError>, at now: MonotonicTime
  ) -> [Effect] {
    guard let asked = askedAt else { return [] }
    askedAt = nil
    switch answer {
    case .failure(.refused(let words)): refusal = words
    case .success, .failure(.wrongRevision): refusal = nil
    case .failure: break
    }
    switch answer {
    case .success(let new):
      let until = asked.adding(milliseconds: BusLease.reliedMilliseconds)
      revision = new
      nextAsk = asked.adding(milliseconds: BusLease.renewMilliseconds)
      // A response that took too long is ignored: the lease may have expired.
      guard now < until else { return [] }
      heldUntil = until
      guard epoch == nil else { return [] }
      epoch = new
      return [.begin(epoch: new)]
    case .failure(.wrongRevision):
      let wasOurs = epoch != nil
      lose(at: now)
      return wasOurs ? [.end] : []
    case .failure:
      nextAsk = now.adding(milliseconds: BusLease.attemptMilliseconds)
      return []
    }
  }

  private mutating func lose(at now: MonotonicTime) {
    epoch = nil
    heldUntil = nil
    nextAsk = now.adding(milliseconds: BusLease.attemptMilliseconds)
  }
}
