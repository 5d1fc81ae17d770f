public import PaperTrading
import WireJSON

/// The end of a ledger's chain, for a process that follows it and computes each hash itself.
public struct LedgerChain: Hashable, Sendable {
  /// The sequence number of the latest event; 0 before the first.
  public private(set) var sequence: UInt64 = 0
  /// The hash of the latest event.
  public private(set) var head: ChainHash

  /// Starts at the beginning of a ledger with the scales of these rules.
  public init(_ rules: TradingRules) { head = ChainHash(genesis: Genesis(rules).payload) }

  /// Decodes the next event without changing the chain; nil for any other text.
  public func event(_ text: String) -> OrderEvent? {
    guard let event = try? EventCodec.decode(text), event.sequence == sequence &+ 1 else {
      return nil
    }
    return event
  }

  /// Appends the text of an event that ``event(_:)`` has decoded.
  public mutating func advance(by text: String) {
    sequence &+= 1
    head = head.followed(by: text)
  }
}
