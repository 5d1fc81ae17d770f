// What the desk asks of its host: messages for pages, streams to follow, a time to be called again.

import AppState
import MarketModel
import OrderService
import PaperTrading

/// A page's connection, numbered by the host and never reused.
struct PageID: Hashable, Sendable, Comparable {
  let number: Int
  static func < (left: PageID, right: PageID) -> Bool { left.number < right.number }
}

/// What the desk wants of a stream.
enum StreamInterest: Hashable, Sendable {
  /// The newest value.
  case values(MarketKey)
  /// Everything that happens.
  case events(MarketKey)

  /// The stream.
  var key: MarketKey {
    switch self {
    case .values(let key), .events(let key): key
    }
  }

  /// A stable order for effects.
  static func precedes(_ left: StreamInterest, _ right: StreamInterest) -> Bool {
    if left.key != right.key {
      return (left.key.venue, left.key.subscription) < (right.key.venue, right.key.subscription)
    }
    if case .values = left, case .events = right { return true }
    return false
  }
}

/// What the host must do for the desk, in order.
enum DeskEffect: Sendable, Equatable {
  /// Send this text message to a page.
  case send(PageID, [UInt8])
  /// Close a page's socket.
  case close(PageID, code: UInt16, reason: String)
  /// Follow a stream and hand its values, or its events, to the desk.
  case observe(StreamInterest)
  /// Follow a stream no longer.
  case release(StreamInterest)
  /// Do what a screen asked for.
  case perform(ScreenEffect)
  /// Nobody waits for this product any more.
  case abandon(Symbol)
  /// Ask the trading desk and hand its answer to the desk.
  case ask(PageID, PageAsk)
  /// Tell a page the answer to its wish.
  case answer(PageID, PageAsk, OrderResponse)
  /// Tell a page news of an order.
  case notify(PageID, OrderNotice)
  /// Call ``PageDesk/frame(at:reading:)`` at this time, or once everything that has come is taken
  /// in when that time is now; a later time that was asked for before no longer counts.
  case wake(at: MonotonicTime)
}
