// The rooms of the page: a module imports from its own room and from earlier ones, so that no room
// depends on what is built on it.

/// The imports of the page's modules.
enum PageRules {
  /// The folders of `Web/page/assets` from the lowest to the highest; the entries, in no folder,
  /// come last.
  static let rooms = [
    "base", "link", "text", "ui", "alerts", "markets", "orders", "ticket", "positions",
    "chart/model", "chart/paint", "chart/history", "chart/tools", "chart", "stocks", "book",
    "trades", "faults", "latency", "frame", "",
  ]
  private static let assets = "Web/page/assets/"

  /// Imports from a later room or none, those of types included.
  static func imports(_ file: SourceFile) -> [Finding] {
    guard let path = module(file) else { return [] }
    guard let own = rooms.firstIndex(of: room(path)) else {
      return [file.finding(0, "\(room(path)) is no room of the page; add it to PageRules.rooms")]
    }
    return file.lines.indices.compactMap { index in
      guard let target = imported(file.lines[index], by: path) else { return nil }
      if let place = rooms.firstIndex(of: room(target)), place <= own { return nil }
      return file.finding(
        index, "\(room(path)) may not import \(target); move the code to an earlier room")
    }
  }

  /// Modules that import themselves by way of others, one of each circle.
  ///
  /// Imports in comments, which only name types, are left out.
  static func circles(_ files: [SourceFile]) -> [Finding] {
    var imports: [String: [String]] = [:]
    for file in files {
      guard let path = module(file) else { continue }
      imports[path] = file.lines.compactMap { line in
        line.contains("/*") || line.contains(" * ") ? nil : imported(line, by: path)
      }
    }
    var (done, way): (Set<String>, [String]) = ([], [])
    var findings: [Finding] = []
    func visit(_ path: String) {
      if let start = way.firstIndex(of: path) {
        let circle = way[start...].joined(separator: ", ")
        findings.append(Finding(path: assets + path, line: 0, message: "a circle: \(circle)"))
      } else if done.insert(path).inserted {
        way.append(path)
        imports[path]?.forEach(visit)
        way.removeLast()
      }
    }
    imports.keys.sorted().forEach(visit)
    return findings
  }

  private static func module(_ file: SourceFile) -> String? {
    guard file.path.hasPrefix(assets), file.path.hasSuffix(".js") else { return nil }
    return String(file.path.dropFirst(assets.count))
  }

  /// "chart/model" for "chart/model/core.js".
  private static func room(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The path of the module that a line imports; nil for other lines.
  private static func imported(_ line: String, by path: String) -> String? {
    guard line.contains("\"."),
      let found = line.firstMatch(of: /(?:from |import |import\()"(\.[^"]+)"/)?.1
    else {
      return nil
    }
    var parts = path.split(separator: "/").dropLast()
    for part in found.split(separator: "/") where part != "." {
      if part != ".." { parts.append(part) } else if parts.popLast() == nil { return "../\(found)" }
    }
    return parts.joined(separator: "/")
  }
}
