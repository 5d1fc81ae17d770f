// The latency ladder as Prometheus reads it.

import MarketModel
import MarketStreams

extension LatencyReport {
  /// The families of several venues' ladders; what was never measured has no sample.
  static func families(of reports: [LatencyReport]) -> [MetricFamily] {
    [percentiles(of: reports), offsets(of: reports), uncertainties(of: reports)]
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

  private static func offsets(of reports: [LatencyReport]) -> MetricFamily {
    MetricFamily(
      name: "livetape_venue_clock_offset_seconds", kind: .gauge,
      help: "The venue's clock less this machine's.",
      samples: clocks(of: reports) { .nanoseconds($0.offset) })
  }

  private static func uncertainties(of reports: [LatencyReport]) -> MetricFamily {
    MetricFamily(
      name: "livetape_venue_clock_uncertainty_seconds", kind: .gauge,
      help: "How far livetape_venue_clock_offset_seconds may be off.",
      samples: clocks(of: reports) { .nanoseconds($0.within) })
  }

  private static func clocks(
    of reports: [LatencyReport], _ value: (ClockEstimate) -> MetricNumber
  ) -> [MetricSample] {
    reports.compactMap { report in
      report.clock.map { MetricSample(value($0), ("venue", report.venue.rawValue)) }
    }
  }
}
