import LivetapeServer
import MarketModel
import MarketStreams
import WireJSON

/// Each venue's latency rungs since the start, for `watch --latency`.
struct LatencyTable {
  private let reports: [LatencyReport]

  init(_ reports: [LatencyReport]) { self.reports = reports }

  /// The tables with line breaks, or a line that nothing was measured.
  var text: String { reports.map(LatencyTable.text).joined(separator: "\n") }

  private static func text(of report: LatencyReport) -> String {
    let figures = report.figures.filter { $0.span == .sinceStart }
    guard !figures.isEmpty else { return "\(report.venue): no message was measured\n" }
    let head = ["\(report.venue)", "count", "p50", "p90", "p99", "max"]
    let rows = figures.map { figures in
      [words(figures.rung), "\(figures.count)"]
        + [figures.p50, figures.p90, figures.p99, figures.max].map {
          LatencyTable.text(of: $0, within: figures.within)
        }
    }
    var lines = aligned([head] + rows) + clock(report.clock, behindBus: report.readerClock != nil)
    if let clock = report.readerClock {
      lines.append("The reader's clock is \(offset(clock)), ±\(time(clock.within)).")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func words(_ rung: LatencyRung) -> String {
    switch rung {
    case .socket: "venue to socket"
    case .reader: "in the reader"
    case .bus: "over the bus"
    case .decoded: "decoding"
    case .state: "until shown"
    case .sent: "sending"
    case .received: "to the page"
    case .painted: "painting"
    }
  }

  private static func offset(_ clock: ClockEstimate) -> String {
    "\(time(Int64(clamping: clock.offset.magnitude))) \(clock.offset < 0 ? "behind" : "ahead")"
  }

  private static func clock(_ clock: ClockEstimate?, behindBus: Bool) -> [String] {
    guard let clock else { return ["The venue's clock is not known: its times were not used."] }
    var line = "Its clock is \(offset(clock))\(behindBus ? " by the reader's" : "")"
    line += ", ±\(time(clock.within))"
    if clock.method == .fastest { line += " or more: measured by its fastest message" }
    if clock.steps > 0 { line += "; it was set \(clock.steps) times" }
    if let drift = clock.drift {
      line += "; drift \(perMillion(drift.perBillion)) ppm ±\(perMillion(drift.within))"
    }
    return [line + "."]
  }

  /// A duration, or the uncertainty if it is larger.
  static func text(of nanoseconds: Int64, within: Int64?) -> String {
    if let within, nanoseconds <= within { return "±\(time(within))" }
    return time(nanoseconds)
  }

  /// "812 µs", "1.2 ms", "3.0 s"; rounded up.
  private static func time(_ nanoseconds: Int64) -> String {
    let microseconds = (nanoseconds + 999) / 1000
    if microseconds < 1000 { return "\(microseconds) µs" }
    let isShort = microseconds < 1_000_000
    let tenths = isShort ? (microseconds + 99) / 100 : (microseconds + 99_999) / 100_000
    return FixedDecimal(units: tenths, scale: Scale(clamping: 1)).description
      + (isShort ? " ms" : " s")
  }

  private static func perMillion(_ perBillion: Int64) -> String {
    FixedDecimal(units: perBillion / 100, scale: Scale(clamping: 1)).description
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
    }
  }
}

extension LatencyReport {
  /// `{"latency":"VENUE","report":{…}}` on one line.
  var json: [UInt8] {
    JSONWriter.object(capacity: 1024) { writer in
      writer.member("latency", venue.rawValue)
      writer.key("report")
      write(to: &writer)
    }
  }
}
