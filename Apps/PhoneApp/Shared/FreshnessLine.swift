// The line that says whether the values on a screen can be believed.

import AppState
import Foundation
import MarketModel
import SwiftUI

extension Freshness {
  /// Whether both would be said in the same words, but for a second of age: what comes from one
  /// feed at one time is confirmed by messages that follow each other.
  func saysTheSame(as other: Freshness) -> Bool {
    guard state == other.state, origin == other.origin else { return false }
    switch state {
    case .waiting, .queued, .live, .closed: return true
    case .late, .stale, .resyncing, .disconnected:
      guard let confirmedAt, let theirs = other.confirmedAt else {
        return confirmedAt == other.confirmedAt
      }
      return abs(confirmedAt.monotonic.milliseconds(since: theirs.monotonic)) <= 1000
    }
  }
}

/// A screen's freshness in words.
struct FreshnessLine: View {
  let freshness: Freshness
  let now: ClockReading

  var body: some View {
    Text(FreshnessText.words(freshness, at: now))
      .font(.footnote)
      .foregroundStyle(.secondary)
      .monospacedDigit()
      .accessibilityIdentifier("freshness")
      .accessibilityAddTraits(.updatesFrequently)
  }
}
