#if DEBUG
  import FeedConnections
  import Foundation
  import PhoneStores
  import SwiftUI

  /// A screen of the app on the built-in market, for Xcode's previews.
  struct PreviewScreen: View {
    @StateObject private var session: AppSession

    /// Opens a link, or a tab that has none; with neither, the choice of markets.
    init(_ link: String? = nil, tab: AppTab? = nil) {
      _session = StateObject(wrappedValue: Self.session(link, tab: tab))
    }

    var body: some View { SessionView(session: session) }

    /// The app at a place, with orders and settings of its own.
    static func session(_ link: String?, tab: AppTab?) -> AppSession {
      var environment = AppEnvironment.device
      let name = "livetape.previews"
      environment.folder = FileManager.default.temporaryDirectory
        .appending(path: "\(name)/\(UUID().uuidString)")
      environment.vault = MemoryTokenVault("preview")
      let store = UserDefaults(suiteName: name) ?? .standard
      store.removePersistentDomain(forName: name)
      environment.preferences = StoredPreferences(store)
      if link != nil || tab != nil { environment.preferences.markets = MarketChoice(.builtIn) }
      let session = AppSession(.full, in: environment)
      if let link { session.model?.router.open(link: link) }
      if let tab { session.model?.router.tab = tab }
      return session
    }
  }
#endif
