enum SizeRules {
  static let columns = 100
  static let functionLines = 70
  static let fileLines = 500

  /// Lines over 100 columns: of Swift, and of the page's modules, style sheets and types.
  static func lineLength(_ file: SourceFile) -> [Finding] {
    let isPage =
      file.path.hasPrefix("Web/")
      && ["js", "css", "ts"].contains { file.path.hasSuffix(".\($0)") }
    guard file.isSwift || isPage else { return [] }
    return file.lines.indices.filter {
      file.lines[$0].utf8.count > columns && file.lines[$0].count > columns && !file.isExcused($0)
    }.map { file.finding($0, "\(file.lines[$0].count) columns; break the line at \(columns)") }
  }

  /// Source files over 500 lines.
  static func fileLength(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, file.target != nil else { return [] }
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    guard count > fileLines else { return [] }
    return [
      file.finding(fileLines, "\(count) lines; split the file by subject before \(fileLines)")
    ]
  }

  /// Functions of sources over 70 lines, signature and closing brace included.
  static func functionLength(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, file.target != nil else { return [] }
    return file.code.indices.compactMap { start in
      guard startsFunction(file.code[start]), !file.isExcused(start),
        let end = lastLine(of: start, in: file.code), end - start + 1 > functionLines
      else { return nil }
      return file.finding(
        start, "a function of \(end - start + 1) lines; split it before \(functionLines)")
    }
  }

  private static func startsFunction(_ line: String) -> Bool {
    let isFunction = line.containsWord("func") || line.containsWord("deinit")
    let isInitializer = line.contains("init(") || line.contains("init?(") || line.contains("init<")
    let opensWithIt = ["init", "public init", "private init", "convenience init", "package init"]
      .contains { line.drop { $0 == " " }.hasPrefix($0) }
    return isFunction || (isInitializer && opensWithIt)
  }

  /// The last line of the function that starts on a line; nil when it has no body of several lines.
  ///
  /// Relies on the formatter: the closing brace is below the start of the declaration.
  private static func lastLine(of start: Int, in code: [String]) -> Int? {
    let indentation = code[start].prefix { $0 == " " }.count
    for index in code.indices.dropFirst(start + 1) {
      let text = code[index].drop { $0 == " " }
      guard !text.isEmpty, code[index].prefix(while: { $0 == " " }).count <= indentation else {
        continue
      }
      if text.hasPrefix("}") { return index }
      let isSignature = [")", "{", "->", "where ", "throws", "async"].contains {
        text.hasPrefix($0)
      }
      if !isSignature { return nil }
    }
    return nil
  }
}
