import AppState
import Foundation
public import SwiftUI

/// The app's content: tabs, theme, links and scene changes.
public struct RootView: View {
  @ObservedObject private var model: AppModel
  @ObservedObject private var router: Router
  @Environment(\.scenePhase) private var scenePhase

  /// Creates the root view.
  public init(model: AppModel) {
    self.model = model
    router = model.router
  }

  /// The tabs.
  public var body: some View {
    TabView(selection: $router.tab) {
      TrackerTab(feeds: model.feeds, router: router)
        .tabItem { Label("Tracker", systemImage: "list.bullet") }
        .tag(AppTab.tracker)
      ProductsTab(feeds: model.feeds, router: router)
        .tabItem { Label("Products", systemImage: "shippingbox") }
        .tag(AppTab.products)
      MarketTabView(feeds: model.feeds, router: router, closed: model.closed)
        .tabItem { Label("Market", systemImage: "chart.bar") }
        .tag(AppTab.market)
      ExchangeTab(model: model)
        .tabItem { Label("Exchange", systemImage: "arrow.left.arrow.right") }
        .tag(AppTab.exchange)
      SettingsTab(model: model)
        .tabItem { Label("Settings", systemImage: "gearshape") }
        .tag(AppTab.settings)
    }
    .environmentObject(model)
    .onAppear { model.open() }
    .preferredColorScheme(model.theme.colorScheme)
    .onOpenURL { router.open(link: $0.absoluteString) }
    .onChange(of: scenePhase) { _, phase in follow(phase) }
    .alert("Nothing there", isPresented: $router.isLost) {
      Button("OK") {}
    } message: {
      Text("This link leads nowhere in this app.")
    }
  }

  private func follow(_ phase: ScenePhase) {
    switch phase {
    case .background: model.enterBackground()
    case .active: model.becomeActive()
    default: break
    }
  }
}

extension Theme {
  /// Nil for the system's theme.
  var colorScheme: ColorScheme? {
    switch self {
    case .system: nil
    case .light: .light
    case .dark: .dark
    }
  }
}
