import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

extension Freshness {
  /// Whether both would show the same text, apart from a second of age: values of one feed and time
  /// are confirmed by successive messages.
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

/// The line that shows whether a screen's values are valid.
struct FreshnessLine: View {
  let freshness: Freshness
  let now: ClockReading
  @Environment(\.locale) private var locale

  var body: some View {
    Text(locale.text(FreshnessText.words(freshness, at: now)))
      .font(.footnote)
      .foregroundStyle(.secondary)
      .monospacedDigit()
      .accessibilityIdentifier("freshness")
      .accessibilityAddTraits(.updatesFrequently)
  }
}
