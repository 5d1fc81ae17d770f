// LT11: a person's alerts as a screen. What is changed goes to their service, and comes back for
// every screen alike once it is kept.

public import MarketModel
public import PriceAlerts

/// A person's alerts.
public struct AlertsScreen: Screen {
  /// The alerts now.
  public private(set) var state = AlertsState()
  /// Nothing: their service follows what they need, whether anybody looks or not.
  public let wanted: Set<MarketKey> = []

  /// Starts without alerts, until the service has spoken.
  public init() {}

  /// Takes the alerts from their service.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .alerts(let alerts) = input { state = alerts }
    return []
  }

  /// Changes go to the service.
  public typealias Action = Never
}
