// PD2–PD8: one product: its price, the previous close and the difference, or why there is none.

import AppState
import Foundation
import MarketModel
import SwiftUI

/// A product.
struct ProductView: View {
  let identifier: Symbol
  @StateObject private var store: ScreenStore<ProductScreen>

  init(identifier: Symbol, feeds: FeedClient) {
    self.identifier = identifier
    _store = StateObject(
      wrappedValue: ScreenStore(ProductScreen(identifier: identifier.text), feeds: feeds))
  }

  var body: some View {
    Group {
      if let details = store.state.details {
        ProductDetailsView(
          details: details, state: store.state, now: store.now,
          flash: store.flashes[.price(store.state.identifier)],
          retry: { store.send(.retry) })
      } else if let failure = store.state.failure {
        ProductFailureView(failure: failure, retry: { store.send(.retry) })
      } else {
        ProgressView("Loading…")
      }
    }
    .navigationTitle(store.state.details?.name ?? identifier.text)
    .smallTitle()
    .onAppear { store.open() }
    .onDisappear { store.close() }
  }
}

/// Why there is no product to show (PD7).
struct ProductFailureView: View {
  let failure: ProductFailure
  let retry: () -> Void

  var body: some View {
    ContentUnavailableView {
      Label("No product", systemImage: "exclamationmark.triangle")
    } description: {
      Text(failure.userMessage)
    } actions: {
      if failure.canRetry {
        Button("Retry") { retry() }
      }
    }
  }
}

/// A product that was loaded.
struct ProductDetailsView: View {
  let details: ProductState.Details
  let state: ProductState
  let now: ClockReading
  let flash: Direction?
  let retry: () -> Void
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.colorScheme) private var colorScheme

  var body: some View {
    List {
      Section(details.symbol) {
        PriceLabel(
          text: price(details.price), direction: details.direction,
          freshness: state.freshness.state
        )
        .font(.largeTitle)
        .padding(.horizontal, 6)
        .flash(flash)
        if let percent = details.percent {
          TwoEnds(alignment: .firstTextBaseline) {
            Text("Since the close")
          } trailing: {
            Text(model.numbers.percent(percent, locale: locale))
              .monospacedDigit()
              .foregroundStyle(Palette(colorScheme).color(of: trend(percent)))
          }
          .opacity(FreshnessText.isDimmed(state.freshness.state) ? 0.5 : 1)
          .accessibilityElement(children: .combine)
        }
        FactRow(name: "Previous close", value: price(details.closing))
        FreshnessLine(freshness: state.freshness, now: now)
      }
      if let failure = state.failure {
        Section {
          Text(failure.userMessage)
          if failure.canRetry { Button("Retry") { retry() } }
        }
      }
    }
  }

  private func price(_ price: FixedDecimal?) -> String {
    model.numbers.price(
      price, currency: details.currency, decimals: details.decimals, locale: locale)
  }

  private func trend(_ percent: FixedDecimal) -> Direction {
    if percent.units == 0 { return .unchanged }
    return percent.units > 0 ? .up : .down
  }
}
