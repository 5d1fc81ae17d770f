// EX2 to EX5: price and best offers, the chart, the ticket, news of orders and those that wait.
// Where the screen is wide and low, the market stands beside the ticket instead of above it.

import AppState
import ChartModel
import Foundation
import MarketModel
import PaperTrading
import SwiftUI

/// The exchange's screen.
struct ExchangeView: View {
  @ObservedObject private var trading: TradingStore
  private let chart: ChartStore
  @StateObject private var store: ScreenStore<ExchangeScreen>
  @StateObject private var ticket: TicketStore
  @Environment(\.verticalSizeClass) private var verticalSizeClass
  @Environment(\.horizontalSizeClass) private var horizontalSizeClass

  init(model: AppModel, trading: TradingStore, chart: ChartStore) {
    (self.trading, self.chart) = (trading, chart)
    let store = ScreenStore(ExchangeScreen(symbol: trading.symbol), feeds: model.feeds)
    _store = StateObject(wrappedValue: store)
    _ticket = StateObject(
      wrappedValue: TicketStore(
        trading: trading, feeds: model.feeds,
        reviews: { [weak model] in
          model?.reviewsOrders ?? true
        }, market: { [weak store] in store?.state }))
  }

  var body: some View {
    Group {
      if verticalSizeClass == .compact || horizontalSizeClass == .regular {
        HStack(spacing: 0) {
          VStack(spacing: 0) {
            header
            ChartView(name: ExchangeCatalogue.name, store: chart)
          }
          desk
        }
      } else {
        VStack(spacing: 0) {
          header
          ChartView(name: ExchangeCatalogue.name, store: chart).frame(height: 260)
          desk
        }
      }
    }
    .navigationTitle("Exchange")
    .smallTitle()
    .toolbar {
      ToolbarItem(placement: .barEnd) {
        NavigationLink("Order history", value: Route.orders)
      }
    }
    .onAppear {
      store.open()
      chart.mark(fills)
    }
    .onDisappear { store.close() }
    .onChange(of: fills) { _, fills in chart.mark(fills) }
    // What would happen depends on the offers and on what earlier orders have taken of them.
    .onChange(of: store.state) { _, _ in ticket.refresh() }
    .onChange(of: trading.orders) { _, _ in ticket.refresh() }
  }

  private var header: some View {
    ExchangeHeader(
      state: store.state, now: store.now, flash: store.flashes[.price(store.state.symbol.text)],
      take: { ticket.take(price: $0) })
  }

  private var desk: some View {
    List {
      TicketSection(ticket: ticket, trading: trading, market: store.state, now: store.now)
      NewsSection(trading: trading, shownInTicket: shownInTicket)
      OpenOrdersSection(trading: trading)
    }
    .listStyle(.insetGrouped)
  }

  /// The order whose outcome the ticket itself tells.
  private var shownInTicket: UInt64? {
    if case .sent(let sent) = ticket.phase { sent.order?.number } else { nil }
  }

  private var fills: [ChartFill] {
    let scale = chart.state.priceScale
    return trading.orders.rows.flatMap { row in
      row.fills.compactMap { fill in
        fill.price.exactly(at: scale).map {
          ChartFill(
            time: fill.time.milliseconds, price: Price(units: $0.units), side: row.side)
        }
      }
    }
  }
}
