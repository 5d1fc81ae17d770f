// The truth of all instruments that pages look at, or have looked at.

import MarketModel
import MarketStreams

/// Keeps one record for each instrument.
struct TruthBoard: Equatable, Sendable {
  /// The most instruments; the one that changed longest ago goes first.
  static let maximumInstruments = 128

  private(set) var records: [InstrumentKey: TruthRecord] = [:]

  /// Notes a level; whether that is new.
  mutating func note(
    _ level: TruthLevel, of instrument: InstrumentKey, cause: String?, at now: Int64
  ) -> Bool {
    if records[instrument] == nil {
      // What nobody looks at needs no record.
      if level == .unwatched { return false }
      makeRoom()
    }
    return records[instrument, default: TruthRecord()].note(level, cause: cause, at: now)
  }

  private mutating func makeRoom() {
    guard records.count >= TruthBoard.maximumInstruments else { return }
    let oldest = records.min { one, other in
      (one.value.spans.last?.since ?? 0, one.key.text)
        < (other.value.spans.last?.since ?? 0, other.key.text)
    }
    if let oldest { records[oldest.key] = nil }
  }
}
