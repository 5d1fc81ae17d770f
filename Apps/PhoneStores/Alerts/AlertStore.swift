import AppState
package import Combine
package import FeedConnections
package import Foundation
package import MarketModel
import MarketStreams
package import PriceAlerts
import VenueCatalogue

/// The user's alerts, watched while the app runs and stored on the device.
///
/// No prices arrive while the app is suspended: an alert whose level was crossed meanwhile fires
/// on the first trade afterwards, and states since when none was received.
@MainActor package final class AlertStore: ObservableObject {
  /// The alerts and their firings.
  @Published package private(set) var book = AlertBook()
  /// Why they may not be stored; nil if they are.
  @Published package private(set) var problem: Sentence?
  /// The number of firings that the user has not seen in the list.
  @Published package private(set) var unread = 0
  /// Shows a firing outside the app.
  var notify: (_ title: String, _ text: String) -> Void = LocalNotice.post
  /// Requests the permission for that.
  var askPermission: () -> Void = LocalNotice.ask

  private let file: URL
  private let feeds: FeedClient
  private let numbers: NumberTexts
  private var isLoaded = false
  private var events: [InstrumentKey: FeedClient.Observation] = [:]
  /// Markets whose latest trades before the first event are still to be applied.
  private var beginnings: [InstrumentKey: FeedClient.Observation] = [:]
  /// Order books and best prices that alerts need.
  private var books: [InstrumentKey: FeedClient.Observation] = [:]
  private var clock: FeedClient.Observation?
  /// When times without events were last applied; at most once a second.
  private var advancedAt: MonotonicTime?
  private var statuses: [Venue: ConnectionPhase] = [:]
  private var connections: FeedClient.Observation?

  package init(folder: URL, feeds: FeedClient, numbers: NumberTexts) {
    file = folder.appendingPathComponent("alerts.json")
    (self.feeds, self.numbers) = (feeds, numbers)
  }

  // MARK: Opening and closing

  /// Reads the file at the first time, and follows the markets with alerts.
  package func open() {
    guard connections == nil else { return }
    if !isLoaded { load() }
    book.resume(at: feeds.now().wall)
    follow()
    connections = feeds.observeConnections { [weak self] in self?.take($0) }
  }

  /// Stops following and stores the alerts.
  package func close() {
    guard connections != nil else { return }
    (connections, clock, statuses) = (nil, nil, [:])
    (events, beginnings, books) = ([:], [:], [:])
    if !book.alerts.isEmpty { save() }
  }

  private func load() {
    isLoaded = true
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    do {
      let slice = [UInt8](try Data(contentsOf: file))[...]
      book = try AlertBook(decoding: slice.span)
    } catch {
      problem = "The stored alerts could not be read."
      // Kept, so that the next change does not replace what another version may read.
      try? FileManager.default.moveItem(
        at: file, to: file.deletingPathExtension().appendingPathExtension("unreadable.json"))
    }
  }

  private func save() {
    book.mark(at: feeds.now().wall)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(book.json).write(to: file, options: .atomic)
      problem = nil
    } catch {
      problem = "Alerts can’t be stored on this device. They last until the app ends."
    }
  }

  // MARK: Commands

  /// Applies a command; returns why that is impossible, or nil.
  package func perform(_ command: AlertCommand) -> AlertProblem? {
    do throws(AlertProblem) {
      try command.apply(to: &book, at: feeds.now().wall)
    } catch {
      return error
    }
    if case .add = command { askPermission() }
    follow()
    for (venue, phase) in statuses { judge(venue, phase, since: feeds.now().wall) }
    save()
    return nil
  }

  // MARK: Prices

  private func follow() {
    let followed = book.followed
    events = events.filter { followed.contains($0.key) }
    beginnings = beginnings.filter { followed.contains($0.key) }
    for instrument in followed where events[instrument] == nil {
      guard let key = CandleStream.key(of: instrument) else { continue }
      events[instrument] = feeds.observeEvents([key]) { [weak self] _, event in
        self?.take(event, of: instrument)
      }
      beginnings[instrument] = feeds.observe(key) { [weak self] in
        self?.begin(with: $0, of: instrument)
      }
    }
    followBooks()
  }

  /// A book counts as invalid until its first value.
  private func followBooks() {
    clock = book.needsClock ? clock ?? feeds.observeTime { [weak self] in self?.advance() } : nil
    let followed = book.followedBooks
    books = books.filter { followed.contains($0.key) }
    for instrument in followed where books[instrument] == nil {
      guard let key = AlertBookState.key(of: instrument) else { continue }
      _ = book.receive(.invalid, of: instrument, at: feeds.now().wall)
      books[instrument] = feeds.observe(key) { [weak self] value in
        guard let self, let state = AlertBookState(value) else { return }
        finish(book.receive(state, of: instrument, at: feeds.now().wall))
      }
    }
  }

  private func advance() {
    let now = feeds.now()
    if let advancedAt, now.monotonic.milliseconds(since: advancedAt) < 1000 { return }
    advancedAt = now.monotonic
    finish(book.advance(to: now.wall))
  }

  private func begin(with value: MarketValue, of instrument: InstrumentKey) {
    let now = feeds.now().wall
    switch value {
    case .trades(let tape) where !tape.trades.isEmpty:
      finish(book.receive(tape, of: instrument, at: now))
    case .quote(let quote):
      guard let last = quote.price else { return }
      finish(book.receive(AlertTrade(last: last, at: now), of: instrument, at: now))
    default: return
    }
    beginnings[instrument] = nil
  }

  private func take(_ event: MarketEvent, of instrument: InstrumentKey) {
    let now = feeds.now().wall
    switch event {
    case .trade(let trade, let scale, let sizes):
      finish(
        book.receive(AlertTrade(trade, scale: scale, sizes: sizes), of: instrument, at: now))
    case .tick(let tick, let number):
      finish(
        book.receive(AlertTrade(tick, number: number, at: now), of: instrument, at: now))
    case .missed, .unreadable:
      book.lose(instrument, since: now)
      book.see(instrument, at: now)
    }
  }

  private func finish(_ firings: [AlertFiring]) {
    guard !firings.isEmpty else { return }
    follow()
    save()
    unread += firings.count
    let locale = Locale.current
    for firing in firings {
      notify(firing.title, locale.text(firing.text { numbers.amount($0, locale: locale) }))
    }
  }

  /// Marks all firings as seen.
  package func markRead() { unread = 0 }

  private func take(_ status: ConnectionStatus) {
    let before = statuses.updateValue(status.phase, forKey: status.venue)
    guard before != status.phase else { return }
    let now = feeds.now().wall
    judge(status.venue, status.phase, since: min(status.lastMessage?.wall ?? now, now))
  }

  private func judge(_ venue: Venue, _ phase: ConnectionPhase, since: Timestamp) {
    for instrument in book.followed where instrument.venue == venue {
      switch phase {
      case .live: book.see(instrument, at: feeds.now().wall)
      case .stale: break
      default: book.lose(instrument, since: since)
      }
    }
  }
}

extension AlertFiring {
  /// "BTC/USD · Kraken".
  package var title: String { "\(instrument.symbol) · \(instrument.venue.displayName)" }

  /// A sentence, such as "Fell to 64,100, through 64,150".
  package func text(_ number: (FixedDecimal) -> String) -> Sentence {
    let value = number(value)
    let limit = condition.level.map(number) ?? ""
    let minutes = (condition.seconds ?? 0) / 60
    let text: Sentence =
      switch condition {
      case .price where from == .below: "Rose to \(value), through \(limit)."
      case .price: "Fell to \(value), through \(limit)."
      case .change: "Changed by \(value + "%") within \(minutes) min; alert at \(limit + "%")."
      case .spread: "The spread was \(value) bp; alert at \(limit) bp."
      case .volume: "\(value) traded within \(minutes) min; alert at \(limit)."
      case .invalidBook: "No valid order book for \(value) s."
      }
    let missed: Sentence =
      condition.kind == .price
      ? "It may have crossed the level earlier." : "Data was missed before."
    return blindSince == nil ? text : Sentence(joining: [text, missed])
  }
}

extension AlertCondition {
  /// "Fall of 5% within 15 min"; nil for a price.
  package func text(_ number: (FixedDecimal) -> String) -> Sentence? {
    let minutes = (seconds ?? 0) / 60
    switch self {
    case .price: return nil
    case .change(let percent, _) where percent.units < 0:
      let fall = number(FixedDecimal(units: -percent.units, scale: percent.scale))
      return "Fall of \(fall)% within \(minutes) min"
    case .change(let percent, _): return "Rise of \(number(percent))% within \(minutes) min"
    case .spread(let level): return "Spread of \(number(level)) bp or more"
    case .volume(let level, _):
      return "Volume of \(number(level)) or more within \(minutes) min"
    case .invalidBook(let seconds): return "No valid order book for \(seconds) s"
    }
  }
}
