import Foundation
import MarketModel

/// The table of several instruments: redrawn in place on a terminal, plain lines elsewhere.
struct MarketTable {
  private static let head = ["", "last", "change", "high", "low", "volume", ""]

  /// The terminal's size; nil for other output.
  private let size: (columns: Int, rows: Int)?
  private var drawn = 0

  init() { size = MarketTable.terminalSize() }

  mutating func text(_ lines: [MarketLine], at now: ClockReading) -> String {
    let cells = [MarketTable.head] + lines.map { $0.cells(at: now) }
    guard let size else {
      return MarketTable.aligned(cells).dropFirst().map { $0 + "\n" }.joined()
    }
    var rows = MarketTable.fitted(cells, size.columns)
    let most = max(3, size.rows - 1)
    if rows.count > most {
      let hidden = rows.count - most + 1
      rows = rows.prefix(most - 1) + ["… and \(hidden) more: make the window higher"]
    }
    let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
    drawn = rows.count
    // Clears each line to its end, and the rest of a taller table below.
    return up + rows.map { $0.prefix(size.columns) + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
  }

  /// Drops columns that don't fit, the volume first and never the state.
  private static func fitted(_ cells: [[String]], _ width: Int) -> [String] {
    var cells = cells
    while true {
      let rows = aligned(cells)
      let columns = cells.first?.count ?? 0
      if columns <= 3 || rows.allSatisfy({ $0.count <= width }) { return rows }
      cells = cells.map { row in Array(row.dropLast(2)) + row.suffix(1) }
    }
  }

  /// Aligns columns: names and states left, figures right.
  private static func aligned(_ rows: [[String]]) -> [String] {
    let columns = rows.first?.count ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        if column == columns - 1 { return cell }
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
    }
  }

  private static func terminalSize() -> (columns: Int, rows: Int)? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
