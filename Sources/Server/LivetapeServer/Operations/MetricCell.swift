import CoreMetrics
import NIOConcurrencyHelpers

/// The value of one series of the metrics API; thread-safe.
final class MetricCell: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  /// The number of latest values that a summary's percentiles cover.
  static let window = 1024

  private struct State {
    var integer: Int64 = 0
    var real: Double?
    var count: UInt64 = 0
    var latest: [Int64] = []
  }

  let kind: MetricFamily.Kind
  private let isTime: Bool
  private let state = NIOLockedValueBox(State())

  init(_ kind: MetricFamily.Kind, isTime: Bool) { (self.kind, self.isTime) = (kind, isTime) }

  /// The samples of the series; for a summary the median, the 99th percentile, sum and count.
  func samples(_ labels: [(String, String)]) -> [MetricSample] {
    let state = state.withLockedValue { $0 }
    let own = labels.map { MetricSample.Label(name: $0.0, value: $0.1) }
    func sample(
      _ value: MetricNumber, suffix: String = "", quantile: String? = nil
    ) -> MetricSample {
      var sample = MetricSample(value, suffix: suffix)
      sample.labels = own + (quantile.map { [.init(name: "quantile", value: $0)] } ?? [])
      return sample
    }
    guard kind == .summary else {
      return [sample(state.real.map { .real($0) } ?? .integer(state.integer))]
    }
    let sorted = state.latest.sorted()
    return [
      sample(number(sorted.percentile(500)), quantile: "0.5"),
      sample(number(sorted.percentile(990)), quantile: "0.99"),
      sample(number(state.integer), suffix: "_sum"),
      sample(.count(state.count), suffix: "_count"),
    ]
  }

  private func number(_ value: Int64?) -> MetricNumber {
    value.map { isTime ? .nanoseconds($0) : .integer($0) } ?? .none
  }

  private func note(_ value: Int64) {
    state.withLockedValue { state in
      guard kind == .summary else {
        (state.integer, state.real) = (value, nil)
        return
      }
      let place = Int(state.count % UInt64(MetricCell.window))
      if place < state.latest.count {
        state.latest[place] = value
      } else {
        state.latest.append(value)
      }
      state.count += 1
      state.integer = state.integer.addingReportingOverflow(value).partialValue
    }
  }

  // MARK: The handlers' calls

  func increment(by amount: Int64) {
    state.withLockedValue { $0.integer = $0.integer.addingReportingOverflow(amount).partialValue }
  }

  func reset() { state.withLockedValue { $0 = State() } }

  func set(_ value: Int64) { note(value) }

  func set(_ value: Double) { state.withLockedValue { $0.real = value } }

  func increment(by amount: Double) {
    state.withLockedValue { $0.real = ($0.real ?? Double($0.integer)) + amount }
  }

  func decrement(by amount: Double) { increment(by: -amount) }

  func record(_ value: Int64) { note(value) }

  func record(_ value: Double) {
    if kind == .summary { note(Int64(exactly: value.rounded()) ?? 0) } else { set(value) }
  }

  func recordNanoseconds(_ duration: Int64) { note(duration) }
}

extension [Int64] {
  /// The value at so many thousandths of a sorted list; nil if empty.
  func percentile(_ thousandths: Int) -> Int64? {
    isEmpty ? nil : self[Swift.min(count - 1, Swift.max(0, (count * thousandths + 999) / 1000 - 1))]
  }
}
