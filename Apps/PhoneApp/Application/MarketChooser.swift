import AppState
import FeedConnections
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// The first launch: the user chooses where prices come from.
struct MarketChooser: View {
  let session: AppSession

  var body: some View {
    NavigationStack {
      List {
        Section("Where should prices come from?") {
          Button {
            session.use(MarketChoice(.builtIn))
          } label: {
            SourceLabel(source: .builtIn)
          }
          Button {
            session.use(MarketChoice(.venues))
          } label: {
            SourceLabel(source: .venues)
          }
          NavigationLink {
            MarketForm(session: session)
          } label: {
            SourceLabel(source: .server)
          }
        }
        .textCase(nil)
        Section {
          Text("You can change this in Settings.").foregroundStyle(.secondary)
        }
      }
      .navigationTitle("Livetape")
    }
  }
}

private struct SourceLabel: View {
  let source: MarketChoice.Source
  @Environment(\.locale) private var locale

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      Text(locale.text(source.name)).font(.headline)
      // An explicit colour: "secondary" alone would take the tint in a button.
      Text(locale.text(source.explanation)).font(.footnote).foregroundStyle(Color.secondary)
    }
  }
}

/// The source of prices and the addresses of its venues.
struct MarketForm: View {
  let session: AppSession
  @State private var draft = MarketChoice(.server)
  @State private var problem: Sentence?
  @Environment(\.locale) private var locale

  var body: some View {
    Form {
      Section {
        Picker("Prices from", selection: $draft.source) {
          ForEach(MarketChoice.Source.allCases, id: \.self) {
            Text(locale.text($0.name)).tag($0)
          }
        }
        if draft.source == .server {
          TextField(
            "Server address", text: $draft.server, prompt: Text(verbatim: "http://192.168.1.2:8090")
          )
          .typedAsItIs()
        }
      }
      if draft.source != .builtIn {
        Section("Addresses, where they differ") {
          ForEach(session.scope.venues, id: \.self) { venue in
            LabeledContent {
              TextField("Default", text: $draft[venue])
                .typedAsItIs()
                .multilineTextAlignment(.trailing)
                .accessibilityLabel(locale.text("\(venue.displayName) address"))
            } label: {
              Text(venue.displayName)
            }
          }
        }
        .textCase(nil)
      }
      Section {
        Button("Use these markets") { use() }
        if let problem { Text(locale.text(problem)).foregroundStyle(.secondary) }
      }
    }
    .navigationTitle("Market data")
    .onAppear { if let choice = session.choice { draft = choice } }
  }

  private func use() {
    problem = draft.problem(of: session.scope.venues)?.sentence
    if problem == nil { session.use(draft) }
  }
}
