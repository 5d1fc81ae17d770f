// One book of a venue: what makes it doubtful is the venue's rule, all else is the same everywhere.

import MarketModel
import OrderBook

/// A book with the state of its synchronisation.
///
/// Pure: it says that a snapshot is needed, and the session asks for it.
protocol BookSync: Sendable {
  var book: OrderBook { get set }
  /// Whether the book may be believed.
  var trust: BookTrust { get set }

  /// Levels a side that the venue keeps; nil where it sends all there are.
  var fixedDepth: Int? { get }

  /// A book that waits for its first snapshot.
  init()

  /// Whether a first sign of loss has stood for too long; the book is doubtful from then on.
  mutating func losesPatience(at now: MonotonicTime) -> Bool
  /// What the book is worth now, on a connection that is as fresh as `connection`.
  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness
}

extension BookSync {
  var fixedDepth: Int? { nil }

  mutating func losesPatience(at now: MonotonicTime) -> Bool { false }

  /// Forgets everything but the counters: nobody wants the book any more, or its units changed.
  mutating func forget() {
    trust.forget()
    book = OrderBook()
  }
}
