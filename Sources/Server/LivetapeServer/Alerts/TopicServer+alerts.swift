// Alerts at the topic server: their service says how they stand, all pages see it.

import AppState
import MarketModel
import PriceAlerts

extension TopicServer {
  /// The topic that shows the alerts.
  static let alertsTopic = "alerts"

  /// The alerts as they stand and are kept.
  mutating func receive(_ alerts: AlertsState, at now: ClockReading) -> [TopicEffect] {
    guard self.alerts != alerts else { return [] }
    self.alerts = alerts
    return deliver(.alerts(alerts), to: TopicServer.alertsTopic, at: now)
  }

  /// A change can't be made.
  ///
  /// That is no error of the page, which may not have heard yet what another page did.
  func refuse(_ problem: AlertProblem, to page: PageID) -> [TopicEffect] {
    let refusal = PageRequestError(code: "bad_alert", message: problem.sentence)
    return [.send(page, TopicServer.encode(refusal, topic: nil))]
  }
}
