import MarketModel
import PaperTrading

/// A link that loses, swaps and repeats messages or is cut, with the recovery of a session: a book
/// whose number does not follow is invalid until a snapshot, and trades before one whose number
/// does not follow were missed.
struct FaultyLink {
  private struct Message {
    let input: MarketInput
    let number: Int64
    let isTrade: Bool
  }

  private var random: SplitMix64
  private var held: Message?
  private var sent: (books: Int64, trades: Int64) = (0, 0)
  private var received: (books: Int64, trades: Int64) = (0, 0)
  /// The steps until a new snapshot; 0 while the book is valid.
  private var resyncsIn = 0
  private var isCut = false

  init(seed: UInt64) { random = SplitMix64(seed: seed &+ 77) }

  /// Whether the next message comes before one that was sent earlier.
  var isHolding: Bool { held != nil }

  /// Whether something sent has not arrived, which no later message has shown yet.
  var hasUnseenLoss: Bool { isHolding || received != sent || resyncsIn > 0 }

  /// `number` is that of a trade; nil for a book.
  mutating func send(_ input: MarketInput, number: Int64?) -> [MarketInput] {
    if let number { sent.trades = number } else { sent.books += 1 }
    let message = Message(
      input: input, number: number ?? sent.books, isTrade: number != nil)
    if isCut { return [] }
    switch random.below(30) {
    case 0: return []
    case 1 where held == nil:
      held = message
      return []
    case 2:
      (isCut, held, resyncsIn) = (true, nil, 1 + Int(random.below(6)))
      return [.freshness(.disconnected)]
    default:
      let messages = [message] + (held.map { [$0] } ?? [])
      held = nil
      return messages.flatMap { receive($0) }
    }
  }

  private mutating func receive(_ message: Message) -> [MarketInput] {
    let number = message.number
    if message.isTrade {
      let isNext = number <= received.trades + 1
      received.trades = max(received.trades, number)
      return (isNext ? [] : [.missedTrades]) + [message.input]
    }
    guard resyncsIn == 0, number > received.books else { return [] }
    guard number == received.books + 1 else {
      resyncsIn = 1 + Int(random.below(6))
      return [.freshness(.resyncing)]
    }
    received.books = number
    return [message.input]
  }

  /// Ends a step; returns whether a new snapshot comes.
  mutating func step() -> Bool {
    guard resyncsIn > 0 else { return false }
    resyncsIn -= 1
    guard resyncsIn == 0 else { return false }
    (isCut, received.books) = (false, sent.books)
    return true
  }

  /// Nothing is missing from now on.
  mutating func recover() { (held, received, resyncsIn, isCut) = (nil, sent, 0, false) }
}
