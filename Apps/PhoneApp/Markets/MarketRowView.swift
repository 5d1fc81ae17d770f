import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// LT13: an instrument with its price, subscribed while the row is visible.
struct MarketRowView: View {
  let row: MarketRow
  let feeds: FeedClient
  @Environment(\.locale) private var locale

  var body: some View {
    TwoEnds {
      VStack(alignment: .leading) {
        Text(row.instrument.symbol.text).font(.headline)
        Text(detail).font(.caption).foregroundStyle(Color.secondary).lineLimit(1)
      }
    } trailing: {
      if let screen = FiguresScreen(row.instrument) {
        MarketFigures(screen: screen, feeds: feeds)
      }
    }
    .foregroundStyle(Color.primary)
    .contentShape(Rectangle())
    .accessibilityElement(children: .combine)
  }

  /// "Bitcoin / US dollar · Kraken".
  private var detail: String {
    ([row.name, row.instrument.venue.displayName] + (row.isOpen ? [] : [locale.text("closed")]))
      .joined(separator: " · ")
  }
}

/// A row's last price and change, with their age while they are not live.
struct MarketFigures: View {
  @StateObject private var store: ScreenStore<FiguresScreen>
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var zone
  @Environment(\.colorScheme) private var colorScheme

  init(screen: FiguresScreen, feeds: FeedClient) {
    _store = StateObject(wrappedValue: ScreenStore(screen, feeds: feeds))
  }

  var body: some View {
    VStack(alignment: .trailing, spacing: 0) {
      PriceLabel(text: price, direction: direction, freshness: state.freshness.state)
        .padding(.horizontal, 4)
        .flash(store.flashes[.price(state.instrument.symbol.text)])
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(
          locale.text(
            PriceLabel.spoken(
              price, isKnown: state.figures?.last != nil, direction, state.freshness.state)))
      if let share = texts.share(state) {
        HStack(spacing: 4) {
          Text(share.text).foregroundStyle(Palette(colorScheme).color(of: state.movement))
          Text(share.window).foregroundStyle(Color.secondary)
        }
        .font(.caption)
        .monospacedDigit()
        .lineLimit(1)
        .opacity(state.freshness.state.isDimmed ? 0.5 : 1)
        .padding(.horizontal, 4)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(locale.text("\(share.window) change \(share.spoken)"))
      }
      if let age = texts.age(state, at: store.now) {
        Text(locale.text(age)).font(.caption2).foregroundStyle(Color.secondary).padding(
          .horizontal, 4)
      }
    }
    .whileInSight(open: store.openSoon, close: store.close)
  }

  private var state: FiguresState { store.state }

  private var direction: Direction { state.figures?.direction ?? .unchanged }

  private var price: String {
    state.figures?.last.map { model.numbers.amount($0, locale: locale) } ?? "–"
  }

  private var texts: FigureTexts {
    FigureTexts(
      numbers: model.numbers, locale: locale, zone: zone, now: store.now.wall,
      price: { model.numbers.amount($0, locale: locale) })
  }
}
