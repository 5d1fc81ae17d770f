// What a recording has heard of its instruments, beside the bytes that it keeps.

import MarketModel
import NIOConcurrencyHelpers

/// Which of the recorded instruments the venue has.
final class HeardInstruments: Sendable {
  private let state = NIOLockedValueBox((unlisted: Set<Symbol>(), hasLive: false))

  /// Whether anything was ever live.
  var hasLive: Bool { state.withLockedValue { $0.hasLive } }

  func take(_ key: MarketKey, _ value: MarketValue) {
    state.withLockedValue { state in
      if !value.isKnown { state.unlisted.insert(key.subscription.symbol) }
      if value.freshness.state == .live { state.hasLive = true }
    }
  }

  /// The first of the instruments once the venue has none of them.
  func absent(_ instruments: [InstrumentName]) -> InstrumentName? {
    let unlisted = state.withLockedValue { $0.unlisted }
    return instruments.allSatisfy { unlisted.contains($0.symbol) } ? instruments.first : nil
  }
}
