import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

/// Why prices are missing or have stopped, what happens next, and a button that helps; empty
/// without a notice.
struct NoticeView: View {
  let notice: ConnectionNotice?
  /// An addition where the app has no address of the venue.
  var hint: Sentence?
  let follow: (ConnectionNotice.Remedy) -> Void
  @Environment(\.locale) private var locale

  var body: some View {
    if let notice {
      TwoEnds {
        Label(locale.text(text(notice)), systemImage: "exclamationmark.triangle")
          .font(.footnote)
          .accessibilityIdentifier("notice")
      } trailing: {
        if let title = notice.remedy.title {
          Button(locale.text(title)) { follow(notice.remedy) }
            .buttonStyle(.bordered)
        }
      }
      .padding(.vertical, 4)
    }
  }

  private func text(_ notice: ConnectionNotice) -> Sentence {
    guard notice.remedy == .setUp, let hint else { return notice.text }
    return Sentence(joining: [notice.text, hint])
  }
}

/// A pending request with its time limit, not only a spinner.
struct PatienceView: View {
  /// The party whose response is pending.
  let name: String
  /// The time limit, in seconds.
  let limit: Int
  let now: ClockReading
  @State private var since: ClockReading?
  @Environment(\.locale) private var locale

  var body: some View {
    VStack(spacing: 12) {
      ProgressView("Loading…")
      if waited >= 2 {
        Text(
          locale.text("\(name) has not answered for \(waited) s. After \(limit) s the wait ends.")
        )
        .font(.footnote)
        .foregroundStyle(.secondary)
        .multilineTextAlignment(.center)
      }
    }
    .padding()
    .onAppear { since = now }
  }

  private var waited: Int {
    since.map { Int(now.monotonic.milliseconds(since: $0.monotonic) / 1000) } ?? 0
  }
}
