import Foundation

/// The allowed imports of every target: its dependencies in Package.swift, and the system modules
/// in the table below.
///
/// Both together keep the product's layers.
enum ImportRules {
  /// For error numbers and clocks, where the system's names for them differ.
  private static let systemLibraries = ["Darwin", "Glibc", "Musl"]

  /// System modules by target; others import none.
  ///
  /// Targets of the Xcode project have all of their modules here. Foundation in AppState is
  /// restricted further below.
  private static let system: [String: [String]] = [
    "AppState": ["Foundation"], "Briefs": ["PhoneApp", "SwiftUI"],
    "DataFiles": systemLibraries + ["Foundation"],
    "Digest": ["CryptoKit"], "FeedConnections": systemLibraries + ["Dispatch", "Network"],
    "HistoryStore": systemLibraries + ["Dispatch", "Foundation"],
    "Livetape": ["PhoneApp", "SwiftUI"],
    "LivetapeServer": systemLibraries + ["Dispatch", "Foundation"],
    "LivetapeStocks": ["Foundation", "StocksApp", "UIKit"],
    "LivetapeStocksTests": ["Foundation", "Testing", "UIKit"],
    "LivetapeTests": ["Foundation", "Testing", "UIKit"], "LivetapeUITests": ["XCTest"],
    "LivetapeWeb": ["Foundation"],
    "OrderLedger": systemLibraries + ["Foundation"], "OrderService": ["Dispatch", "Foundation"],
    "PhoneApp": ["Accessibility", "Foundation"],
    "PhoneStores": ["Accessibility", "Foundation", "Security", "UserNotifications"],
    "SimulatorHost": ["Foundation"],
    "SocketServer": systemLibraries, "SocketTransport": systemLibraries,
    "StocksApp": ["Foundation"], "livetape": systemLibraries + ["Foundation"],
  ]

  /// Targets with their dependencies, from the text of Package.swift.
  private static let declared: [String: Set<String>] = {
    let manifest = Repository.here.root.appending(path: "Package.swift")
    let text = (try? String(contentsOf: manifest, encoding: .utf8)) ?? ""
    // `let tls = Target.Dependency.product(name: "NIOSSL", …)`; stand-ins have Apple's module names
    // after "Linux".
    let product =
      /let (\w+)(?:: \[Target.Dependency\])? = (?:Target[\w.]+\(\s*name: |\[)"(?:Linux)?(\w+)"/
    let products = Dictionary(
      text.matches(of: product).map { (String($0.1), String($0.2)) },
      uniquingKeysWith: { one, _ in one })
    var declared: [String: Set<String>] = [:]
    for entry in text.split(separator: "arget(") {
      guard let name = entry.firstMatch(of: /name: "([\w-]+)"/)?.1 else { continue }
      let list = entry.firstMatch(of: /dependencies: (?:\[[^\]]*\]|\w+)(?:\s*\+\s*\w+)*/)?.0 ?? ""
      let modules = list.replacing(/package: "[^"]*"/, with: "").matches(of: /"([\w\-]+)"/)
      let variables = list.replacing(/"[^"]*"/, with: "").matches(of: /\w+/)
      declared[String(name)] = Set(
        modules.map { String($0.1) } + variables.compactMap { products[String($0.0)] })
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

  /// Dependencies that no file of their target imports.
  ///
  /// Names with a hyphen are programs that tests start. A stand-in may also be imported by its own
  /// name, with "Linux" in front.
  static func unused(_ files: [SourceFile]) -> [Finding] {
    var imported: [String: Set<String>] = [:]
    for file in files where file.isSwift {
      guard let target = file.anyTarget, declared[target] != nil else { continue }
      imported[target, default: []].formUnion(
        file.code.compactMap(importedModule).map { $0.replacing(/^Linux/, with: "") })
    }
    return imported.sorted { $0.key < $1.key }.flatMap { target, modules in
      (declared[target] ?? []).subtracting(modules).filter { !$0.contains("-") }.sorted().map {
        Finding(path: "Package.swift", line: 0, message: "\(target) does not import \($0)")
      }
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
