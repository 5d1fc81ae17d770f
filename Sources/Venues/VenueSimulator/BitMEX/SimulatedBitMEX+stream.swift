// The stream: market steps as deltas, and the tables that are published at intervals.

public import MarketModel
import OrderMatching

extension SimulatedBitMEX {
  private static let throttledTables: [SimulatedBitMEXTable] = [
    .orderBookL2_25, .orderBookL2_100, .orderBook10, .instrument,
  ]

  /// Whether a table that is published at intervals has subscribers.
  var isPublishing: Bool { clients.hasListeners(SimulatedBitMEX.throttledTables) }

  /// Makes the steps and publications that are due, in the order of their times.
  public mutating func advance(to now: Timestamp) -> [VenueEffect] {
    var effects: [VenueEffect] = []
    skipPause(now, &effects)
    while true {
      let timerDue = min(publishDue, throttleDue)
      if let (index, events) = market.next(by: min(timerDue, now)) {
        for event in events { tell(event, of: index, &effects) }
        continue
      }
      guard timerDue <= now else { return effects }
      if publishDue <= throttleDue {
        publish(at: publishDue, &effects)
        publishDue = publishDue.adding(milliseconds: SimulatedBitMEX.publishMilliseconds)
      } else {
        publishThrottledPrices(at: throttleDue, &effects)
        throttleDue = throttleDue.adding(milliseconds: SimulatedBitMEX.throttleMilliseconds)
      }
    }
  }

  /// Prepares a throttled table for a new subscriber: the first one starts from the current book.
  mutating func publishIfNewlyHeard(_ topic: BitMEXTopic, at now: Timestamp) {
    // The new subscriber never received the latest ten levels, so the next ones must be sent.
    if topic.table == .orderBook10 { publishedTen = [:] }
    guard let depth = topic.table.depth else { return }
    for index in markets.indices where clients.listeners(topic.table, index).isEmpty {
      published[depth, default: [:]][index] = BitMEXTopBook(markets[index], depth: depth)
    }
  }

  /// Makes the due steps while there are no subscribers, so that responses are current.
  mutating func catchUpUnheard(to now: Timestamp) {
    guard !clients.areListening else { return }
    _ = advance(to: now)
  }

  private mutating func skipPause(_ now: Timestamp, _ effects: inout [VenueEffect]) {
    moved = max(moved, now)
    for reopening in market.reopen(at: now) {
      tapes[reopening.index].fill(from: reopening.paused, to: reopening.now)
      tell(reopening.event, of: reopening.index, &effects)
    }
    let earliest = now.adding(milliseconds: -SimulatedInstrument.longestPause / 1000)
    if publishDue < earliest { publishDue = earliest }
    if throttleDue < earliest { throttleDue = earliest }
  }

  private mutating func tell(_ event: AgentEvent, of index: Int, _ effects: inout [VenueEffect]) {
    let before = (markets[index].bids.best, markets[index].asks.best)
    let time = market.time(of: event)
    _ = tapes[index].record(event.trades, at: time)
    for event in markets[index].apply(event, at: time) {
      switch event {
      case .book(let action, let rows):
        send(.orderBookL2, action, index, &effects) { text, market in
          for row in rows {
            text.level(row, market.instrument, action, milliseconds: market.milliseconds)
          }
        }
      case .trades(let trades):
        send(.trade, .insert, index, &effects) { text, market in
          for trade in trades { text.trade(trade, market.instrument) }
        }
        send(.instrument, .update, index, &effects) { $0.lastTrade($1) }
      }
    }
    let after = (markets[index].bids.best, markets[index].asks.best)
    if !isSameTouch(before.0, after.0) || !isSameTouch(before.1, after.1) {
      send(.quote, .insert, index, &effects) { $0.quote($1) }
    }
  }

  private mutating func publish(at time: Timestamp, _ effects: inout [VenueEffect]) {
    guard isPublishing else { return }
    for index in markets.indices {
      for table in [SimulatedBitMEXTable.orderBookL2_25, .orderBookL2_100] {
        publishTop(table, index, at: time, &effects)
      }
      guard !clients.listeners(.orderBook10, index).isEmpty else { continue }
      let top = markets[index].bids.top(10) + markets[index].asks.top(10)
      if publishedTen[index] == top { continue }
      publishedTen[index] = top
      send(.orderBook10, .update, index, &effects) {
        $0.topTen($1, milliseconds: time.milliseconds)
      }
    }
  }

  private mutating func publishTop(
    _ table: SimulatedBitMEXTable, _ index: Int, at time: Timestamp, _ effects: inout [VenueEffect]
  ) {
    guard let depth = table.depth, !clients.listeners(table, index).isEmpty,
      let old = published[depth]?[index]
    else { return }
    let new = BitMEXTopBook(markets[index], depth: depth)
    published[depth]?[index] = new
    for (action, rows) in old.changes(to: new) {
      send(table, action, index, &effects) { text, market in
        for row in rows {
          text.level(row, market.instrument, action, milliseconds: time.milliseconds)
        }
      }
    }
  }

  private mutating func publishThrottledPrices(at time: Timestamp, _ effects: inout [VenueEffect]) {
    for index in markets.indices {
      send(.instrument, .update, index, &effects) {
        $0.throttledPrices($1, milliseconds: time.milliseconds)
      }
    }
  }

  /// Encodes one message for all subscribers; does nothing without any.
  private mutating func send(
    _ table: SimulatedBitMEXTable, _ action: SimulatedBitMEXAction, _ index: Int,
    _ effects: inout [VenueEffect],
    _ rows: (inout BitMEXText, BitMEXMarket) -> Void
  ) {
    let listeners = clients.listeners(table, index)
    guard !listeners.isEmpty else { return }
    text.removeAll()
    text.raw("{\"table\":\"")
    text.raw(table.rawValue.utf8)
    text.raw("\",\"action\":\"")
    text.raw(action.rawValue.utf8)
    text.raw("\",\"data\":[")
    rows(&text, markets[index])
    text.dropComma()
    text.raw("]}")
    effects.append(.send(to: listeners, bytes: text.bytes, binary: false))
  }

  private func isSameTouch(_ left: BitMEXLevel?, _ right: BitMEXLevel?) -> Bool {
    left?.ticks == right?.ticks && left?.size == right?.size
  }
}
