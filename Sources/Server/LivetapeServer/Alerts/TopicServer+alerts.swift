import AppState
import MarketModel
import PriceAlerts

extension TopicServer {
  static let alertsTopic = "alerts"

  mutating func receive(_ alerts: AlertsState, at now: ClockReading) -> [TopicEffect] {
    guard self.alerts != alerts else { return [] }
    self.alerts = alerts
    return deliver(.alerts(alerts), to: TopicServer.alertsTopic, at: now)
  }

  /// A rejected command.
  ///
  /// Not an error of the page, which may not have received another page's change yet.
  func refuse(_ problem: AlertProblem, to page: PageID) -> [TopicEffect] {
    let refusal = PageRequestError(code: "bad_alert", message: problem.sentence)
    return [.send(page, TopicServer.encode(refusal, topic: nil))]
  }
}
