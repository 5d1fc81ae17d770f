import CoreMetrics
import NIOConcurrencyHelpers

/// A swift-metrics factory whose values can be scraped; for events a few times a second.
///
/// Per-message counts are plain numbers, read at the scrape.
///
/// Characters other than letters, digits and underscores in a label become underscores. Timers and
/// aggregating recorders become summaries with the median and 99th percentile of their latest
/// ``MetricCell/window`` values.
final class PrometheusRegistry: MetricsFactory, Sendable {
  /// The maximum number of series; further ones are dropped and count nothing.
  static let maximumSeries = 256

  private struct Series: Hashable {
    let name: String
    let labels: [String]
  }

  private let cells = NIOLockedValueBox<[Series: (cell: MetricCell, labels: [(String, String)])]>(
    [:])
  private let help: [String: String]

  init(help: [String: String] = PrometheusRegistry.help) { self.help = help }

  var families: [MetricFamily] {
    let known = cells.withLockedValue { $0 }
    var families: [String: MetricFamily] = [:]
    for series in known.keys.sorted(by: {
      ($0.name, $0.labels.joined()) < ($1.name, $1.labels.joined())
    }) {
      guard let (cell, labels) = known[series] else { continue }
      families[
        series.name,
        default: MetricFamily(name: series.name, kind: cell.kind, help: help[series.name] ?? "")
      ].samples += cell.samples(labels)
    }
    return families.keys.sorted().compactMap { families[$0] }
  }

  private func cell(
    _ label: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind,
    isTime: Bool = false
  ) -> MetricCell {
    let name = PrometheusRegistry.name(label)
    let labels = dimensions.map { (PrometheusRegistry.name($0.0), $0.1) }
    let series = Series(name: name, labels: labels.flatMap { [$0.0, $0.1] })
    return cells.withLockedValue { cells in
      if let known = cells[series]?.cell, known.kind == kind { return known }
      let new = MetricCell(kind, isTime: isTime)
      let isOther = cells.contains { $0.key.name == name && $0.value.cell.kind != kind }
      if !isOther, cells.count < PrometheusRegistry.maximumSeries { cells[series] = (new, labels) }
      return new
    }
  }

  private static func name(_ label: String) -> String {
    let plain = String(
      label.unicodeScalars.map { scalar in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_")
        let isDigit = scalar.isASCII && scalar.properties.numericType != nil
        return isPlain || isDigit ? Character(scalar) : "_"
      })
    return plain.first?.isNumber != false ? "_" + plain : plain
  }

  private func drop(_ cell: AnyObject) {
    cells.withLockedValue { cells in
      for (series, value) in cells where value.cell === cell { cells[series] = nil }
    }
  }
}

extension PrometheusRegistry {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    cell(label, dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    cell(label, dimensions, .gauge)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    cell(label, dimensions, aggregate ? .summary : .gauge)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    cell(label, dimensions, .summary, isTime: true)
  }

  func destroyCounter(_ handler: any CounterHandler) { drop(handler) }
  func destroyMeter(_ handler: any MeterHandler) { drop(handler) }
  func destroyRecorder(_ handler: any RecorderHandler) { drop(handler) }
  func destroyTimer(_ handler: any TimerHandler) { drop(handler) }
}

extension PrometheusRegistry {
  private static let commits = "livetape_ledger_commit_seconds"
  static let help = [commits: "Commits of the order ledger, from the call to what is on disk."]

  /// The recorder of ledger commits; its series exists from now on.
  func ledgerCommits() -> @Sendable (_ nanoseconds: Int64) -> Void {
    let timer = CoreMetrics.Timer(label: PrometheusRegistry.commits, dimensions: [], factory: self)
    return { timer.recordNanoseconds($0) }
  }
}
