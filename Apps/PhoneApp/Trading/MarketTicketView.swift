import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import TicketModel
import VenueCatalogue

/// Buy and Sell below a spot market's chart or lists; each opens the ticket.
struct TradeBar: View {
  let instrument: BookInstrument
  @ObservedObject var trading: TradingStore
  @Binding var request: TicketRequest?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    HStack {
      button(.buy)
      button(.sell)
    }
    .padding(.horizontal)
    .padding(.vertical, 8)
    .onChange(of: trading.orders, initial: true) { _, orders in
      guard let market = InstrumentKey(instrument.venue, instrument.symbol).orderSymbol else {
        return
      }
      model.charts.chart(instrument.venue, instrument.symbol)?.mark(orders.rows, in: market)
    }
  }

  private func button(_ side: Side) -> some View {
    Button {
      request = TicketRequest(instrument: instrument, side: side)
    } label: {
      Text(side == .buy ? "Buy" : "Sell").frame(maxWidth: .infinity)
    }
    .buttonStyle(.borderedProminent)
    .tint(Palette.fill(side))
    .keyboardShortcut(side == .buy ? "b" : "s")
    .accessibilityLabel(
      locale.text(side == .buy ? "Buy \(instrument.symbol)" : "Sell \(instrument.symbol)"))
  }
}

/// The market and the side of the ticket that is open.
struct TicketRequest: Identifiable {
  let instrument: BookInstrument
  let side: Side

  var id: String { "\(side.word) \(instrument.marketName)" }
}

extension TicketRequest? {
  fileprivate var isOpen: Bool {
    get { self != nil }
    set { if !newValue { self = nil } }
  }
}

/// Shows the ticket beside the market on a tablet, else as a sheet over its chart.
struct MarketTickets: ViewModifier {
  @Binding var request: TicketRequest?
  let isBeside: Bool
  @EnvironmentObject private var model: AppModel

  func body(content: Content) -> some View {
    content
      .sheet(item: isBeside ? .constant(nil) : $request) { ticket($0) }
      .inspector(isPresented: isBeside ? $request.isOpen : .constant(false)) {
        if let request { ticket(request).id(request.id).inspectorColumnWidth(ideal: 360) }
      }
  }

  @ViewBuilder private func ticket(_ request: TicketRequest) -> some View {
    let known = request.instrument
    if let screen = MarketTicketScreen(InstrumentKey(known.venue, known.symbol)) {
      MarketTicketView(known, side: request.side, screen: screen, model: model) {
        self.request = nil
      }
    }
  }
}

/// The ticket of a venue's spot market.
struct MarketTicketView: View {
  private let instrument: BookInstrument
  private let side: Side
  @ObservedObject private var trading: TradingStore
  @StateObject private var store: ScreenStore<MarketTicketScreen>
  @StateObject private var ticket: TicketStore
  @State private var hasSide = false
  @FocusState private var focus: TicketDraft.Field?
  @Environment(\.locale) private var locale
  private let close: () -> Void
  private var title: String { "\(instrument.symbol) · \(instrument.venue.displayName)" }

  init(
    _ instrument: BookInstrument, side: Side, screen: MarketTicketScreen, model: AppModel,
    close: @escaping () -> Void
  ) {
    (self.instrument, self.side, trading) = (instrument, side, model.trading)
    self.close = close
    let (feeds, name) = (model.feeds, instrument.symbol)
    let store = ScreenStore(screen, feeds: feeds)
    _store = StateObject(wrappedValue: store)
    _ticket = StateObject(
      wrappedValue: TicketStore(
        trading: model.trading, feeds: feeds,
        reviews: { [weak model] in model?.reviewsOrders ?? true },
        market: { [weak store] in
          store.map { TicketQuote($0.state, name: name, at: feeds.now()) }
        }))
  }

  var body: some View {
    NavigationStack {
      List {
        OrderSections(
          ticket: ticket, trading: trading, market: store.state.symbol, now: store.now,
          focus: $focus)
      }
      .rowsInGroups()
      .navigationTitle(title)
      .smallTitle()
      .toolbar {
        ToolbarItem(placement: .barStart) { Button("Close") { close() } }
        KeyboardDone(focus: $focus)
      }
      .navigationDestination(for: OrdersPlace.self) { place in
        if case .order(let order) = place { ReceiptView(trading: trading, order: order) }
      }
      .whileInSight(
        open: {
          store.open()
          ticket.read(locale)
          // Not after a receipt: the user may have chosen the other side.
          if !hasSide { ticket.side = side }
          hasSide = true
          trading.tickets += 1
        },
        close: {
          store.close()
          trading.sendHeld()
          trading.tickets -= 1
          trading.leaveMarkets()
        }
      )
    }
    .presentationDetents([.medium, .large])
    .followsTicket(ticket, focus: $focus)
    .onChange(of: store.state) { _, _ in ticket.refresh() }
    .onChange(of: trading.orders) { _, _ in ticket.refresh() }
  }
}

private struct FollowsTicket: ViewModifier {
  @ObservedObject var ticket: TicketStore
  let focus: FocusState<TicketDraft.Field?>.Binding
  @Environment(\.locale) private var locale

  func body(content: Content) -> some View {
    content
      .onChange(of: ticket.focus) { _, focused in focus.wrappedValue = focused?.field }
      .onChange(of: locale) { _, locale in ticket.read(locale) }
  }
}

extension View {
  /// Moves the keyboard to the ticket's faulty field, and reads numbers in the user's locale.
  func followsTicket(
    _ ticket: TicketStore, focus: FocusState<TicketDraft.Field?>.Binding
  ) -> some View { modifier(FollowsTicket(ticket: ticket, focus: focus)) }
}
