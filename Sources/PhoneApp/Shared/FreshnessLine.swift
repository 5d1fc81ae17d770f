// The line that says whether the values on a screen can be believed.

import AppState
import Foundation
import MarketModel
import SwiftUI

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
