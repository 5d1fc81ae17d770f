/// The listed instruments that are left out, because a name or row is unusable here; each once.
struct SkippedListings: Sendable {
  /// Names that are kept; those beyond them are not counted.
  static let maximumCount = SymbolTable.maximumCount

  var sortedNames: [String] { names.sorted() }
  /// Rows of the latest snapshot without a name.
  private(set) var unnamedCount = 0
  var count: Int { names.count + unnamedCount }
  /// Whether the latest list changed ``count``.
  var isNews: Bool { count != before }

  private var names: Set<String> = []
  private var before = 0

  /// Prepares for a list; a snapshot replaces all.
  mutating func begin(isSnapshot: Bool) {
    before = count
    guard isSnapshot else { return }
    names.removeAll()
    unnamedCount = 0
  }

  /// Leaves an instrument out, by its name where it has one.
  mutating func insert(_ name: String?) {
    guard count < Self.maximumCount else { return }
    guard let name else { return unnamedCount += 1 }
    names.insert(name)
  }

  mutating func remove(_ name: String) { names.remove(name) }
}
