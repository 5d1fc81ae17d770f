// The candle streams that are open: those of the catalogue for good, of all others those that are
// observed and the latest few, since a link can ask for any pair in the world.

public import MarketModel
import VenueCatalogue

/// Opens candle streams and bounds how many there are.
public struct CandleStreams: Sendable {
  /// How many streams beyond those of the catalogues stay open unobserved.
  public static let maximumKept = 32

  private var streams: [InstrumentKey: CandleStream] = [:]
  /// Those beyond the catalogues', the one that was asked for last at the end.
  private var others: [InstrumentKey] = []
  private var watched: [InstrumentKey: Int] = [:]

  /// Starts with nothing open.
  public init() {}

  /// The streams that are open, in a stable order.
  public var open: [InstrumentKey] {
    streams.keys.sorted { ($0.venue.rawValue, $0.symbol) < ($1.venue.rawValue, $1.symbol) }
  }

  /// A stream that is open.
  public subscript(instrument: InstrumentKey) -> CandleStream? { streams[instrument] }

  /// Opens a stream, or notes that it was asked for again.
  ///
  /// - Parameters:
  ///   - instrument: which.
  ///   - origin: where its values come from until the venue says it.
  ///   - canAskHistory: whether the venue's history can be asked here.
  /// - Returns: whether it was opened and what was closed for it; nil when there is no such
  ///   instrument.
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

  /// Closes the oldest unobserved streams beyond those that stay open.
  private mutating func trim(except instrument: InstrumentKey? = nil) -> [InstrumentKey] {
    let excess = others.count - CandleStreams.maximumKept
    guard excess > 0 else { return [] }
    let closed = Array(
      others.filter { $0 != instrument && watched[$0] == nil }.prefix(excess))
    others.removeAll(where: Set(closed).contains)
    for instrument in closed { streams[instrument] = nil }
    return closed
  }

  /// Whether an instrument's stream is never closed once it is open.
  public static func isInCatalogue(_ instrument: InstrumentKey) -> Bool {
    instrument.symbol == ExchangeCatalogue.symbol
      || BookCatalogue.instruments.contains { $0.symbol == instrument.symbol }
  }

  /// Whether a venue's instruments have candles at all: those with trades, and the exchange's.
  public static func hasCandles(_ venue: Venue) -> Bool {
    venue == .exchange || !venue.descriptor.books.isEmpty
  }

  /// Counts an observer: the stream stays open until as many have left.
  public mutating func watch(_ instrument: InstrumentKey) { watched[instrument, default: 0] += 1 }

  /// An observer has left.
  ///
  /// - Returns: the streams that were closed, since too many were open unobserved.
  public mutating func unwatch(_ instrument: InstrumentKey) -> [InstrumentKey] {
    guard let count = watched[instrument] else { return [] }
    watched[instrument] = count > 1 ? count - 1 : nil
    return count > 1 ? [] : trim()
  }

  /// Changes a stream in place; nil when it is not open.
  public mutating func update<Value>(
    _ instrument: InstrumentKey, _ body: (inout CandleStream) -> Value
  ) -> Value? {
    // Taken out and put back, so that its candles are not copied.
    guard var stream = streams.removeValue(forKey: instrument) else { return nil }
    let value = body(&stream)
    streams[instrument] = stream
    return value
  }
}
