// LT13: last known figures of every market, so that a list can be sorted by each of its columns.
// They are of different moments, so each row has its own.

public import MarketModel
public import MarketStreams

/// The survey of all markets: topic `survey` of docs/page-protocol.md.
public struct SurveyScreen: Screen {
  /// What is known now.
  public private(set) var state = SurveyState()
  /// Nothing: the survey asks by itself.
  public let wanted: Set<MarketKey> = []
  /// Always.
  public let wantsSurvey = true

  /// Starts with nothing known.
  public init() {}

  /// Takes what the survey knows.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .survey(let survey) = input { state = survey }
    return []
  }

  /// Nothing can be done here.
  public typealias Action = Never
}
