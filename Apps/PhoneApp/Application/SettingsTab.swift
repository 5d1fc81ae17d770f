// The settings: markets, theme (PT7), review before orders (EX3), access token (PD9) and
// connections.

import AppState
import FeedConnections
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

struct SettingsTab: View {
  @ObservedObject private var model: AppModel
  @Environment(\.locale) private var locale
  @StateObject private var connections: ScreenStore<StatusScreen>

  init(model: AppModel) {
    self.model = model
    _connections = StateObject(
      wrappedValue: ScreenStore(StatusScreen(venues: model.scope.venues), feeds: model.feeds))
  }

  var body: some View {
    NavigationStack {
      Form {
        ConnectionsSection(store: connections)
        if let session = model.session {
          Section {
            NavigationLink {
              MarketForm(session: session)
            } label: {
              LabeledContent {
                Text(session.choice.map { locale.text($0.source.name) } ?? "")
              } label: {
                Text("Market data")
              }
            }
          }
        }
        Section("Appearance") {
          Picker("Theme", selection: $model.theme) {
            Text("System").tag(Theme.system)
            Text("Light").tag(Theme.light)
            Text("Dark").tag(Theme.dark)
          }
        }
        .textCase(nil)
        Section("Orders") {
          Toggle("Review before placing", isOn: $model.reviewsOrders)
          Toggle("Include network latency", isOn: $model.measuresLatency)
        }
        .textCase(nil)
        TokenSection(model: model)
      }
      .whileInSight(open: connections.open, close: connections.close)
      .navigationTitle("Settings")
    }
  }
}

/// The access token can be replaced or removed, never read.
struct TokenSection: View {
  @ObservedObject var model: AppModel
  @State private var typed = ""
  @State private var answer: Sentence?
  @Environment(\.locale) private var locale

  var body: some View {
    Section("Access token for products") {
      SecureField("Access token", text: $typed)
      Button("Save token") { save(typed) }.disabled(typed.isEmpty)
      Button("Remove token", role: .destructive) { save(nil) }
      if let answer {
        Text(locale.text(answer)).foregroundStyle(.secondary)
      }
    }
    .textCase(nil)
  }

  private func save(_ token: String?) {
    answer = model.replaceToken(token)
    typed = ""
  }
}
