import AppState
import Foundation
import MarketModel
import PaperTrading
import PhoneStores
import SwiftUI
import TicketModel

/// The sections of a list: ticket, order notifications, open orders and positions.
struct OrderSections: View {
  @ObservedObject var ticket: TicketStore
  @ObservedObject var trading: TradingStore
  /// The ticket's market.
  let market: Symbol
  let now: ClockReading
  let focus: FocusState<TicketDraft.Field?>.Binding
  @State private var isThisOnly = false

  var body: some View {
    TicketSection(store: ticket, trading: trading, now: now, focus: focus)
    NewsSection(trading: trading, shownInTicket: ticket.ticket.sent?.historyOrder?.number)
    if hasOthers {
      Section {
        Picker("Orders and positions of", selection: $isThisOnly) {
          Text("All markets").tag(false)
          Text("This market").tag(true)
        }
        .pickerStyle(.segmented)
      }
    }
    OpenOrdersSection(trading: trading, market: shown, ticket: ticket.ticket)
    PositionsSection(trading: trading, market: shown)
  }

  private var shown: Symbol? { isThisOnly && hasOthers ? market : nil }

  /// Whether there are orders or positions of other markets.
  private var hasOthers: Bool {
    let (orders, positions) = (trading.orders, trading.positions)
    return orders.rows.contains { $0.symbol != market }
      || orders.openRows.contains { $0.symbol != market }
      || positions.markets.keys.contains { $0 != market }
      || positions.symbol != market && !positions.line.isEmpty
  }
}
