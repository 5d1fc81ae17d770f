// Many inputs, one commit: what gathered while the disk was busy is stored together, and nothing is
// acknowledged before it is stored.

public import MarketModel

extension PaperTrader {
  /// Takes inputs in order, hands all their events to `store` at once, and takes effect when that
  /// returns.
  ///
  /// `store` is not called when no order changes. When it throws, no order has changed and no reply
  /// holds: the error is the answer to everyone who sent an order or a cancellation. Ticks still
  /// become the market, but nothing can be taken from one that should have filled an order.
  ///
  /// - Parameters:
  ///   - inputs: What happened, oldest first.
  ///   - now: Both clocks.
  ///   - store: Makes the events durable, all or none.
  /// - Returns: One decision for each input, all in effect.
  /// - Throws: What `store` throws.
  public mutating func handle<Failure: Error>(
    _ inputs: [TradingInput], at now: ClockReading,
    storing store: ([OrderEvent]) throws(Failure) -> Void
  ) throws(Failure) -> [TradingDecision] {
    var next = self
    let decisions = inputs.map { next.handle($0, at: now) }
    let events = decisions.flatMap(\.events)
    do throws(Failure) {
      if !events.isEmpty { try store(events) }
    } catch {
      for input in inputs { decline(decide(input, at: now)) }
      throw error
    }
    self = next
    return decisions
  }
}
