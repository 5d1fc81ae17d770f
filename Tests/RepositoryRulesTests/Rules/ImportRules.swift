// Which modules a target may import: its dependencies in Package.swift, and those of the system
// that the table below allows. The layers of the product hold only as long as both do.

import Foundation

/// The allowed imports of every target.
enum ImportRules {
  /// For error numbers and clocks, where the system's names for them differ.
  private static let systemLibraries = ["Darwin", "Glibc", "Musl"]

  /// Modules of the system by target; others import none.
  ///
  /// Targets of the Xcode project have all of their modules here. Foundation in AppState is
  /// narrowed further below.
  private static let system: [String: [String]] = [
    "AppState": ["Foundation"], "DataFiles": systemLibraries + ["Foundation"],
    "Digest": ["CryptoKit"], "FeedConnections": systemLibraries + ["Dispatch"],
    "HistoryStore": systemLibraries + ["Dispatch", "Foundation"],
    "Livetape": ["Foundation", "PhoneApp", "SwiftUI"],
    "LivetapeServer": systemLibraries + ["Dispatch", "Foundation"],
    "LivetapeStocks": ["Foundation", "StocksApp", "UIKit"],
    "LivetapeStocksTests": ["Foundation", "Testing", "UIKit"],
    "LivetapeTests": ["Foundation", "Testing", "UIKit"], "LivetapeWeb": ["Foundation"],
    "OrderLedger": systemLibraries + ["Foundation"], "OrderService": ["Dispatch", "Foundation"],
    "PhoneApp": ["Foundation", "Security"], "SimulatorServer": ["Foundation"],
    "SocketServer": systemLibraries, "SocketTransport": systemLibraries,
    "StocksApp": ["Foundation"], "livetape": systemLibraries + ["Foundation"],
  ]

  /// Targets with their dependencies, by the text of Package.swift.
  private static let declared: [String: Set<String>] = {
    let manifest = Repository.here.root.appending(path: "Package.swift")
    let text = (try? String(contentsOf: manifest, encoding: .utf8)) ?? ""
    // `let tls = Target.Dependency.product(name: "NIOSSL", …)`; stand-ins have the names of Apple's
    // modules behind "Linux".
    let product =
      /let (\w+)(?:: \[Target.Dependency\])? = (?:[\w.]+\(\s*name: |\[)"(?:Linux)?(\w+)"/
    let products = Dictionary(
      text.matches(of: product).map { (String($0.1), String($0.2)) },
      uniquingKeysWith: { one, _ in one })
    var declared: [String: Set<String>] = [:]
    for entry in text.split(separator: "arget(") {
      guard let name = entry.firstMatch(of: /name: "([\w-]+)"/)?.1 else { continue }
      let list = entry.firstMatch(of: /dependencies: ([\s\S]*?)(?:swiftSettings|path|resources|\Z)/)
      let words = (list?.1 ?? "").split { !$0.isLetter && !$0.isNumber }.map(String.init)
      declared[String(name)] = Set(words.map { products[$0] ?? $0 })
    }
    return declared
  }()

  /// Imports of other modules, and targets that Package.swift lacks.
  static func imports(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target else { return [] }
    guard declared[target] != nil || system[target] != nil else {
      return [file.finding(0, "target \(target) is unknown; declare it in Package.swift")]
    }
    let modules = (declared[target] ?? []).union(system[target] ?? [])
    return file.code.indices.compactMap { index in
      guard let module = importedModule(file.code[index]), !file.isExcused(index) else {
        return nil
      }
      if target == "AppState", module == "Foundation", !file.path.contains("/Formatting/") {
        return file.finding(
          index, "AppState imports Foundation in Formatting/ only; keep the screens pure")
      }
      if modules.contains(module) { return nil }
      return file.finding(
        index,
        "\(target) may not import \(module); declare it in Package.swift or move the code up"
      )
    }
  }

  /// The module of an import line in any of its forms; nil for other lines.
  static func importedModule(_ line: String) -> String? {
    var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
    while let first = words.first,
      first.hasPrefix("@")
        || ["public", "package", "internal", "private", "fileprivate"]
          .contains(String(first))
    {
      words.removeFirst()
    }
    guard words.first == "import", words.count > 1 else { return nil }
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    let name = kinds.contains(String(words[1])) && words.count > 2 ? words[2] : words[1]
    return name.split(separator: ".").first.map(String.init)
  }
}
