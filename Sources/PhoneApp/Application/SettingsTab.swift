// What the person can set: light or dark (PT7), a review before orders (EX3), and
// the access token (PD9).

import Foundation
import SwiftUI

/// The settings.
struct SettingsTab: View {
  @ObservedObject var model: AppModel

  var body: some View {
    NavigationStack {
      Form {
        Section("Appearance") {
          Picker("Theme", selection: $model.theme) {
            Text("System").tag(Theme.system)
            Text("Light").tag(Theme.light)
            Text("Dark").tag(Theme.dark)
          }
        }
        Section("Orders") {
          Toggle("Review before placing", isOn: $model.reviewsOrders)
        }
        TokenSection(model: model)
      }
      .navigationTitle("Settings")
    }
  }
}

/// The access token: it can be replaced or removed, never read.
struct TokenSection: View {
  @ObservedObject var model: AppModel
  @State private var typed = ""
  @State private var answer: String?

  var body: some View {
    Section("Access token for products") {
      SecureField("Access token", text: $typed)
      Button("Save token") { save(typed) }.disabled(typed.isEmpty)
      Button("Remove token", role: .destructive) { save(nil) }
      if let answer {
        Text(answer).foregroundStyle(.secondary)
      }
    }
  }

  private func save(_ token: String?) {
    answer = model.replaceToken(token)
    typed = ""
  }
}
