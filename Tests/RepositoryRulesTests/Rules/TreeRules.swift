enum TreeRules {
  /// Assembled here, so that this file does not break its own rule.
  private static let machinePaths = ["work/", "opt/swift", "home/", "root/"].map { "/" + $0 }
  private static let sharedFolder = ".." + "/shared"

  /// Paths of a developer's machine.
  static func machinePaths(_ file: SourceFile) -> [Finding] {
    file.lines.indices.filter { index in
      file.lines[index].contains(sharedFolder)
        || machinePaths.contains { startsPath($0, in: file.lines[index]) }
    }.map { file.finding($0, "a path of one machine; write it relative to the repository") }
  }

  /// Whether an absolute path begins with `path`: without a name, dot or slash before it.
  private static func startsPath(_ path: String, in line: String) -> Bool {
    line.contains(path)
      && line.ranges(of: path).contains { range in
        guard range.lowerBound > line.startIndex else { return true }
        let before = line[line.index(before: range.lowerBound)]
        return !(before.isLetter || before.isNumber || "_-.~}*)/".contains(before))
      }
  }

  static func names(_ paths: [String]) -> [Finding] {
    paths.compactMap { path in
      let parts = path.split(separator: "/").map(String.init)
      if parts.contains(".build") || parts.last == "Package.resolved" || parts.last == ".DS_Store" {
        return Finding(path: path, line: 0, message: "left by a build; remove it and ignore it")
      }
      guard parts.last == "Placeholder.swift" else { return nil }
      return Finding(
        path: path, line: 0, message: "a leftover; delete it once real files are there")
    }
  }

  /// UIKit and SwiftUI kept apart, and no whole-list reload in the watch list (WL3, PT5).
  ///
  /// For the app's code and its shell under `Apps/` alike.
  static func apps(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target else { return [] }
    switch target {
    case "StocksApp", "LivetapeStocks":
      return file.findings(
        where: { $0.containsWord("reloadData") },
        "reloadData() redraws every cell; reconfigure the one item that changed (WL3)")
        + file.findings(
          where: { $0.containsWord("SwiftUI") || $0.containsWord("UIHostingController") },
          "the watch list is UIKit only (WL3); use a UIView")
    case "PhoneApp", "Livetape", "Briefs":
      return file.findings(
        where: {
          ["UIKit", "UIViewRepresentable", "UIViewControllerRepresentable"].contains(
            where: $0.containsWord)
        }, "this app is SwiftUI only (PT5); use a View")
    case "PhoneStores":
      return file.findings(
        where: { ["SwiftUI", "UIKit"].contains(where: $0.containsWord) },
        "the phone's stores draw nothing; put it into PhoneApp")
    default: return []
    }
  }
}
