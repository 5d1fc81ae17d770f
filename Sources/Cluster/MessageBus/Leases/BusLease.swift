// Who may do what only one process may: at most one at a time, by a lease that has to be renewed.

package import MarketModel

/// A lease as one who wants it sees it; pure.
///
/// | state | time | granted | held by another | no answer |
/// |---|---|---|---|---|
/// | without | asks each half second | begins an epoch | without | without |
/// | holding | renews each second | goes on | ends | goes on until its time is over |
///
/// The end comes half a second before the lease itself is over, counted from before it was asked
/// for: by then nobody else can have been given it.
package struct BusLease {
  /// What is to be done.
  package enum Effect: Equatable {
    /// Write the lease, if this is still its latest revision.
    case hold(expecting: UInt64)
    /// It is ours: begin, in this epoch.
    case begin(epoch: UInt64)
    /// It is not ours any more: stop at once.
    case end
  }

  /// How exactly its end is kept, in milliseconds: the venue's connection has to be gone before
  /// another reader makes one.
  package static let tickMilliseconds: Int64 = 50
  /// Between two attempts to get it, in milliseconds.
  package static let attemptMilliseconds: Int64 = 500
  /// Between two renewals, in milliseconds.
  static let renewMilliseconds: Int64 = 1000
  /// How long a grant is relied on, from when it was asked for, in milliseconds.
  static let reliedMilliseconds = leaseMilliseconds - 500

  /// The epoch that is ours; nil while we hold nothing.
  package private(set) var epoch: UInt64?
  /// Why the broker refuses it, in its words; nil where the latest answer was none of that.
  package private(set) var refusal: String?
  private var revision: UInt64 = 0
  /// Until when it is ours; nil while it is not.
  package private(set) var heldUntil: MonotonicTime?
  /// When the question that has no answer yet was asked.
  private var askedAt: MonotonicTime?
  private var nextAsk: MonotonicTime?

  /// Starts without the lease.
  package init() {}

  /// Whether it is ours at this moment: to be looked at before anything is published.
  package func isHeld(at now: MonotonicTime) -> Bool {
    heldUntil.map { now < $0 } ?? false
  }

  /// Lets time pass; to be called each ``tickMilliseconds``.
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

  /// Takes the answer to ``Effect/hold(expecting:)``.
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
      // An answer that took too long is worth nothing: the lease may be over.
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
