// What the topic server asks of its host: messages for pages, streams to follow, a time to be
// called again.

package import AppState
package import FeedConnections
package import MarketModel
package import MarketStreams
package import OrderService
package import PaperTrading

/// A page's connection, numbered by the host and never reused.
package struct PageID: Hashable, Sendable, Comparable {
  package let number: Int

  /// Wraps a number.
  package init(number: Int) { self.number = number }

  /// Older connections first.
  package static func < (left: PageID, right: PageID) -> Bool { left.number < right.number }
}

/// What the topic server follows.
package enum StreamInterest: Hashable, Sendable {
  /// The newest value of a stream.
  case values(MarketKey)
  /// The candles of an instrument.
  case candles(InstrumentKey)
  /// The survey of all markets.
  case survey

  /// A stable order for effects.
  package static func precedes(_ left: StreamInterest, _ right: StreamInterest) -> Bool {
    left.order < right.order
  }

  private var order: (Int, String, Subscription) {
    switch self {
    case .values(let key): (0, key.venue.rawValue, key.subscription)
    case .candles(let instrument):
      (1, instrument.venue.rawValue, Subscription(.quote, instrument.symbol))
    case .survey: (2, "", .listing)
    }
  }
}

/// What the host must do for the topic server, in order.
package enum TopicEffect: Sendable, Equatable {
  /// Send this text message to a page.
  case send(PageID, [UInt8])
  /// Send a script's socket the newest candles with this beginning.
  case sendCandles(PageID, ScriptCandlesHead)
  /// Something that scripts over HTTP read may have changed.
  case look(PageID)
  /// Close a page's socket.
  case close(PageID, code: UInt16, reason: String)
  /// Follow this and hand what becomes of it to the topic server.
  case observe(StreamInterest)
  /// Follow it no longer.
  case release(StreamInterest)
  /// Do what a screen asked for.
  case perform(ScreenEffect)
  /// Nobody waits for this product any more.
  case abandon(Symbol)
  /// Hand this command to the order service, and its response to the topic server.
  case ask(PageID, PageAsk)
  /// Tell a page the response to its command.
  case answer(PageID, PageAsk, OrderResponse)
  /// Tell a page news of an order.
  case notify(PageID, OrderNotice)
  /// Keep these lists of the person.
  case keep(MarketLists)
  /// Keep these records of what was right.
  case keepTruths(TruthBoard)
  /// Change the alerts, and refuse to the page what can't be.
  case change(PageID, AlertCommand)
  /// Change what goes wrong with a simulated venue, and refuse to the page what can't be.
  case inject(PageID, FaultCommand)
  /// The frame before this is to be measured: tell ``TopicServer/written(_:at:)`` when a page's
  /// socket has taken it.
  case written(MeasuredFrame)
  /// A step of a venue's message took so many nanoseconds.
  case measured(Venue, LatencyRung, nanoseconds: Int64, within: Int64?)
  /// Call ``TopicServer/frame(at:reading:)`` at this time, or once everything that has come is
  /// taken in when that time is now; a later time that was asked for before no longer counts.
  case wake(at: MonotonicTime)
}
