// How long the venue takes to answer numbered pings, by what passes alone: the record that the
// hub's own is compared with.

/// The pings of one connection that are sent all the time.
struct AnswerWatch {
  /// What follows of them for all that the venue says.
  enum Pace {
    /// Nothing: answers are prompt, or there was none yet.
    case prompt
    /// It may be called late, or not.
    case doubtful
    /// It is late.
    case slow
  }

  /// Answers that take less are prompt, those that take as long as the second are slow, and who has
  /// not answered for as long as the third may not answer at all, in milliseconds.
  private static let bounds: (prompt: Int64, slow: Int64, deaf: Int64) = (1500, 2000, 59_000)

  private var waiting: [(number: Int64, at: Int64)] = []
  private var latest: Int64?

  /// The hub says something.
  mutating func say(_ bytes: [UInt8], at milliseconds: Int64) {
    if let number = AnswerWatch.number(of: "ping", bytes) {
      ping(number, at: milliseconds)
    }
  }

  /// The hub sends a ping frame.
  mutating func ping(_ number: Int64, at milliseconds: Int64) {
    waiting.append((number, milliseconds))
  }

  /// The hub hears something.
  mutating func hear(_ bytes: [UInt8], at milliseconds: Int64) {
    if let number = AnswerWatch.number(of: "pong", bytes) { answer(number, at: milliseconds) }
  }

  /// The hub gets the answer to a ping.
  mutating func answer(_ number: Int64, at milliseconds: Int64) {
    guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
    latest = milliseconds - waiting[place].at
    waiting.removeFirst(place + 1)
  }

  /// What follows now.
  func pace(at milliseconds: Int64) -> Pace {
    guard let latest else { return .prompt }
    let pending = waiting.first.map { milliseconds - $0.at } ?? 0
    let time = max(latest, pending)
    if time < AnswerWatch.bounds.prompt { return .prompt }
    return time < AnswerWatch.bounds.slow || pending > AnswerWatch.bounds.deaf ? .doubtful : .slow
  }

  /// The number of a message with this method; nil where it has none.
  private static func number(of method: String, _ bytes: [UInt8]) -> Int64? {
    guard bytes.count < 512, let message = try? PageState(bytes),
      message["method"]?.text == method
    else { return nil }
    return message["req_id"]?.integer
  }
}
