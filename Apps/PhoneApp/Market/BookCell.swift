import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// OB3, OB4: one level of one side.
///
/// Bids have the price at the right, asks at the left, so that the best prices meet in the middle;
/// bars grow outwards.
struct BookCell: View {
  let row: BookRowState?
  let side: Side
  let place: Int
  let inBase: Bool
  let freshness: FreshnessState
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.dynamicTypeSize) private var typeSize
  @ScaledMetric private var lineHeight: CGFloat = 24

  var body: some View {
    words
      .monospacedDigit()
      .lineLimit(1)
      .minimumScaleFactor(0.6)
      .padding(.horizontal, 8)
      .frame(height: typeSize.isAccessibilitySize ? 2 * lineHeight : lineHeight)
      .background {
        BookBar(thousandths: row?.barThousandths ?? 0, side: side, color: color)
          .accessibilityIdentifier("bar \(side == .buy ? "bid" : "ask") \(place)")
      }
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(locale.text(sentence))
  }

  /// Very large figures are stacked, since a truncated price would look like another price.
  @ViewBuilder private var words: some View {
    if typeSize.isAccessibilitySize {
      VStack(alignment: side == .buy ? .trailing : .leading, spacing: 0) {
        Text(price).foregroundStyle(color)
        Text(size)
      }
      .frame(maxWidth: .infinity, alignment: side == .buy ? .trailing : .leading)
    } else {
      HStack {
        if side == .buy {
          Text(size)
          Spacer()
          Text(price).foregroundStyle(color)
        } else {
          Text(price).foregroundStyle(color)
          Spacer()
          Text(size)
        }
      }
    }
  }

  private var color: Color {
    Palette(colorScheme).color(of: side == .buy ? .up : .down)
  }

  private var price: String {
    row.map { model.numbers.amount($0.price, locale: locale) } ?? ""
  }

  private var size: String {
    guard let row else { return "" }
    return model.numbers.amount(inBase ? row.sizeInBase ?? row.size : row.size, locale: locale)
  }

  private var sentence: Sentence {
    guard row != nil else { return "no level" }
    let level: Sentence =
      side == .buy ? "Bid \(price), quantity \(size)" : "Ask \(price), quantity \(size)"
    return freshness.isDimmed ? "\(level), \(freshness.phrase)" : level
  }
}

/// A level's bar: its share of the largest cumulative size on screen.
struct BookBar: View {
  let thousandths: Int
  let side: Side
  let color: Color

  var body: some View {
    GeometryReader { proxy in
      HStack(spacing: 0) {
        if side == .buy { Spacer(minLength: 0) }
        Rectangle()
          .fill(color.opacity(0.2))
          .frame(width: proxy.size.width * Double(thousandths) / 1000)
        if side == .sell { Spacer(minLength: 0) }
      }
    }
    .accessibilityHidden(true)
  }
}
