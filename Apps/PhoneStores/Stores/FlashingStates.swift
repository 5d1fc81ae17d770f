// The states of AppState with values that flash.

import AppState
import MarketModel

extension FeedState: FlashingState {
  var flashCandidates: [FlashCandidate] {
    // A row without a price is no candidate: its first price is not a change.
    rows.lazy.filter { $0.value.price != nil }.map { symbol, row in
      FlashCandidate(
        id: .price(symbol.text), changes: row.changes, direction: row.direction,
        freshness: freshness.state)
    }
  }
}

extension SymbolState: FlashingState {
  var flashCandidates: [FlashCandidate] {
    guard let details, details.price != nil else { return [] }
    return [
      FlashCandidate(
        id: .price(symbol.text), changes: details.changes, direction: details.direction,
        freshness: details.freshness.state)
    ]
  }
}

extension ExchangeState: FlashingState {
  var flashCandidates: [FlashCandidate] {
    guard price != nil else { return [] }
    return [
      FlashCandidate(
        id: .price(symbol.text), changes: changes, direction: direction,
        freshness: freshness.state)
    ]
  }
}

extension ProductState: FlashingState {
  var flashCandidates: [FlashCandidate] {
    guard let details else { return [] }
    return [
      FlashCandidate(
        id: .price(identifier), changes: details.changes, direction: details.direction,
        freshness: freshness.state)
    ]
  }
}

extension TradesState: FlashingState {
  /// A buy flashes as a rise, a sell as a fall; a trade without a side does not flash.
  var flashCandidates: [FlashCandidate] {
    trades.map { trade in
      let direction: Direction =
        switch trade.side {
        case .buy: .up
        case .sell: .down
        case nil: .unchanged
        }
      return FlashCandidate(
        id: .trade(trade.arrival), changes: trade.arrival, direction: direction,
        freshness: freshness.state)
    }
  }
}

extension FiguresState: FlashingState {
  /// Only ticks count; a snapshot does not flash.
  var flashCandidates: [FlashCandidate] {
    guard let figures, figures.last != nil else { return [] }
    return [
      FlashCandidate(
        id: .price(instrument.symbol.text), changes: figures.changes,
        direction: figures.direction, freshness: freshness.state)
    ]
  }
}
