// The figures of an instrument's day, for its header and its row in a list. A change is never shown
// without the window that it is of.

public import MarketModel
import MarketStreams
import VenueCatalogue

/// What a header or a row shows beside the price.
public struct FiguresState: Equatable, Sendable {
  /// The instrument.
  public let instrument: InstrumentKey
  /// False when its venue has no such instrument.
  public internal(set) var isKnown = true
  /// The figures with every digit known; nil before the first.
  ///
  /// Their own freshness is what the source says; ``freshness`` is what to show.
  public internal(set) var figures: DayFigures?
  /// The change in percent, the venue's own or at two digits; nil where no change is known.
  public internal(set) var changePercent: FixedDecimal?
  /// Which way the change goes, for its colour.
  public internal(set) var movement = Direction.unchanged
  /// When the figures were true, by their own time: what their age counts from.
  public internal(set) var valueTime: ClockReading?
  /// Whether the figures can be believed now.
  public internal(set) var freshness: Freshness

  /// The window in words, "24 h" or "since 09:05"; nil before the first figures.
  ///
  /// - Parameters:
  ///   - offset: How far the reader's clock is ahead of UTC, seconds.
  ///   - now: Tells whether the window began on another day.
  /// - Returns: The words, without a figure.
  public func windowWords(utcOffset offset: Int, at now: Timestamp) -> String? {
    figures.map { WindowText.words($0.window, utcOffset: offset, at: now) }
  }
}

/// The figures of one instrument.
public struct FiguresScreen: Screen {
  /// The figures now.
  public private(set) var state: FiguresState
  /// The instrument's figures, where its venue states them; its quote, where that is all there is.
  public let wanted: Set<MarketKey>
  /// Its candles, where they have to be added up.
  public let wantedCandles: InstrumentKey?

  private var stream: FiguresStream

  /// Opens the figures of an instrument; nil when there is no such instrument.
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

  /// Takes figures of the instrument and statuses of its venue.
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

  /// A moment on both clocks: its age is what the wall clock says now, and counts on from here.
  private static func reading(of time: Timestamp, at now: ClockReading) -> ClockReading {
    let (age, overflow) = now.wall.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
    guard now.wall >= ClockReading.earliestSetClock, !overflow, age > 0 else {
      return ClockReading(monotonic: now.monotonic, wall: time)
    }
    return ClockReading(
      monotonic: MonotonicTime(nanoseconds: now.monotonic.nanoseconds &- age), wall: time)
  }

  /// Nothing can be done here.
  public typealias Action = Never
}
