import AppState
import MarketModel

/// A value that flashes on a screen.
public enum FlashID: Hashable, Sendable {
  /// An instrument's price.
  case price(String)
  /// A newly received trade.
  case trade(UInt64)
}

struct FlashCandidate {
  let id: FlashID
  /// Counts its changes.
  let changes: UInt64
  let direction: Direction
  let freshness: FreshnessState
}

protocol FlashingState {
  var flashCandidates: [FlashCandidate] { get }
}

/// Tracks all values of a screen that may flash (PT7, OB6).
///
/// Pure: the caller passes the time.
struct FlashBoard {
  private var trackers: [FlashID: FlashTracker] = [:]
  private var newestTrade: UInt64?

  /// Applies a state's values.
  ///
  /// A price flashes when its count rises; a trade when its number is new, except those of the
  /// first state. O(candidates).
  mutating func update(_ candidates: [FlashCandidate], at now: ClockReading) {
    var kept: [FlashID: FlashTracker] = [:]
    var newest = newestTrade
    for candidate in candidates {
      kept[candidate.id] = tracker(of: candidate, at: now)
      if case .trade(let arrival) = candidate.id { newest = max(newest ?? 0, arrival) }
    }
    trackers = kept
    newestTrade = newest
  }

  private func tracker(of candidate: FlashCandidate, at now: ClockReading) -> FlashTracker {
    switch candidate.id {
    case .price:
      var tracker = trackers[candidate.id] ?? FlashTracker()
      tracker.update(
        changes: candidate.changes, direction: candidate.direction,
        freshness: candidate.freshness, at: now)
      return tracker
    case .trade(let arrival):
      if let known = trackers[candidate.id] { return known }
      var tracker = FlashTracker(durationMilliseconds: FlashTracker.tradeMilliseconds)
      guard let newestTrade, arrival > newestTrade else { return tracker }
      for changes: UInt64 in [0, 1] {
        tracker.update(
          changes: changes, direction: candidate.direction, freshness: candidate.freshness,
          at: now)
      }
      return tracker
    }
  }

  /// The values that flash now, with their direction.
  func flashing(at now: ClockReading) -> [FlashID: Direction] {
    trackers.compactMapValues { $0.isFlashing(at: now) ? $0.direction : nil }
  }

  /// Milliseconds until the next flash ends; nil when none is active.
  func nextEnd(after now: ClockReading) -> Int64? {
    trackers.values.lazy.filter { $0.isFlashing(at: now) }
      .compactMap { $0.endsAt?.milliseconds(since: now.monotonic) }.min()
  }
}
