// What the survey of all markets knows: each row of its own moment.

public import MarketModel

/// The last known figures of one market.
public struct SurveyRow: Equatable, Sendable {
  /// The market.
  public let instrument: InstrumentKey
  /// Its figures; ``MarketModel/DayFigures/at`` is always there, and their age counts from it.
  public var figures: DayFigures

  /// Puts a row together.
  public init(_ instrument: InstrumentKey, _ figures: DayFigures) {
    (self.instrument, self.figures) = (instrument, figures)
  }
}

/// The last known figures of all markets that were asked.
public struct SurveyState: Equatable, Sendable {
  /// The rows, in the order in which their first figures came; each market once.
  public private(set) var rows: [SurveyRow] = []
  private var places: [InstrumentKey: Int] = [:]

  /// Nothing is known yet.
  public init() {}

  /// The figures of a market; nil while none are known.
  public subscript(instrument: InstrumentKey) -> DayFigures? {
    places[instrument].map { rows[$0].figures }
  }

  /// Takes figures of a market, unless newer ones are known that tell as much.
  ///
  /// - Returns: whether anything has changed.
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
