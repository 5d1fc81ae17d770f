import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// PD2–PD8: a product's price, previous close and difference, or why they are missing.
struct ProductView: View {
  let identifier: Symbol
  @StateObject private var store: ScreenStore<ProductScreen>
  @State private var triedTokens: Int?
  @EnvironmentObject private var model: AppModel

  init(identifier: Symbol, feeds: FeedClient) {
    self.identifier = identifier
    _store = StateObject(
      wrappedValue: ScreenStore(ProductScreen(identifier: identifier.text), feeds: feeds))
  }

  var body: some View {
    Group {
      if let details = store.state.details {
        ProductDetailsView(
          details: details, state: store.state, isTokenNew: isTokenNew, now: store.now,
          flash: store.flashes[.price(store.state.identifier)], notice: store.notice,
          follow: { store.follow($0) }, retry: retry)
      } else if let failure = store.state.failure {
        ProductFailureView(failure: failure, isTokenNew: isTokenNew, retry: retry)
      } else {
        VStack {
          PatienceView(name: Venue.bux.displayName, limit: 30, now: store.now)
          NoticeView(notice: store.notice) { store.follow($0) }.padding(.horizontal)
        }
      }
    }
    .whileInSight(open: open, close: store.close)
    .navigationTitle(name)
    .smallTitle()
  }

  /// The venue's name, or the chosen name; an identifier that was typed.
  private var name: String {
    store.state.details?.name
      ?? ProductCatalogue.choices.first { $0.identifier == identifier }?.name ?? identifier.text
  }

  private var isTokenNew: Bool { triedTokens.map { $0 != model.tokensSet } ?? false }

  /// A new token is tried at once when the user returns.
  private func open() {
    store.open()
    if isTokenNew, store.state.failure?.isAboutToken == true { store.send(.retry) }
    triedTokens = model.tokensSet
  }

  private func retry() {
    triedTokens = model.tokensSet
    store.send(.retry)
  }
}

/// Remedies after a failure: the token is in the settings, since the same one would be rejected
/// again; another product is in the list.
struct ProductRemedies: View {
  let failure: ProductFailure
  let isTokenNew: Bool
  let retry: () -> Void
  @EnvironmentObject private var model: AppModel

  var body: some View {
    if failure.isAboutToken {
      Button("Open settings") { model.router.tab = .settings }
      if isTokenNew { Button("Retry") { retry() } }
    } else if failure.canRetry {
      Button("Retry") { retry() }
    } else {
      Button("Choose another product") { model.router.products = [] }
    }
  }
}

/// Why there is no product to show (PD7).
struct ProductFailureView: View {
  let failure: ProductFailure
  let isTokenNew: Bool
  let retry: () -> Void
  @Environment(\.locale) private var locale

  var body: some View {
    ContentUnavailableView {
      Label("No product", systemImage: "exclamationmark.triangle")
    } description: {
      Text(locale.text(failure.userMessage))
    } actions: {
      ProductRemedies(failure: failure, isTokenNew: isTokenNew, retry: retry)
    }
  }
}

struct ProductDetailsView: View {
  let details: ProductState.Details
  let state: ProductState
  let isTokenNew: Bool
  let now: ClockReading
  let flash: Direction?
  let notice: ConnectionNotice?
  let follow: (ConnectionNotice.Remedy) -> Void
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
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("Price")
        .accessibilityValue(
          locale.text(
            PriceLabel.spoken(
              price(details.price), isKnown: true, details.direction, state.freshness.state)))
        if let percent = details.percent {
          TwoEnds(alignment: .firstTextBaseline) {
            Text("Since the close")
          } trailing: {
            Text(model.numbers.percent(percent, locale: locale))
              .monospacedDigit()
              .foregroundStyle(Palette(colorScheme).color(of: trend(percent)))
          }
          .opacity(state.freshness.state.isDimmed ? 0.5 : 1)
          .accessibilityElement(children: .combine)
        }
        FactRow(name: "Previous close", value: price(details.closing))
        FreshnessLine(freshness: state.freshness, now: now)
        NoticeView(notice: notice, follow: follow)
      }
      .textCase(nil)
      if let failure = state.failure {
        Section("The product could not be loaded again") {
          Text(locale.text(failure.userMessage))
          ProductRemedies(failure: failure, isTokenNew: isTokenNew, retry: retry)
        }
        .textCase(nil)
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
