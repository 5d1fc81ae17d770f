import MarketModel
import MarketStreams
import NIOConcurrencyHelpers
import VenueCatalogue

/// The latest values of a watched instrument, written by the feed's thread and read by the printer.
final class WatchedInstrument: Sendable {
  private struct State {
    var report: MarketReport
    var connection: ConnectionStatus?
    var lastReason: String?
    var isUnlisted = false
  }

  private let state: NIOLockedValueBox<State>
  private let instrument: InstrumentName

  init(_ instrument: InstrumentName) {
    var report = MarketReport(
      symbol: instrument.symbol, decimals: instrument.venue.descriptor.priceDecimals)
    report.link = VenueLink(instrument.venue)
    state = NIOLockedValueBox(State(report: report))
    self.instrument = instrument
  }

  var report: MarketReport { state.withLockedValue { $0.report } }

  var connection: ConnectionStatus? { state.withLockedValue { $0.connection } }

  /// The failure if the venue has no such instrument; nil while it may have.
  var absence: CommandFailure? {
    state.withLockedValue { $0.isUnlisted } ? instrument.absence : nil
  }

  var isEmpty: Bool {
    let report = report
    return (report.book.map { $0.bidLevels + $0.askLevels } ?? 0) == 0
      && (report.tape?.trades.isEmpty ?? true) && report.quote?.price == nil
  }

  /// Why nothing was received, in one line.
  var failure: String {
    state.withLockedValue { state in
      let name = "\(instrument.venue):\(instrument.symbol)"
      if let reason = state.lastReason { return "\(name): \(reason)" }
      return "\(name): connected, but the venue sent nothing for this instrument"
    }
  }

  func countMessage() { state.withLockedValue { $0.report.messages += 1 } }

  func take(_ value: MarketValue) {
    state.withLockedValue { state in
      state.isUnlisted = state.isUnlisted || !value.isKnown
      switch value {
      case .book(let book): state.report.book = book
      case .trades(let tape): state.report.tape = tape
      case .quote(let quote): state.report.quote = quote
      case .figures, .listing: break
      }
    }
  }

  func take(_ status: ConnectionStatus) {
    state.withLockedValue { state in
      state.connection = status
      _ = state.report.link?.update(status)
      if let reason = status.reason { state.lastReason = reason.description }
      if status.phase == .live { state.lastReason = nil }
    }
  }
}
