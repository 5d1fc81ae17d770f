import AppState
import MarketModel
package import MarketStreams
package import WireJSON

struct LatencyState: Equatable, Sendable, PageEncodable {
  var reports: [LatencyReport] = []

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

extension LatencyReport {
  /// Writes `{"clock":{…},"readerClock":{…},"rungs":[…]}`.
  ///
  /// Times are in microseconds, rounded up so that a nonzero time never reads as 0.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let clock {
        writer.key("clock")
        LatencyReport.write(clock, to: &writer)
      }
      if let readerClock {
        writer.key("readerClock")
        LatencyReport.write(readerClock, to: &writer)
      }
      writer.member("rungs", array: figures) { LatencyReport.write($1, to: &$0) }
    }
  }

  private static func write(_ clock: ClockEstimate, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("offset", clock.offset / 1000)
      writer.member("within", microseconds(clock.within))
      writer.member("method", clock.method.rawValue)
      writer.member("steps", clock.steps)
      if let drift = clock.drift {
        writer.member("driftPerBillion", drift.perBillion)
        writer.member("driftWithin", drift.within)
      }
    }
  }

  private static func write(_ figures: LatencyFigures, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("rung", figures.rung.rawValue)
      writer.member("span", figures.span.rawValue)
      writer.member("count", figures.count)
      writer.member("latest", microseconds(figures.latest))
      writer.member("p50", microseconds(figures.p50))
      writer.member("p90", microseconds(figures.p90))
      writer.member("p99", microseconds(figures.p99))
      writer.member("max", microseconds(figures.max))
      if let within = figures.within { writer.member("within", microseconds(within)) }
    }
  }

  private static func microseconds(_ nanoseconds: Int64) -> Int64 { (nanoseconds + 999) / 1000 }
}
