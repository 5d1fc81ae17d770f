import MarketModel

/// A message after decoding; the rows of a data message stay in the decoder's buffers.
enum CoinbaseMessage: Equatable {
  /// A numbered message in its place; ``CoinbaseDecoder/channel`` names its rows.
  case data(CoinbaseChannel)
  /// Messages before this one are missing. A session uses nothing more of the connection; a
  /// recording applies this one.
  case gap(CoinbaseChannel, expected: Int64, found: Int64)
  /// A number that was received before, or a message after a gap: not used.
  case late
  /// A response with the list of products. Indirect, because messages are copied.
  indirect case list(ListOutcome)
  /// A request was refused; the venue's text, cut to 512 bytes.
  indirect case refused(String)
}

/// Counts the messages of a connection.
///
/// Coinbase numbers all messages of a connection from 0, whatever their channel, responses and
/// heartbeats included. A higher number than the next one means that messages are missing; which
/// ones they were is unknown, so no book of the connection is valid any more.
struct CoinbaseCounter: Equatable {
  /// Lower numbers that each follow the former by one and so prove a restarted count.
  static let restartLength = 8

  enum Place: Equatable {
    case next
    case gap(expected: Int64)
    case late
  }

  /// The next message's number; nil before the first one.
  private(set) var expected: Int64?
  /// Whether messages are missing, so that nothing more of the connection is used.
  private(set) var isBroken = false
  private var lowerRun: (last: Int64, length: Int) = (-1, 0)

  static func == (left: CoinbaseCounter, right: CoinbaseCounter) -> Bool {
    left.expected == right.expected && left.isBroken == right.isBroken
  }

  mutating func restart() { self = CoinbaseCounter() }

  /// Uses nothing more of the connection.
  mutating func end() { isBroken = true }

  /// Continues after the message of this number, for a state that begins there.
  mutating func begin(after number: Int64) {
    if expected == nil { expected = number &+ 1 }
  }

  /// Counts a message.
  ///
  /// Several lower numbers in order mean that the venue restarted its count: also a gap.
  mutating func receive(_ number: Int64, continues: Bool) -> Place {
    if isBroken, !continues { return .late }
    guard let expected else {
      self.expected = number &+ 1
      // A recording may begin anywhere, a connection begins at 0.
      isBroken = number > 0 && !continues
      return isBroken ? .gap(expected: 0) : .next
    }
    // A restarted count that reaches the former one does not continue it.
    let joins = lowerRun.length > 1 && number == lowerRun.last &+ 1
    if number == expected, !joins {
      self.expected = number &+ 1
      lowerRun.length = 0
      return .next
    }
    if number < expected, !isRestart(number) { return .late }
    isBroken = true
    self.expected = number &+ 1
    return .gap(expected: expected)
  }

  private mutating func isRestart(_ number: Int64) -> Bool {
    lowerRun = (number, number == lowerRun.last &+ 1 ? lowerRun.length + 1 : 1)
    guard lowerRun.length >= Self.restartLength else { return false }
    lowerRun.length = 0
    return true
  }
}
