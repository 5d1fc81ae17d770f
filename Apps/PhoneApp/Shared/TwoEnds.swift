import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// EX8: two views at the ends of a line, or on two lines for very large text.
struct TwoEnds<Leading: View, Trailing: View>: View {
  private let alignment: VerticalAlignment
  private let leading: Leading
  private let trailing: Trailing
  @Environment(\.dynamicTypeSize) private var typeSize

  init(
    alignment: VerticalAlignment = .center, @ViewBuilder leading: () -> Leading,
    @ViewBuilder trailing: () -> Trailing
  ) {
    self.alignment = alignment
    self.leading = leading()
    self.trailing = trailing()
  }

  var body: some View {
    layout {
      leading
      if !typeSize.isAccessibilitySize { Spacer(minLength: 8) }
      trailing
    }
    .frame(maxWidth: .infinity, alignment: .leading)
  }

  private var layout: AnyLayout {
    typeSize.isAccessibilitySize
      ? AnyLayout(VStackLayout(alignment: .leading, spacing: 4))
      : AnyLayout(HStackLayout(alignment: alignment))
  }
}

struct FactRow: View {
  let name: Sentence
  let value: String
  @Environment(\.locale) private var locale

  var body: some View {
    TwoEnds(alignment: .firstTextBaseline) {
      Text(locale.text(name))
    } trailing: {
      Text(value).monospacedDigit().foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .combine)
  }
}
