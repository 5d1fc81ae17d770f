import AppState
@_exported public import PhoneStores
public import SwiftUI

/// The app's window with everything behind it; an app target's `App` holds one `LivetapeScene`.
public struct LivetapeScene: Scene {
  @StateObject private var session: AppSession

  /// Creates the window of a part of the app.
  public init(_ scope: AppScope = .full) { self.init(scope, in: .device) }

  /// Creates the window in an environment.
  package init(_ scope: AppScope, in environment: @autoclosure @escaping () -> AppEnvironment) {
    _session = StateObject(wrappedValue: AppSession(scope, in: environment()))
  }

  /// The window.
  public var body: some Scene {
    WindowGroup { SessionView(session: session) }
      .commands {
        CommandMenu("Screens") { TabCommands(session: session) }
      }
  }
}

/// The app once the user has chosen its markets.
package struct SessionView: View {
  @ObservedObject private var session: AppSession

  /// Creates the view.
  package init(session: AppSession) { self.session = session }

  /// The app, the choice of markets, or the time between two choices.
  package var body: some View {
    if let model = session.model {
      RootView(model: model).id(ObjectIdentifier(model))
    } else if session.choice == nil {
      MarketChooser(session: session)
    } else {
      ProgressView("Changing markets…")
    }
  }
}

/// The tabs on ⌘1, ⌘2 and so on: a tab bar has no shortcuts.
private struct TabCommands: View {
  @ObservedObject var session: AppSession
  @Environment(\.locale) private var locale

  var body: some View {
    ForEach(Array(session.scope.tabs.enumerated()), id: \.element) { index, tab in
      Button(locale.text(tab.name)) { session.model?.router.tab = tab }
        .keyboardShortcut(KeyEquivalent(Character("\(index + 1)")))
        .disabled(session.model == nil)
    }
  }
}
