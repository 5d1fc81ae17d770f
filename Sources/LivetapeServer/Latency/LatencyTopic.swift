// The topic of how long messages take.

import AppState
import MarketModel
import MarketStreams

/// A screen of one state that nothing but measurements change.
struct LatencyTopic: TopicScreen {
  var reports: [LatencyReport]

  var page: PageValue {
    var object = PageObject()
    object.setObject("venues") { venues in
      for report in reports where report.clock != nil || !report.figures.isEmpty {
        venues.set(report.venue.rawValue) { report.write(to: &$0) }
      }
    }
    return object.value
  }
}
