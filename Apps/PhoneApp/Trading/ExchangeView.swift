import AppState
import ChartModel
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
import SwiftUI
import TicketModel
import VenueCatalogue

/// EX2 to EX5: price, best bid and ask, chart, ticket, order notifications and open orders.
///
/// EX8: where there is room, the market is beside the ticket instead of above it.
struct ExchangeView: View {
  @ObservedObject private var trading: TradingStore
  private let chart: ChartStore
  private let feeds: FeedClient
  @StateObject private var store: ScreenStore<ExchangeScreen>
  @StateObject private var ticket: TicketStore
  @Environment(\.verticalSizeClass) private var verticalSizeClass
  @Environment(\.horizontalSizeClass) private var horizontalSizeClass
  @Environment(\.dynamicTypeSize) private var typeSize
  @Environment(\.locale) private var locale
  @FocusState private var focus: TicketDraft.Field?
  @SceneStorage("ticket") private var unfinished = ""

  init(model: AppModel, trading: TradingStore, chart: ChartStore) {
    (self.trading, self.chart, feeds) = (trading, chart, model.feeds)
    let store = ScreenStore(ExchangeScreen(symbol: trading.symbol), feeds: model.feeds)
    _store = StateObject(wrappedValue: store)
    _ticket = StateObject(
      wrappedValue: TicketStore(
        trading: trading, feeds: model.feeds,
        reviews: { [weak model] in
          model?.reviewsOrders ?? true
        },
        market: { [weak store] in
          store.map { TicketQuote($0.state, rules: trading.rules) }
        }))
  }

  var body: some View {
    parts
      .whileInSight(
        open: {
          store.open()
          ticket.read(locale)
          ticket.restore(unfinished)
          chart.mark(trading.orders.rows, in: trading.symbol)
          trading.tickets += 1
        },
        close: {
          store.close()
          trading.sendHeld()
          trading.tickets -= 1
        }
      )
      .navigationTitle("Exchange")
      .smallTitle()
      .toolbar {
        ToolbarItem(placement: .barEnd) {
          NavigationLink("Order history", value: OrdersPlace.orders)
        }
        KeyboardDone(focus: $focus)
      }
      .followsTicket(ticket, focus: $focus)
      .onChange(of: ticket.unfinished) { _, draft in unfinished = draft }
      // The preview depends on the best prices and on the quantity that earlier orders took from
      // them.
      .onChange(of: store.state) { _, _ in ticket.refresh() }
      .onChange(of: trading.orders) { _, orders in
        chart.mark(orders.rows, in: trading.symbol)
        ticket.refresh()
      }
  }

  private var shape: ScreenShape {
    ScreenShape(
      horizontal: horizontalSizeClass, vertical: verticalSizeClass, type: typeSize)
  }

  /// Whether the keyboard leaves little height.
  private var isShort: Bool { shape == .stacked && focus != nil }

  @ViewBuilder private var parts: some View {
    if shape == .scrolling {
      List {
        Section {
          header
          picture
        }
        desk
      }
      .rowsInGroups()
    } else {
      shape.layout {
        market
        List { desk }.rowsInGroups()
      }
    }
  }

  @ViewBuilder private var market: some View {
    if typeSize.isAccessibilitySize {
      ScrollView {
        header
        picture
      }
    } else {
      VStack(spacing: 0) {
        header
        // On a small phone, and above the keyboard, the chart shrinks to leave room for the ticket.
        picture.frame(
          minHeight: isShort ? 150 : 180,
          maxHeight: shape == .beside ? .infinity : isShort ? 170 : 260)
      }
    }
  }

  private var picture: some View {
    ChartView(
      name: ExchangeCatalogue.name, store: chart, isAlone: false, said: store.state.freshness,
      height: typeSize.isAccessibilitySize ? ChartView.scrollingHeight : nil)
  }

  private var header: some View {
    VStack(alignment: .leading, spacing: 4) {
      ExchangeHeader(
        state: store.state, now: store.now, flash: store.flashes[.price(store.state.symbol.text)],
        notice: store.notice, follow: { store.follow($0) },
        take: { ticket.perform(.takePrice($0)) })
      if !isShort, let figures = FiguresScreen(chart.state.instrument) {
        Headline(
          HeadlineSubject(
            name: ExchangeCatalogue.name, money: (store.state.currency, store.state.decimals),
            hasPrice: false),
          screen: figures, feeds: feeds, said: store.state.freshness)
      }
    }
  }

  private var desk: some View {
    OrderSections(
      ticket: ticket, trading: trading, market: trading.symbol, now: store.now, focus: $focus)
  }
}
