import AppState
import MarketModel

extension TopicServer {
  static let faultsTopic = "faults"

  mutating func receive(_ faults: FaultsState, at now: ClockReading) -> [TopicEffect] {
    guard self.faults != faults else { return [] }
    self.faults = faults
    guard slots[TopicServer.faultsTopic] != nil else { return [] }
    slots[TopicServer.faultsTopic]?.screen = FaultsTopic(state: faults)
    return deliver(.timer, to: TopicServer.faultsTopic, at: now)
  }

  /// A rejected fault command; not an error of the page.
  func refuseFault(_ sentence: String, to page: PageID) -> [TopicEffect] {
    let refusal = PageRequestError(code: "bad_fault", message: sentence)
    return [.send(page, TopicServer.encode(refusal, topic: nil))]
  }
}
