package import MarketModel

/// The time from sending an order until it acts on the book as displayed here: its way to the venue
/// and the way of the venue's book back.
public enum OrderLatency: Hashable, Sendable {
  /// The latest ping's round trip; none at a simulated venue, and until one is measured.
  case measured
  /// In milliseconds; 0 for none.
  case fixed(milliseconds: Int64)

  /// The largest latency in milliseconds; a longer one counts as this.
  public static let maximumMilliseconds: Int64 = 60_000

  /// The latency in milliseconds at a venue with this connection; nil before its first status.
  package func milliseconds(of connection: ConnectionStatus?) -> Int64 {
    switch self {
    case .fixed(let milliseconds): min(max(0, milliseconds), Self.maximumMilliseconds)
    case .measured:
      connection.map {
        $0.origin == .simulated
          ? 0 : min(max(0, $0.roundTripMicroseconds ?? 0) / 1000, Self.maximumMilliseconds)
      } ?? 0
    }
  }
}

extension Order {
  /// Whether it is on its way to the venue, so that nothing of it is in the market.
  public var isTravelling: Bool { life.isOpen && latencyMilliseconds > 0 && arrivedAt == nil }
}

extension OrderHistory {
  /// The orders of an instrument that have arrived by a time, and those of a clock set back.
  func arrivals(in symbol: Symbol, by time: Timestamp) -> [OrderIdentifier] {
    due(travelling, in: symbol, by: time)
  }

  /// The orders of an instrument with a change whose way is over.
  func changes(in symbol: Symbol, by time: Timestamp) -> [OrderIdentifier] {
    due(changing, in: symbol, by: time)
  }

  private func due(
    _ orders: [DatedOrder], in symbol: Symbol, by time: Timestamp
  ) -> [OrderIdentifier] {
    orders.filter { $0.isDue(at: time) }.map(\.order)
      .filter { order($0)?.request.symbol == symbol }
  }
}

// MARK: - Matching

extension MatchRun {
  /// Lets the instrument's orders act whose way to the venue is over.
  mutating func arrive() {
    for identifier in history.arrivals(in: rules.symbol, by: time) {
      guard let order = history.order(identifier), order.isTravelling else { continue }
      let request = order.request
      // A trailing stop needs a price to follow.
      if let trail = request.trigger?.trail, market?.firstMove(of: trail, for: request.side) == nil
      {
        continue
      }
      record(.arrived(identifier, live))
      catchUp()
      if request.terms.isPostOnly, live != nil, termsCheck.taking(request) != nil {
        cancel(order, because: .postOnly)
      } else if request.link == nil {
        begin(request, identifier)
      }
      settle()
      catchUp()
    }
  }
}
