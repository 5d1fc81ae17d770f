/// The core is synchronous, deterministic and free of I/O, clocks and random numbers, and no price
/// is a binary float.
enum PurityRules {
  static let coreTargets: Set = [
    "MarketModel", "OrderBook", "OrderMatching", "PaperTrading", "ChartModel", "VenueProtocols",
    "VenueSimulator", "MarketHistory", "MarketStreams", "AppState", "PriceAlerts", "TicketModel",
    "VenueCatalogue", "WireJSON",
  ]
  static let integerTargets: Set = [
    "MarketModel", "OrderBook", "OrderMatching", "PaperTrading", "VenueProtocols",
    "MarketHistory", "MarketStreams", "AppState", "PriceAlerts", "TicketModel", "VenueCatalogue",
    "WireJSON",
  ]

  private static let banned: [(pattern: String, advice: String)] = [
    ("Date(", "reads the clock; take a ClockReading"),
    ("Date.now", "reads the clock; take a ClockReading"),
    ("Task.sleep", "waits; return an effect and take a timer"),
    ("Task {", "starts work of its own; return an effect"),
    ("Task.detached", "starts work of its own; return an effect"),
    ("DispatchQueue", "starts work of its own; return an effect"),
    ("print(", "writes; return the problem to the host, which logs it"),
    ("fatalError(", "traps; return an error with the evidence"),
  ]

  /// Clocks, random numbers, output, tasks and traps in the core.
  static func calls(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target, coreTargets.contains(target) else { return [] }
    var findings = banned.flatMap { pattern, advice in
      file.findings(where: { contains($0, call: pattern) }, "\(pattern) \(advice)")
    }
    findings += file.findings(
      where: { line in
        [".random(", ".randomElement(", ".shuffled(", ".shuffle("].contains { line.contains($0) }
          && !line.contains("using:")
      }, "chance without a seed; pass `using:` a SplitMix64")
    return findings
  }

  /// The targets that the apps link, which must run on their oldest system.
  static let appTargets: Set = [
    "MarketModel", "WireJSON", "OrderBook", "PaperTrading", "ChartModel", "VenueProtocols",
    "MarketHistory", "MarketStreams", "OrderMatching", "VenueSimulator", "SimulatorHost",
    "HistoryStore", "AppState", "PriceAlerts", "SocketTransport",
    "FeedConnections", "OrderLedger", "OrderService", "PhoneStores", "PhoneApp", "StocksApp",
  ]

  /// Spans of an `Array` in what the apps link: Linux does not report that they need iOS 26.
  static func spans(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target, appTargets.contains(target) else { return [] }
    return file.findings(
      where: { line in
        (line.containsWord("span") && line.contains(".span") && !line.contains("[...].span")
          && !line.contains("slice.span") && !line.contains("ContiguousArray"))
          || line.contains(".mutableSpan")
      },
      "the span of an Array needs iOS 26; take a ContiguousArray's or a slice's: values[...].span")
  }

  static func floats(_ file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target, integerTargets.contains(target) else {
      return []
    }
    return file.findings(
      where: { line in
        ["Double", "Float", "Float16", "Float32", "CGFloat"].contains { line.containsWord($0) }
      }, "a binary float; use FixedDecimal, Price or Quantity")
  }

  /// Whether a call occurs that is not the end of a longer name.
  private static func contains(_ line: String, call: String) -> Bool {
    line.contains(call)
      && line.ranges(of: call).contains { range in
        guard range.lowerBound > line.startIndex else { return true }
        let before = line[line.index(before: range.lowerBound)]
        return !(before.isLetter || before.isNumber || before == "_" || before == ".")
      }
  }
}
