// PT3: the state of a connection in one word, with a mark that differs by more than its colour.

import AppState
import Foundation
import PhoneStores
import SwiftUI

struct ConnectionBadge: View {
  let word: ConnectionIndicator
  @Environment(\.locale) private var locale
  @Environment(\.colorScheme) private var colorScheme

  var body: some View {
    HStack(spacing: 4) {
      Text(mark).foregroundStyle(color)
      Text(locale.text(word.name)).font(.footnote)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("Connection")
    .accessibilityValue(locale.text(word.name))
  }

  private var mark: String { word == .connecting ? "○" : "●" }

  private var color: Color {
    let palette = Palette(colorScheme)
    switch word {
    case .connected: return palette.rise
    case .connecting: return Color.secondary
    case .disconnected: return palette.fall
    }
  }
}
