// UX "connection": each venue's state and its age, last message, losses, next attempt, and Retry.

import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

struct ConnectionsSection: View {
  @ObservedObject var store: ScreenStore<StatusScreen>

  var body: some View {
    Section("Connections") {
      ForEach(store.state.order, id: \.self) { venue in
        if let state = store.state.venues[venue] {
          ConnectionRow(state: state, now: store.now) { store.send(.retry(venue)) }
        }
      }
      if store.state.venues.isEmpty {
        Text("No venue has an address in this app.").foregroundStyle(.secondary)
      }
    }
    .textCase(nil)
  }
}

struct ConnectionRow: View {
  let state: VenueState
  let now: ClockReading
  let retry: () -> Void
  @Environment(\.locale) private var locale

  var body: some View {
    TwoEnds(alignment: .top) {
      VStack(alignment: .leading, spacing: 2) {
        TwoEnds {
          Text(state.name).font(.headline)
        } trailing: {
          ConnectionBadge(word: ConnectionIndicator(state.phase))
        }
        Text(ConnectionFacts(state, at: now.wall).texts.map(locale.text).joined(separator: " · "))
          .font(.footnote)
          .foregroundStyle(.secondary)
          .monospacedDigit()
        if !state.connected, let reason = state.reason {
          Text(locale.text(reason)).font(.footnote)
        }
      }
      .accessibilityElement(children: .combine)
    } trailing: {
      if state.phase.isOutage {
        Button("Retry now") { retry() }
          .buttonStyle(.bordered)
          .accessibilityLabel(locale.text("Retry \(state.name) now"))
      }
    }
  }
}

struct ConnectionFacts {
  let texts: [Sentence]

  /// Leaves out what is unknown or zero.
  init(_ state: VenueState, at now: Timestamp) {
    var facts = [Sentence(key: state.phase.word)]
    if let age = state.since.flatMap({ ConnectionFacts.age($0, now) }) {
      facts.append("for \(age)")
    }
    if let last = state.lastMessage {
      let age = ConnectionFacts.age(last, now)
      facts.append(age.map { "last message \($0) ago" } ?? "last message just now")
    }
    if state.connected, let trip = state.roundTripMicroseconds {
      facts.append(trip < 1000 ? "\(trip) µs" : "\((trip + 500) / 1000) ms")
    }
    if let delay = state.delayMilliseconds {
      facts.append("slow: what it says may be \((delay + 500) / 1000) s old")
    }
    func add(_ count: Int, _ one: Sentence, _ several: Sentence) {
      if count > 0 { facts.append(count == 1 ? one : several) }
    }
    add(state.reconnects, "1 reconnect", "\(state.reconnects) reconnects")
    add(state.resyncs, "1 resync", "\(state.resyncs) resyncs")
    add(state.rejected, "1 rejected message", "\(state.rejected) rejected messages")
    if let next = state.nextAttempt {
      let seconds = max(0, next.milliseconds - now.milliseconds + 999) / 1000
      facts.append(seconds == 0 ? "next try now" : "next try in \(seconds) s")
    }
    if let note = state.origin.note { facts.append(note) }
    texts = facts
  }

  /// Nil for less than a second.
  private static func age(_ earlier: Timestamp, _ now: Timestamp) -> Sentence? {
    let seconds = max(0, now.milliseconds - earlier.milliseconds) / 1000
    return seconds < 1 ? nil : AgeText.length(seconds: seconds)
  }
}
