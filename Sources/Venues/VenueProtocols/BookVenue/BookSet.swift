/// Books by symbol number, with those that the latest message changed.
struct BookSet<Sync: BookSync> {
  var states: [Sync] = []
  /// Books that the latest message changed, each once.
  private(set) var changed: [Int] = []
  /// Books that the latest message proved wrong.
  private(set) var doubtful: [Int] = []
  private var accepted: [Bool] = []

  mutating func append(accepted isAccepted: Bool) {
    states.append(Sync())
    accepted.append(isAccepted)
  }

  @inline(__always)
  func accepts(_ number: Int) -> Bool { accepted[number] }

  /// Sets whether a book is kept; one that is not kept is cleared.
  mutating func setAccepted(_ number: Int, _ isAccepted: Bool) {
    accepted[number] = isAccepted
    if !isAccepted { states[number].forget() }
  }

  mutating func interrupt() {
    for index in states.indices { states[index].trust.interrupt() }
  }

  mutating func beginMessage() {
    changed.empty()
    doubtful.empty()
  }

  /// Changes a book in place and records the outcome.
  @inline(__always)
  mutating func change(_ number: Int, _ body: (inout Sync) -> BookTrust.Outcome) {
    note(number, body(&states[number]))
  }

  @inline(__always)
  mutating func note(_ number: Int, _ outcome: BookTrust.Outcome) {
    if outcome == .dropped { return }
    changed.append(number)
    if outcome == .needsSnapshot { doubtful.append(number) }
  }

  /// Handles the loss of a message that may have changed any book: none is valid any more.
  ///
  /// Returns the books that need a new snapshot.
  mutating func loseMessage() -> [Int] { states.indices.filter { states[$0].trust.losesMessage() } }
}
