import MarketModel
import OrderBook

/// A book with the state of its synchronisation; each venue has its own rule for doubt.
///
/// It only reports that a snapshot is needed; the session requests it.
protocol BookSync: Sendable {
  var book: OrderBook { get set }
  var trust: BookTrust { get set }

  /// Levels per side that the venue keeps; nil where it sends all.
  var fixedDepth: Int? { get }

  init()

  /// Whether a first sign of loss has lasted too long; the book is doubtful from then on.
  mutating func losesPatience(at now: MonotonicTime) -> Bool
  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness
  /// Resets everything but the counters: the book is no longer requested, or its units changed.
  mutating func forget()
}

extension BookSync {
  var fixedDepth: Int? { nil }

  mutating func losesPatience(at now: MonotonicTime) -> Bool { false }

  mutating func forget() {
    trust.forget()
    book = OrderBook()
  }
}
