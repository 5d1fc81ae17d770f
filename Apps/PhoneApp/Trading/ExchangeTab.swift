import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// EX1 to EX8: the one-stock exchange, with its order history on top.
struct ExchangeTab: View {
  @ObservedObject var model: AppModel
  @ObservedObject private var router: Router
  @Environment(\.locale) private var locale

  init(model: AppModel) {
    self.model = model
    router = model.router
  }

  var body: some View {
    NavigationStack(path: $router.exchange) {
      Group {
        if let chart = model.exchangeChart {
          ExchangeView(model: model, trading: model.trading, chart: chart)
        } else {
          ContentUnavailableView {
            Label("No stock", systemImage: "questionmark.circle")
          } description: {
            Text(
              locale.text(
                "No stock is listed on \(ExchangeCatalogue.name) in this version of the app."))
          }
        }
      }
      .navigationDestination(for: OrdersPlace.self) { place in
        switch place {
        case .orders: OrdersView(trading: model.trading, feeds: model.feeds)
        case .order(let order): ReceiptView(trading: model.trading, order: order)
        }
      }
    }
  }
}
