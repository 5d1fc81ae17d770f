/// All rules that check one file at a time.
enum HouseRules {
  static let all: [(name: String, check: @Sendable (SourceFile) -> [Finding])] = [
    ("imports", ImportRules.imports), ("rooms of the page", PageRules.imports),
    ("line length", SizeRules.lineLength), ("file length", SizeRules.fileLength),
    ("function length", SizeRules.functionLength),
    ("pure core", PurityRules.calls), ("no floats", PurityRules.floats),
    ("no newer spans", PurityRules.spans),
    ("no traps", SafetyRules.traps), ("no unexplained unsafety", SafetyRules.unexplained),
    ("no sleeping tests", SafetyRules.sleeps),
    ("no machine paths", TreeRules.machinePaths), ("apps", TreeRules.apps),
  ]

  static func findings(in file: SourceFile) -> [Finding] { all.flatMap { $0.check(file) } }
}
