public import MarketModel
import VenueCatalogue

/// Opens candle streams: those of the catalogue stay open, of others the observed and latest few.
public struct CandleStreams: Sendable {
  /// The most unobserved streams outside the catalogues.
  public static let maximumKept = 32

  private var streams: [InstrumentKey: CandleStream] = [:]
  /// Those outside the catalogues, the latest requested last.
  private var others: [InstrumentKey] = []
  private var watched: [InstrumentKey: Int] = [:]

  /// Creates an empty set.
  public init() {}

  /// The open streams, in a stable order.
  public var open: [InstrumentKey] {
    streams.keys.sorted { ($0.venue.rawValue, $0.symbol) < ($1.venue.rawValue, $1.symbol) }
  }

  /// An open stream.
  public subscript(instrument: InstrumentKey) -> CandleStream? { streams[instrument] }

  /// Opens a stream, or records another request for it; nil if there is no such instrument.
  ///
  /// Returns whether it was opened, and the streams closed for it. `origin` and `canAskHistory` are
  /// as for ``CandleStream``.
  public mutating func open(
    _ instrument: InstrumentKey, origin: DataOrigin, canAskHistory: Bool = true
  ) -> (isNew: Bool, closed: [InstrumentKey])? {
    let isNew = streams[instrument] == nil
    if isNew {
      guard let stream = CandleStream(instrument, origin: origin, canAskHistory: canAskHistory)
      else { return nil }
      streams[instrument] = stream
    }
    guard !CandleStreams.isInCatalogue(instrument) else { return (isNew, []) }
    others.removeAll { $0 == instrument }
    others.append(instrument)
    return (isNew, trim(except: instrument))
  }

  private mutating func trim(except instrument: InstrumentKey? = nil) -> [InstrumentKey] {
    let excess = others.count - CandleStreams.maximumKept
    guard excess > 0 else { return [] }
    let closed = Array(others.filter { $0 != instrument && watched[$0] == nil }.prefix(excess))
    others.removeAll(where: Set(closed).contains)
    for instrument in closed { streams[instrument] = nil }
    return closed
  }

  /// Whether an instrument's stream stays open once opened.
  public static func isInCatalogue(_ instrument: InstrumentKey) -> Bool {
    instrument == InstrumentKey(.exchange, ExchangeCatalogue.symbol)
      || instrument.venue.descriptor.books.contains { $0.symbol == instrument.symbol }
  }

  /// Whether a venue's instruments have candles: those with trades, and the exchange's.
  public static func hasCandles(_ venue: Venue) -> Bool {
    venue == .exchange || !venue.descriptor.books.isEmpty
  }

  /// Counts an observer, which keeps the stream open.
  public mutating func watch(_ instrument: InstrumentKey) { watched[instrument, default: 0] += 1 }

  /// Removes an observer; returns the streams closed because too many are unobserved.
  public mutating func unwatch(_ instrument: InstrumentKey) -> [InstrumentKey] {
    guard let count = watched[instrument] else { return [] }
    watched[instrument] = count > 1 ? count - 1 : nil
    return count > 1 ? [] : trim()
  }

  /// Changes a stream in place; nil if it is not open.
  public mutating func update<Value>(
    _ instrument: InstrumentKey, _ body: (inout CandleStream) -> Value
  ) -> Value? {
    // Removed and reinserted, so that its candles are not copied.
    guard var stream = streams.removeValue(forKey: instrument) else { return nil }
    let value = body(&stream)
    streams[instrument] = stream
    return value
  }
}
