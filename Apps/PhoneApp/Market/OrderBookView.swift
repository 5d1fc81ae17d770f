import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// OB3, OB4: 20 bids at the left, 20 asks at the right, best first, with bars of cumulative size.
struct OrderBookView: View {
  @Binding var inBase: Bool
  @StateObject private var store: ScreenStore<BookScreen>
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  init(symbol: Symbol, inBase: Binding<Bool>, feeds: FeedClient) {
    _inBase = inBase
    _store = StateObject(wrappedValue: ScreenStore(BookScreen(symbol: symbol), feeds: feeds))
  }

  var body: some View {
    VStack(spacing: 0) {
      if let instrument = store.state.instrument {
        ListHead(
          freshness: store.state.freshness, now: store.now, instrument: instrument, inBase: $inBase,
          proof: BookProofText.words(store.state, at: store.now),
          witnesses: WitnessText.words(store.state) { model.numbers.amount($0, locale: locale) })
        NoticeView(notice: store.notice) { store.follow($0) }.padding(.horizontal)
        VStack(spacing: 0) {
          BookHeader(instrument: instrument, inBase: inBase && instrument.contract == .inverse)
          BookRows(book: store.state, inBase: inBase && instrument.contract == .inverse)
        }
        // Bids are at the left in every language, as on every exchange.
        .environment(\.layoutDirection, .leftToRight)
      } else {
        UnknownInstrument(symbol: store.state.symbol)
      }
    }
    .whileInSight(open: store.open, close: store.close)
  }
}

/// The column titles; they stay while the rows scroll.
struct BookHeader: View {
  let instrument: BookInstrument
  let inBase: Bool
  @Environment(\.locale) private var locale
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    Group {
      if typeSize.isAccessibilitySize {
        Text(locale.text("Bids and asks: \(price), below it \(quantity)"))
      } else {
        HStack(spacing: 0) {
          HStack {
            Text(locale.text(quantity))
            Spacer()
            Text(locale.text(price))
          }
          .padding(.horizontal, 8)
          HStack {
            Text(locale.text(price))
            Spacer()
            Text(locale.text(quantity))
          }
          .padding(.horizontal, 8)
        }
      }
    }
    .font(.caption)
    .foregroundStyle(.secondary)
    .accessibilityHidden(true)
  }

  private var price: Sentence { "Price (\(instrument.quote))" }

  private var quantity: Sentence { inBase ? "Qty (\(instrument.base))" : "Qty" }
}

struct BookRows: View {
  let book: BookState
  let inBase: Bool
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    ScrollView {
      // Few rows, all created at once: SwiftUI would lay out lazy ones off the main thread.
      VStack(spacing: 0) {
        ForEach(0..<BookView.depth, id: \.self) { index in
          HStack(spacing: 0) {
            BookCell(
              row: book.bids.row(index), side: .buy, place: index, inBase: inBase,
              freshness: book.freshness.state)
            BookCell(
              row: book.asks.row(index), side: .sell, place: index, inBase: inBase,
              freshness: book.freshness.state)
          }
        }
      }
      if let spread = book.spread {
        Text(locale.text("Spread \(model.numbers.amount(spread, locale: locale))")).font(.caption)
          .foregroundStyle(.secondary)
      }
    }
    .opacity(book.freshness.state.isDimmed ? 0.5 : 1)
  }
}

extension [BookRowState] {
  /// The row at an index; nil beyond the end of a thin book.
  fileprivate func row(_ index: Int) -> BookRowState? {
    indices.contains(index) ? self[index] : nil
  }
}

/// The text for a symbol without a book here.
struct UnknownInstrument: View {
  let symbol: Symbol
  @Environment(\.locale) private var locale

  var body: some View {
    ContentUnavailableView {
      Label("Unknown symbol", systemImage: "questionmark.circle")
    } description: {
      Text(locale.text("There is no instrument called \(symbol) here."))
    }
  }
}
