// The books of a market by symbol number, and what a message did to them.

/// Books that are kept, with those that the latest message touched.
struct BookSet<Sync: BookSync> {
  var states: [Sync] = []
  /// Books that the latest message changed, each once.
  private(set) var changed: [Int] = []
  /// Books that the latest message showed to be wrong.
  private(set) var doubtful: [Int] = []
  private var accepted: [Bool] = []

  mutating func append(accepted isAccepted: Bool) {
    states.append(Sync())
    accepted.append(isAccepted)
  }

  /// Whether the book of a symbol is kept at all.
  @inline(__always)
  func accepts(_ number: Int) -> Bool { accepted[number] }

  /// A book that is not kept any more is forgotten.
  mutating func setAccepted(_ number: Int, _ isAccepted: Bool) {
    accepted[number] = isAccepted
    if !isAccepted { states[number].forget() }
  }

  mutating func interrupt() {
    for index in states.indices { states[index].trust.interrupt() }
  }

  /// Forgets what the message before changed.
  mutating func beginMessage() {
    changed.empty()
    doubtful.empty()
  }

  /// Changes a book where it is and notes what that did.
  @inline(__always)
  mutating func change(_ number: Int, _ body: (inout Sync) -> BookTrust.Outcome) {
    note(number, body(&states[number]))
  }

  /// Notes what a message did to a book.
  @inline(__always)
  mutating func note(_ number: Int, _ outcome: BookTrust.Outcome) {
    if outcome == .dropped { return }
    changed.append(number)
    if outcome == .needsSnapshot { doubtful.append(number) }
  }

  /// A message that may have changed any of the books was lost: none can be believed.
  ///
  /// Returns the books that need a new snapshot.
  mutating func loseMessage() -> [Int] {
    states.indices.filter { states[$0].trust.losesMessage() }
  }
}
