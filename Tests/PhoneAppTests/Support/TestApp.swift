// The whole app in a test: its root view on feeds that the test plays.

import Foundation
import MarketModel

@testable import PhoneApp
@_spi(Host) import SwiftUI

/// The app, its world and what it shows.
@MainActor struct TestApp {
  let feeds = TestFeeds()
  let vault = MemoryTokenVault()
  let model: AppModel
  let host: ViewHost

  /// Starts the app; without a folder no ledger can be opened, as nothing lies below a device.
  init(
    preferences: any Preferences = MemoryPreferences(), folder: String = "/dev/null/livetape"
  ) {
    let clock = feeds.clock
    model = AppModel(
      feeds: feeds.client, vault: vault, preferences: preferences,
      ledger: LedgerPlace(path: folder + "/orders.sqlite", clock: { clock.now }))
    host = ViewHost(RootView(model: model))
    host.set(\.locale, Locale(identifier: "en_US"))
    host.set(\.timeZone, TimeZone(secondsFromGMT: 0) ?? .current)
  }

  /// The words below the tab bar.
  var texts: [String] { Array(host.texts.dropFirst(5)) }
}

/// Preferences that last as long as the test.
@MainActor final class MemoryPreferences: Preferences {
  var theme = Theme.system
  var reviewsOrders = true
}
