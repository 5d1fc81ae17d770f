// The end of a ledger's chain, for a process that follows it and trusts no one on the way: every
// event's hash is computed again.

public import PaperTrading
import WireJSON

/// How far a ledger is known.
public struct LedgerChain: Hashable, Sendable {
  /// The number of the latest event; 0 before the first.
  public private(set) var sequence: UInt64 = 0
  /// Its hash.
  public private(set) var head: ChainHash

  /// Starts at the beginning of a ledger of these rules.
  public init(_ rules: TradingRules) { head = ChainHash(genesis: Genesis(rules).payload) }

  /// Reads the event that comes next, which changes nothing yet; nil for any other text.
  public func event(_ text: String) -> OrderEvent? {
    guard let event = try? EventCodec.decode(text), event.sequence == sequence &+ 1 else {
      return nil
    }
    return event
  }

  /// Goes on behind the event of a text that ``event(_:)`` has read.
  public mutating func advance(by text: String) {
    sequence &+= 1
    head = head.followed(by: text)
  }
}
