// Faults on demand at the topic server: a page asks, the simulated venues say what came of it, all
// pages see it.

import AppState
import MarketModel

extension TopicServer {
  /// The topic that shows them.
  static let faultsTopic = "faults"

  /// What goes wrong on demand has changed.
  mutating func receive(_ faults: FaultsState, at now: ClockReading) -> [TopicEffect] {
    guard self.faults != faults else { return [] }
    self.faults = faults
    guard slots[TopicServer.faultsTopic] != nil else { return [] }
    slots[TopicServer.faultsTopic]?.screen = FaultsTopic(state: faults)
    return deliver(.timer, to: TopicServer.faultsTopic, at: now)
  }

  /// A venue can't be broken, or not like that; no error of the page.
  func refuseFault(_ sentence: String, to page: PageID) -> [TopicEffect] {
    let refusal = PageRequestError(code: "bad_fault", message: sentence)
    return [.send(page, TopicServer.encode(refusal, topic: nil))]
  }
}
