import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// PT4: a stock's details.
///
/// They observe the feed's own stream, without a second socket (PT6).
struct SymbolView: View {
  let symbol: Symbol
  @StateObject private var store: ScreenStore<SymbolScreen>
  @Environment(\.locale) private var locale

  init(symbol: Symbol, feeds: FeedClient) {
    self.symbol = symbol
    _store = StateObject(wrappedValue: ScreenStore(SymbolScreen(symbol: symbol), feeds: feeds))
  }

  var body: some View {
    Group {
      if let details = store.state.details {
        SymbolDetailsView(
          symbol: symbol, details: details, flash: store.flashes[.price(symbol.text)],
          now: store.now, notice: store.notice, follow: { store.follow($0) })
      } else {
        ContentUnavailableView {
          Label("Unknown symbol", systemImage: "questionmark.circle")
        } description: {
          Text(locale.text("There is no stock called \(symbol) here."))
        }
      }
    }
    .whileInSight(open: store.open, close: store.close)
    .navigationTitle(symbol.text)
    .smallTitle()
  }
}

/// The details of an existing stock.
struct SymbolDetailsView: View {
  let symbol: Symbol
  let details: SymbolState.Details
  let flash: Direction?
  let now: ClockReading
  let notice: ConnectionNotice?
  let follow: (ConnectionNotice.Remedy) -> Void
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    List {
      Section {
        PriceLabel(
          text: price, direction: details.direction, freshness: details.freshness.state
        )
        .font(.largeTitle)
        .padding(.horizontal, 6)
        .flash(flash)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("Price")
        .accessibilityValue(spokenPrice)
        FreshnessLine(freshness: details.freshness, now: now)
        NoticeView(notice: notice, follow: follow)
      }
      Section(details.name) {
        Text(details.about)
      }
      .textCase(nil)
    }
  }

  private var price: String {
    model.numbers.price(
      details.price, currency: details.currency, decimals: details.decimals, locale: locale)
  }

  private var spokenPrice: String {
    locale.text(
      PriceLabel.spoken(
        price, isKnown: details.price != nil, details.direction, details.freshness.state))
  }
}
