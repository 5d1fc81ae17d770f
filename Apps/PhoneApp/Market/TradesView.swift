import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// OB5, OB6: the latest 30 trades, newest first; a new one is highlighted for 0.2 s.
struct TradesView: View {
  @Binding var inBase: Bool
  @StateObject private var store: ScreenStore<TradesScreen>

  init(symbol: Symbol, inBase: Binding<Bool>, feeds: FeedClient) {
    _inBase = inBase
    _store = StateObject(wrappedValue: ScreenStore(TradesScreen(symbol: symbol), feeds: feeds))
  }

  var body: some View {
    VStack(spacing: 0) {
      if let instrument = store.state.instrument {
        ListHead(
          freshness: store.state.freshness, now: store.now, instrument: instrument, inBase: $inBase)
        NoticeView(notice: store.notice) { store.follow($0) }.padding(.horizontal)
        TradesHeader(instrument: instrument, inBase: isInBase(instrument))
        ScrollView {
          // As in the book: few rows, all created at once.
          VStack(spacing: 0) {
            ForEach(store.state.trades, id: \.arrival) { trade in
              TradeRow(
                trade: trade, inBase: isInBase(instrument),
                flash: store.flashes[.trade(trade.arrival)])
            }
          }
        }
        .opacity(store.state.freshness.state.isDimmed ? 0.5 : 1)
      } else {
        UnknownInstrument(symbol: store.state.symbol)
      }
    }
    .whileInSight(open: store.open, close: store.close)
  }

  private func isInBase(_ instrument: BookInstrument) -> Bool {
    inBase && instrument.contract == .inverse
  }
}

/// The column titles; they stay while the rows scroll.
struct TradesHeader: View {
  let instrument: BookInstrument
  let inBase: Bool
  @Environment(\.locale) private var locale

  var body: some View {
    TradeColumns(
      price: locale.text("Price (\(instrument.quote))"),
      size: locale.text(inBase ? "Qty (\(instrument.base))" : "Qty"), time: locale.text("Time")
    )
    .font(.caption)
    .foregroundStyle(.secondary)
    .padding(.horizontal)
    .accessibilityHidden(true)
  }
}

/// Three columns; very large text takes two lines, with the time on the second.
struct TradeColumns: View {
  let price: String
  let size: String
  let time: String
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    if typeSize.isAccessibilitySize {
      VStack(alignment: .leading, spacing: 0) {
        HStack {
          Text(price)
          Spacer()
          Text(size)
        }
        Text(time)
      }
    } else {
      HStack {
        Text(price).frame(maxWidth: .infinity, alignment: .leading)
        Text(size).frame(maxWidth: .infinity, alignment: .trailing)
        Text(time).frame(maxWidth: .infinity, alignment: .trailing)
      }
    }
  }
}

struct TradeRow: View {
  let trade: TradeRowState
  let inBase: Bool
  let flash: Direction?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var timeZone
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.dynamicTypeSize) private var typeSize
  @ScaledMetric private var lineHeight: CGFloat = 24

  var body: some View {
    TradeColumns(price: price, size: size, time: time)
      .foregroundStyle(Palette(colorScheme).color(of: direction))
      .monospacedDigit()
      .lineLimit(1)
      .minimumScaleFactor(0.6)
      .padding(.horizontal)
      .frame(height: typeSize.isAccessibilitySize ? 2 * lineHeight : lineHeight)
      .flash(flash)
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(locale.text(sentence))
  }

  private var direction: Direction {
    switch trade.side {
    case .buy: .up
    case .sell: .down
    case nil: .unchanged
    }
  }

  private var sentence: Sentence {
    switch trade.side {
    case .buy: "Bought \(size) at \(price), \(time)"
    case .sell: "Sold \(size) at \(price), \(time)"
    case nil: "Traded \(size) at \(price), \(time)"
    }
  }

  private var price: String { model.numbers.amount(trade.price, locale: locale) }

  private var size: String {
    model.numbers.amount(inBase ? trade.sizeInBase ?? trade.size : trade.size, locale: locale)
  }

  private var time: String { model.numbers.time(trade.time, zone: timeZone) }
}
