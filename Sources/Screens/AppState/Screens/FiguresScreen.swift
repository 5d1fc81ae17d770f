public import MarketModel
import MarketStreams
import VenueCatalogue

/// The day's figures in a header or list row.
///
/// A change is never shown without its window.
public struct FiguresState: Equatable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// false if its venue has no such instrument.
  public internal(set) var isKnown = true
  /// The figures with every known digit; nil before the first.
  ///
  /// Their own freshness comes from the source; ``freshness`` is the one to show.
  public internal(set) var figures: DayFigures?
  /// The change in percent, the venue's own or calculated at two decimals; nil if unknown.
  public internal(set) var changePercent: FixedDecimal?
  /// The direction of the change, for its colour.
  public internal(set) var movement = Direction.unchanged
  /// When the figures were valid, which their age counts from.
  public internal(set) var valueTime: ClockReading?
  /// Whether the figures are valid now.
  public internal(set) var freshness: Freshness

  /// The window as text, "24 h" or "since 09:05"; nil before the first figures.
  ///
  /// - Parameters:
  ///   - offset: The reader's offset from UTC in seconds.
  ///   - now: Determines whether the window began on another day.
  /// - Returns: The text, without a figure.
  public func windowWords(utcOffset offset: Int, at now: Timestamp) -> Sentence? {
    figures.map { WindowText.words($0.window, utcOffset: offset, at: now) }
  }
}

/// The figures of one instrument.
public struct FiguresScreen: Screen {
  /// The current figures.
  public private(set) var state: FiguresState
  /// The instrument's figures if its venue publishes them, or its quote if that is all there is.
  public let wanted: Set<MarketKey>
  /// Its candles if the figures have to be calculated.
  public let wantedCandles: InstrumentKey?

  private var stream: FiguresStream

  /// Opens the figures of an instrument; nil if it is unknown.
  public init?(_ instrument: InstrumentKey, origin: DataOrigin = .venue) {
    let isQuoted = instrument.venue.descriptor.hasOnlyLastPrice(instrument.symbol)
    guard isQuoted || CandleStream.key(of: instrument) != nil else { return nil }
    stream = FiguresStream(
      MarketKey(instrument.venue, isQuoted ? .quote : .figures, instrument.symbol), origin: origin)
    let isStated = instrument.venue.descriptor.statesFigures
    wanted = isStated || isQuoted ? [stream.key] : []
    wantedCandles = isStated || isQuoted ? nil : instrument
    state = FiguresState(instrument: instrument, freshness: .waiting(origin))
  }

  /// Applies figures of the instrument and connection statuses.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .candles(wantedCandles, let candles) = input {
      if let figures = candles.figures {
        _ = stream.receive(.value(stream.key, .figures(figures)))
        take(figures, at: now)
      }
      state.freshness = candles.freshness
    } else if let news = input.stream, stream.receive(news) {
      if case .value = news, let figures = stream.value { take(figures, at: now) }
      state.freshness = stream.freshness
    }
    return []
  }

  private mutating func take(_ figures: DayFigures, at now: ClockReading) {
    state.isKnown = figures.isKnown
    guard figures.isKnown else {
      (state.figures, state.changePercent, state.valueTime) = (nil, nil, nil)
      state.movement = .unchanged
      return
    }
    state.figures = figures
    state.changePercent = figures.percentOfStart
    let change = figures.change ?? figures.changePercent
    state.movement =
      change.map { $0.units > 0 ? .up : $0.units < 0 ? .down : .unchanged }
      ?? .unchanged
    state.valueTime =
      figures.at.map { Self.reading(of: $0, at: now) }
      ?? figures.freshness.confirmedAt
  }

  /// A time on both clocks; its age is measured by the wall clock once.
  private static func reading(of time: Timestamp, at now: ClockReading) -> ClockReading {
    let (age, overflow) = now.wall.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
    guard now.wall >= ClockReading.earliestSetClock, !overflow, age > 0 else {
      return ClockReading(monotonic: now.monotonic, wall: time)
    }
    return ClockReading(
      monotonic: MonotonicTime(nanoseconds: now.monotonic.nanoseconds &- age), wall: time)
  }

  /// No actions.
  public typealias Action = Never
}
