import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// A headline's instrument and how its numbers are written.
struct HeadlineSubject {
  let name: String
  /// The unit of volumes, where it has to be shown.
  var unit: Sentence = ""
  /// Currency and decimals of prices; nil to write them as they are.
  var money: (currency: String, decimals: Scale)?
  /// Whether the price is shown; false where it is shown beside the headline.
  var hasPrice = true
}

/// An instrument's last price and day figures, with their freshness where they are not live.
struct Headline: View {
  let subject: HeadlineSubject
  /// The freshness that is shown beside it already; nil for none.
  var said: Freshness?
  @StateObject private var store: ScreenStore<FiguresScreen>
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.timeZone) private var zone
  @Environment(\.verticalSizeClass) private var verticalSizeClass
  @Environment(\.horizontalSizeClass) private var horizontalSizeClass
  @Environment(\.dynamicTypeSize) private var typeSize

  init(
    _ subject: HeadlineSubject, screen: FiguresScreen, feeds: FeedClient, said: Freshness? = nil
  ) {
    self.subject = subject
    self.said = said
    _store = StateObject(wrappedValue: ScreenStore(screen, feeds: feeds))
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      figures
      if let note {
        Text(locale.text(note)).font(.footnote).foregroundStyle(.secondary)
          .accessibilityAddTraits(.updatesFrequently)
      }
    }
    .whileInSight(open: store.open, close: store.close)
    .padding(.horizontal, 12)
  }

  @ViewBuilder private var figures: some View {
    if subject.hasPrice, isWide {
      HStack(alignment: .firstTextBaseline, spacing: 16) {
        price
        row(with: change)
      }
    } else if subject.hasPrice {
      TwoEnds(alignment: .firstTextBaseline) {
        price
      } trailing: {
        if let change {
          FigureView(figure: change, movement: state.movement, isAtEnd: true)
            .opacity(opacity)
        }
      }
      row(with: nil)
    } else {
      row(with: change)
    }
  }

  private func row(with change: FigureText?) -> some View {
    FigureRow(change: change, figures: texts.range(state), movement: state.movement)
      .opacity(opacity)
  }

  private var price: some View {
    PriceLabel(text: priceText, direction: direction, freshness: freshness.state)
      .font(.title2)
      .padding(.horizontal, 4)
      .flash(store.flashes[.price(state.instrument.symbol.text)])
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(locale.text("Last price of \(subject.name)"))
      .accessibilityValue(
        locale.text(
          PriceLabel.spoken(
            priceText, isKnown: state.figures?.last != nil, direction, freshness.state)))
  }

  private var direction: Direction { state.figures?.direction ?? .unchanged }

  private var opacity: Double { freshness.state.isDimmed ? 0.5 : 1 }

  private var state: FiguresState { store.state }

  private var freshness: Freshness { state.freshness }

  /// Whether everything fits in one line.
  private var isWide: Bool {
    ScreenShape(horizontal: horizontalSizeClass, vertical: verticalSizeClass, type: typeSize)
      == .beside
  }

  private var change: FigureText? { texts.change(state) }

  private var priceText: String { state.figures?.last.map(written) ?? "–" }

  private var texts: FigureTexts {
    FigureTexts(
      numbers: model.numbers, locale: locale, zone: zone, now: store.now.wall, price: written,
      unit: subject.unit)
  }

  private func written(_ price: FixedDecimal) -> String {
    guard let money = subject.money else { return model.numbers.amount(price, locale: locale) }
    return model.numbers.price(
      price, currency: money.currency, decimals: money.decimals, locale: locale)
  }

  /// The freshness, unless the figures are live and recent or it is shown already.
  private var note: Sentence? {
    guard let age = texts.age(state, at: store.now) else { return nil }
    if freshness.state == .live { return "Figures of \(age)" }
    return said?.saysTheSame(as: freshness) == true ? nil : "Figures: \(age)"
  }
}

/// Figures in a row; with very large text the row scrolls.
struct FigureRow: View {
  let change: FigureText?
  let figures: [FigureText]
  let movement: Direction
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    if change != nil || !figures.isEmpty {
      if typeSize.isAccessibilitySize {
        ScrollView(.horizontal) { columns }
      } else {
        columns
      }
    }
  }

  private var columns: some View {
    HStack(alignment: .firstTextBaseline, spacing: 12) {
      if let change { FigureView(figure: change, movement: movement) }
      ForEach(figures) { FigureView(figure: $0) }
    }
  }
}

struct FigureView: View {
  let figure: FigureText
  /// The direction of a change, for its colour; nil for other figures.
  var movement: Direction?
  var isAtEnd = false
  @Environment(\.colorScheme) private var colorScheme

  var body: some View {
    VStack(alignment: isAtEnd ? .trailing : .leading, spacing: 0) {
      if isAtEnd {
        number.font(.subheadline)
        name
      } else {
        name
        number.font(.caption)
      }
    }
    .lineLimit(1)
    .minimumScaleFactor(0.6)
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(figure.name)
    .accessibilityValue(figure.spoken)
  }

  private var name: some View {
    Text(figure.name).font(.caption2).foregroundStyle(.secondary)
  }

  private var number: some View {
    Text(figure.text)
      .monospacedDigit()
      .foregroundStyle(movement.map(Palette(colorScheme).color) ?? Color.primary)
  }
}
