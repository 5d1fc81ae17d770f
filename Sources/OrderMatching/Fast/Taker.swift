// An order while the fast engine trades it.

import MarketModel

/// An order while it trades.
struct Taker {
  let id: UInt64
  let trader: UInt32
  let side: Side
  /// The worst price it takes: for a market order the end of all prices.
  let limit: Int32
  let ordered: Int32
  /// What is still to be traded.
  var left: Int32
  /// Whether it stopped before an order of its own trader.
  var metOwnOrder = false

  @inline(__always)
  init(id: UInt64, trader: UInt32, side: Side, limit: Int32, ordered: Int32) {
    self.id = id
    self.trader = trader
    self.side = side
    self.limit = limit
    self.ordered = ordered
    left = ordered
  }

  /// A checked order: its quantity fits.
  @inline(__always)
  init(_ order: NewOrder, limit: Int32) {
    self.init(
      id: order.id.number, trader: order.trader.number, side: order.side, limit: limit,
      ordered: Int32(truncatingIfNeeded: order.quantity.units))
  }

  /// The answer when what is left waits in the book.
  var restingReport: ExecutionReport {
    @inline(__always) get {
      ExecutionReport(
        filled: Int64(ordered &- left), resting: Int64(left), standing: .resting)
    }
  }

  /// The answer when it is filled, or what is left is given up for `reason`.
  func report(unfilledBecause reason: CancelReason) -> ExecutionReport {
    if left == 0 { return ExecutionReport(filled: Int64(ordered), standing: .filled) }
    return ExecutionReport(
      filled: Int64(ordered &- left), cancelled: Int64(left),
      standing: .cancelled(metOwnOrder ? .selfMatch : reason))
  }
}
