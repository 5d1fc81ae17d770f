import AppState
import Foundation
import MarketModel
public import PhoneStores
public import SwiftUI

/// The app's content: tabs, theme, links and scene changes.
public struct RootView: View {
  @ObservedObject private var model: AppModel
  @ObservedObject private var router: Router
  @Environment(\.locale) private var locale
  @Environment(\.scenePhase) private var scenePhase
  @SceneStorage("place") private var place = ""

  /// Creates the root view.
  public init(model: AppModel) {
    self.model = model
    router = model.router
  }

  /// The tabs.
  public var body: some View {
    TabView(selection: $router.tab) {
      ForEach(model.scope.tabs, id: \.self) { tab in
        screen(of: tab)
          .tabItem { Label(locale.text(tab.name), systemImage: tab.symbol) }
          .tag(tab)
      }
    }
    .environmentObject(model)
    .onAppear {
      model.open()
      router.restore(place)
    }
    .onChange(of: router.place) { _, current in place = current }
    .preferredColorScheme(model.theme.colorScheme)
    .onOpenURL { router.open(link: $0.absoluteString) }
    .onChange(of: scenePhase) { _, phase in follow(phase) }
    .alert("Nothing there", isPresented: $router.isLost) {
      Button("OK") {}
    } message: {
      Text("This link leads nowhere in this app.")
    }
  }

  @ViewBuilder private func screen(of tab: AppTab) -> some View {
    switch tab {
    case .tracker: TrackerTab(feeds: model.feeds, router: router)
    case .products: ProductsTab(feeds: model.feeds, router: router)
    case .market:
      MarketTabView(
        feeds: model.feeds, router: router, closed: model.closed, trades: model.trades
      )
      .badge(model.newFirings)
    case .exchange: ExchangeTab(model: model).badge(model.openOrders)
    case .settings: SettingsTab(model: model)
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

extension AppTab {
  var name: Sentence {
    switch self {
    case .tracker: "Tracker"
    case .products: "Products"
    case .market: "Market"
    case .exchange: "Exchange"
    case .settings: "Settings"
    }
  }

  fileprivate var symbol: String {
    switch self {
    case .tracker: "list.bullet"
    case .products: "shippingbox"
    case .market: "chart.bar"
    case .exchange: "arrow.left.arrow.right"
    case .settings: "gearshape"
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
