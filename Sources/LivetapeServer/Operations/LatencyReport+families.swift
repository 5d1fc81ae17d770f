// The latency ladder as Prometheus reads it.

import MarketModel
import MarketStreams

extension LatencyReport {
  /// The families of several venues' ladders; what was never measured has no sample.
  static func families(of reports: [LatencyReport]) -> [MetricFamily] {
    [percentiles(of: reports)]
      + clocks(
        of: reports, "venue", "The venue's clock less that of the machine that reads it.", \.clock)
      + clocks(
        of: reports, "reader", "Behind a bus: the reader's clock less this machine's.",
        \.readerClock)
  }

  private static func percentiles(of reports: [LatencyReport]) -> MetricFamily {
    let figures = reports.flatMap(\.figures).filter { $0.span == .lastMinute }
    let samples = figures.flatMap { figures in
      [("0.5", figures.p50), ("0.9", figures.p90), ("0.99", figures.p99), ("1", figures.max)].map {
        MetricSample(
          .nanoseconds($0.1), ("venue", figures.venue.rawValue), ("rung", figures.rung.rawValue),
          ("quantile", $0.0))
      }
    }
    return MetricFamily(
      name: "livetape_latency_seconds", kind: .gauge,
      help: "How long messages that began a frame took, rung by rung, in the last minute.",
      samples: samples)
  }

  /// A clock's offset and how far that may be off.
  private static func clocks(
    of reports: [LatencyReport], _ whose: String, _ help: String,
    _ clock: (LatencyReport) -> ClockEstimate?
  ) -> [MetricFamily] {
    func samples(_ value: (ClockEstimate) -> Int64) -> [MetricSample] {
      reports.compactMap { report in
        clock(report).map {
          MetricSample(.nanoseconds(value($0)), ("venue", report.venue.rawValue))
        }
      }
    }
    let name = "livetape_\(whose)_clock"
    return [
      MetricFamily(
        name: "\(name)_offset_seconds", kind: .gauge, help: help, samples: samples(\.offset)),
      MetricFamily(
        name: "\(name)_uncertainty_seconds", kind: .gauge,
        help: "How far \(name)_offset_seconds may be off.", samples: samples(\.within)),
    ]
  }
}
