package import AppState
package import FeedConnections
package import MarketModel
package import MarketStreams

/// A page's connection, numbered by the host and never reused.
package struct PageID: Hashable, Sendable, Comparable {
  package let number: Int

  /// Creates an identifier.
  package init(number: Int) { self.number = number }

  /// Older connections first.
  package static func < (left: PageID, right: PageID) -> Bool { left.number < right.number }
}

/// A stream that the topic server follows for topics.
package enum StreamInterest: Hashable, Sendable {
  case values(MarketKey)
  case candles(InstrumentKey)
  case survey
  /// All orders; received unobserved.
  case orders
  /// All positions; received unobserved.
  case positions

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
    case .orders: (3, "", .listing)
    case .positions: (4, "", .listing)
    }
  }
}

/// An action for the host, performed in order.
package enum TopicEffect: Sendable, Equatable {
  case send(PageID, [UInt8])
  /// Send a script's socket the newest candles with this beginning.
  case sendCandles(PageID, ScriptCandlesHead)
  /// Something that scripts over HTTP read may have changed.
  case look(PageID)
  case close(PageID, code: UInt16, reason: String)
  /// Follow this stream and pass its changes to the topic server.
  case observe(StreamInterest)
  case release(StreamInterest)
  case perform(ScreenEffect)
  /// Cancel the fetch of this product.
  case abandon(Symbol)
  /// Submit this command to the order service, and pass its response to the topic server.
  case ask(PageID, PageAsk)
  case keep(MarketLists)
  case keepTruths(TruthBoard)
  /// Change the alerts, and send the page a rejection if needed.
  case change(PageID, AlertCommand)
  /// Change a simulated venue's faults, and send the page a rejection if needed.
  case inject(PageID, FaultCommand)
  /// The preceding frame is measured: call ``TopicServer/written(_:at:)`` once it is written.
  case written(MeasuredFrame)
  /// A step of a venue's message took this many nanoseconds.
  case measured(Venue, LatencyRung, nanoseconds: Int64, within: Int64?)
  /// Call ``TopicServer/frame(at:reading:)`` at this time, replacing a later one; if it is now,
  /// after all pending input.
  case wake(at: MonotonicTime)
}
