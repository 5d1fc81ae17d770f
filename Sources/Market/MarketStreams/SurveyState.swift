public import MarketModel

/// The latest figures of one market.
public struct SurveyRow: Equatable, Sendable {
  /// The market.
  public let instrument: InstrumentKey
  /// Its figures; ``MarketModel/DayFigures/at`` is never nil and is the start of their age.
  public var figures: DayFigures

  /// Creates a row.
  public init(_ instrument: InstrumentKey, _ figures: DayFigures) {
    (self.instrument, self.figures) = (instrument, figures)
  }
}

/// The latest figures of all surveyed markets.
public struct SurveyState: Equatable, Sendable {
  /// The rows, in the order of their first figures; each market once.
  public private(set) var rows: [SurveyRow] = []
  private var places: [InstrumentKey: Int] = [:]

  /// Creates an empty state.
  public init() {}

  /// The figures of a market; nil without any.
  public subscript(instrument: InstrumentKey) -> DayFigures? {
    places[instrument].map { rows[$0].figures }
  }

  /// Applies figures, unless newer and equally complete ones are stored; returns whether any
  /// changed.
  @discardableResult
  public mutating func take(_ figures: DayFigures, of instrument: InstrumentKey) -> Bool {
    guard let place = places[instrument] else {
      places[instrument] = rows.count
      rows.append(SurveyRow(instrument, figures))
      return true
    }
    let known = rows[place].figures
    let tellsMore = known.changePercent == nil && figures.changePercent != nil
    if let former = known.at, let time = figures.at, time < former, !tellsMore { return false }
    guard rows[place].figures != figures else { return false }
    rows[place].figures = figures
    return true
  }
}
