import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// The exchange's price and best bid and ask; a tap puts a price into the ticket.
struct ExchangeHeader: View {
  let state: ExchangeState
  let now: ClockReading
  let flash: Direction?
  let notice: ConnectionNotice?
  let follow: (ConnectionNotice.Remedy) -> Void
  let take: (FixedDecimal) -> Void
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      quote
      // On a line of its own, since an age makes it long.
      FreshnessLine(freshness: state.freshness, now: now)
      NoticeView(
        notice: notice, hint: "Enter it in Settings, or choose the built-in market there.",
        follow: follow)
    }
    .padding(.horizontal, 12)
  }

  private var quote: some View {
    TwoEnds(alignment: .top) {
      VStack(alignment: .leading, spacing: 2) {
        Text(verbatim: "\(state.symbol) · \(ExchangeCatalogue.name)")
          .font(.caption)
          .foregroundStyle(.secondary)
        PriceLabel(
          text: price, direction: state.direction, freshness: state.freshness.state
        )
        .font(.title2)
        .padding(.horizontal, 4)
        .flash(flash)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("Price")
        .accessibilityValue(locale.text(spokenPrice))
      }
    } trailing: {
      HStack(alignment: .top) {
        BestPriceButton(
          name: "Best buy", side: .buy, price: state.bid, size: state.bidSize, state: state,
          take: take)
        BestPriceButton(
          name: "Best sell", side: .sell, price: state.ask, size: state.askSize, state: state,
          take: take)
      }
    }
  }

  private var price: String {
    model.numbers.price(
      state.price, currency: state.currency, decimals: state.decimals, locale: locale)
  }

  private var spokenPrice: Sentence {
    PriceLabel.spoken(
      price, isKnown: state.price != nil, state.direction, state.freshness.state)
  }
}

struct BestPriceButton: View {
  let name: Sentence
  let side: Side
  let price: FixedDecimal?
  let size: Quantity?
  let state: ExchangeState
  let take: (FixedDecimal) -> Void
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.colorScheme) private var colorScheme

  var body: some View {
    Button {
      if let price { take(price) }
    } label: {
      VStack(alignment: .trailing, spacing: 2) {
        // Explicit colours: "primary" or "secondary" alone would take the tint in a button.
        Text(locale.text(name)).font(.caption).foregroundStyle(Color.secondary)
        Text(priceText)
          .monospacedDigit()
          .lineLimit(1)
          .minimumScaleFactor(0.5)
          .foregroundStyle(Palette(colorScheme).color(of: side == .buy ? .up : .down))
        Text(locale.text("Quantity \(sizeText)"))
          .font(.caption)
          .monospacedDigit()
          .lineLimit(1)
          .minimumScaleFactor(0.5)
          .foregroundStyle(Color.primary)
      }
      .frame(minWidth: 72, minHeight: 44, alignment: .trailing)
      .opacity(state.freshness.state.isDimmed ? 0.5 : 1)
    }
    .buttonStyle(.borderless)
    .disabled(price == nil)
    .accessibilityLabel(locale.text(sentence))
  }

  private var sentence: Sentence {
    guard price != nil else { return "\(name): none" }
    let freshness = state.freshness.state
    let level: Sentence = "\(name) \(priceText), quantity \(sizeText)"
    let shown: Sentence = freshness.isDimmed ? "\(level), \(freshness.phrase)" : level
    return "\(shown). Put the price into the ticket"
  }

  private var priceText: String {
    model.numbers.price(
      price, currency: state.currency, decimals: state.decimals, locale: locale)
  }

  private var sizeText: String {
    size.map { model.numbers.amount(FixedDecimal($0, scale: .whole), locale: locale) } ?? "–"
  }
}
