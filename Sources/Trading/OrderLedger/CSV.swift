/// Fields of CSV files (RFC 4180).
enum CSV {
  /// Quotes a text where necessary; no spreadsheet takes it for a formula.
  static func cell(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
    let safe = isFormula ? "'" + text : text
    guard safe.utf8.contains(where: { ",;\"\r\n".utf8.contains($0) }) else { return safe }
    return quoted(safe)
  }

  /// The text in quotes, with its own quotes doubled.
  static func quoted(_ text: String) -> String {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.joined(separator: "\"\"") + "\""
  }
}
