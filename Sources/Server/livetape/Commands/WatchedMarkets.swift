import AppState
import MarketModel
import NIOConcurrencyHelpers
import VenueCatalogue

/// The latest values of watched instruments in print order, written by the feed's thread and read
/// by the printer.
final class WatchedMarkets: Sendable {
  private struct State {
    var lines: [MarketLine]
    var screens: [FiguresScreen?]
    /// The last failure of each venue's connection.
    var reasons: [Venue: String] = [:]
  }

  private let state: NIOLockedValueBox<State>
  private let places: [InstrumentKey: Int]

  init(_ instruments: [InstrumentKey]) {
    places = Dictionary(uniqueKeysWithValues: instruments.enumerated().map { ($1, $0) })
    state = NIOLockedValueBox(
      State(
        lines: instruments.map { MarketLine(instrument: $0) },
        screens: instruments.map { instrument in
          instrument.venue.descriptor.statesFigures ? FiguresScreen(instrument) : nil
        }))
  }

  /// The streams of a line: the figures if the venue publishes them, otherwise its last price.
  static func keys(of instrument: InstrumentKey) -> [MarketKey] {
    let channels: [Channel] =
      instrument.venue.descriptor.statesFigures ? [.figures] : [.quote, .trades]
    return channels.map { MarketKey(instrument.venue, $0, instrument.symbol) }
  }

  var lines: [MarketLine] { state.withLockedValue { $0.lines } }

  /// Why nothing was received, in one line; nil if anything was.
  var failure: String? {
    state.withLockedValue { state in
      guard state.lines.allSatisfy({ $0.last == nil }) else { return nil }
      guard let (venue, reason) = state.reasons.min(by: { $0.key.rawValue < $1.key.rawValue })
      else { return "connected, but the venues sent nothing for these instruments" }
      return "\(venue): \(reason)"
    }
  }

  /// The failure of the first selected line whose venue lacks the instrument; nil while all may
  /// exist.
  func absence(_ isMeant: (InstrumentKey) -> Bool) -> CommandFailure? {
    let line = lines.first { !$0.isListed && isMeant($0.instrument) }
    return line.map { InstrumentName($0.instrument.venue, $0.instrument.symbol).absence }
  }

  /// The failure once no line can receive anything.
  var absenceOfAll: CommandFailure? {
    lines.contains { $0.isListed } ? nil : absence { _ in true }
  }

  func note(_ reason: String, of venue: Venue) {
    state.withLockedValue { state in
      state.reasons[venue] = reason
      for index in state.lines.indices where state.lines[index].instrument.venue == venue {
        state.lines[index].freshness = .waiting(.venue).changed(to: .disconnected)
      }
    }
  }

  func take(_ key: MarketKey, _ value: MarketValue, at now: ClockReading) {
    guard let place = places[InstrumentKey(key.venue, key.subscription.symbol)] else { return }
    state.withLockedValue { state in
      if !value.isKnown { state.lines[place].isListed = false }
      switch value {
      case .quote(let quote): state.lines[place].take(quote)
      case .trades(let tape): state.lines[place].take(tape)
      case .figures:
        _ = state.screens[place]?.receive(.value(key, value), at: now)
        if let screen = state.screens[place]?.state { state.lines[place].take(screen) }
      default: break
      }
    }
  }

  func take(_ status: ConnectionStatus, at now: ClockReading) {
    state.withLockedValue { state in
      if let reason = status.reason { state.reasons[status.venue] = reason.description }
      if status.phase == .live { state.reasons[status.venue] = nil }
      for place in state.lines.indices
      where state.lines[place].instrument.venue == status.venue {
        guard state.screens[place] != nil else { continue }
        _ = state.screens[place]?.receive(.connection(status), at: now)
        if let screen = state.screens[place]?.state { state.lines[place].take(screen) }
      }
    }
  }
}
