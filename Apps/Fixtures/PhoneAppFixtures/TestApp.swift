import FeedConnections
import Foundation
import MarketModel
import NIOEmbedded
import PhoneApp
package import PhoneStores
package import PhoneStoresFixtures
@_spi(Host) package import SwiftUI

/// The whole app on simulated feeds: its root view, its feeds and what it shows.
@MainActor package struct TestApp {
  package let feeds: TestFeeds
  package let vault = MemoryTokenVault()
  package let model: AppModel
  package let session: AppSession
  package let preferences: any Preferences
  package let host: ViewHost

  /// Starts the app; without a folder no ledger can be opened.
  ///
  /// The clock starts at a time in milliseconds since 1970. `stored` is the scene's storage of an
  /// earlier run.
  package init(
    preferences: any Preferences = MemoryPreferences(), folder: String = "/dev/null/livetape",
    at milliseconds: Int64 = 0, restoring stored: [String: String] = [:]
  ) {
    try? AppTexts.load()
    feeds = TestFeeds(at: milliseconds)
    let clock = feeds.clock
    self.preferences = preferences
    model = AppModel(
      feeds: feeds.client, vault: vault, preferences: preferences,
      ledger: LedgerPlace(path: folder + "/orders.sqlite", clock: { clock.now }))
    // The market whose data the fixtures send.
    model.router.instrument = Symbol("XBTUSD")
    session = AppSession(
      model,
      in: AppEnvironment(
        folder: URL(fileURLWithPath: folder), preferences: preferences, vault: vault,
        loop: NIOAsyncTestingEventLoop(), clock: HubClock { clock.now }))
    host = ViewHost(SessionView(session: session))
    host.sceneStorage = stored
    host.set(\.locale, Locale(identifier: "en_US"))
    host.set(\.timeZone, TimeZone(secondsFromGMT: 0) ?? .current)
  }

  /// The texts below the tab bar.
  package var texts: [String] { Array(host.texts.dropFirst(5)) }
}
