public import MarketModel
public import PaperTrading

/// The order history with its receipts (EX6, LT5), from the order service, filtered.
public struct OrdersScreen: Screen {
  /// A user action.
  public enum Action: Hashable, Sendable {
    case show(OrdersFilter)
    case search(String)
  }

  /// The current history.
  public private(set) var state = OrdersState()
  /// No streams: the order service provides the orders.
  public let wanted: Set<MarketKey> = []

  /// Opens the history; it is empty before the first ``ScreenInput/orders(_:)``.
  public init() {}

  /// Applies the current orders.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard case .orders(let overview) = input else { return [] }
    state.rows = overview.reports.map { OrderRowState($0) }
    state.openRows = overview.open.map { OrderRowState($0) }
    state.total = overview.total
    state.openCount = overview.openCount
    state.counts = overview.counts
    state.filledCount = overview.filledCount
    state.fillCount = overview.fillCount
    state.storage = overview.storage
    state.failure = overview.failure
    state.knownUntil = overview.knownUntil
    state.skippedTicks = overview.skippedTicks
    state.isLoaded = true
    return []
  }

  /// Filters the rows.
  public mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect] {
    switch action {
    case .show(let filter): state.filter = filter
    case .search(let text): state.search = String(text.prefix(OrdersState.maximumSearchLength))
    }
    return []
  }
}

extension OrderRowState {
  /// The row of an order.
  public init(_ report: OrderReport) {
    let (order, receipt, rules) = (report.order, report.receipt, report.rules)
    self.init(
      id: order.identifier, clientIdentifier: order.request.clientIdentifier,
      symbol: order.request.symbol, side: order.request.side,
      quantity: rules.decimal(receipt.ordered),
      filled: rules.decimal(receipt.filled), currency: rules.currency,
      possible: rules.decimal(receipt.possible),
      open: rules.decimal(receipt.open),
      cancelled: rules.decimal(receipt.cancelled),
      average: receipt.average.flatMap { rules.decimal($0) },
      limit: order.request.kind.limit.map { rules.decimal($0) },
      protection: order.request.kind.protection.map { rules.decimal($0) },
      timeInForce: order.request.kind.timeInForce, amendments: order.amendments,
      status: order.life.status,
      placedAt: order.placedAt, changedAt: order.changedAt,
      reason: receipt.unfilled?.text(under: rules),
      levels: receipt.levels.map {
        OrderLevelState(price: rules.decimal($0.price), quantity: rules.decimal($0.quantity))
      },
      fills: (order.life.fills?.fills.suffix(OrderRowState.maximumFills) ?? []).map {
        OrderFillState(
          time: $0.time, price: rules.decimal($0.fill.price),
          quantity: rules.decimal($0.fill.quantity),
          fee: $0.fill.fee.map { rules.text(amount: WideInteger($0.amount)) },
          isMaker: $0.fill.fee?.isMaker == true, evidence: $0.fill.evidence(under: rules))
      },
      fees: receipt.fees.map { rules.text(amount: $0) },
      slippage: receipt.slippage.flatMap { rules.decimal($0) },
      wouldHaveFilled: receipt.wouldHaveFilled.map {
        OrderLevelState(price: rules.decimal($0.price), quantity: rules.decimal($0.quantity))
      })
    let isRejected = order.life.status == .rejected
    let exits =
      isRejected
      ? nil
      : order.original.exits.map {
        OrderLink($0.kind, to: OrderIdentifier(number: order.identifier.number + 1))
      }
    if order.latencyMilliseconds > 0 {
      latency = OrderLatencyState(
        milliseconds: order.latencyMilliseconds,
        submitted: receipt.submissionPrice.map { rules.decimal($0) },
        arrived: order.arrivedMarket?.opposite(of: order.request.side).map {
          rules.decimal($0.price)
        })
    }
    change = order.isCancelling ? .cancelling : order.isAmending ? .amending : nil
    (link, terms) = (order.request.link ?? exits, order.request.terms)
    if let trigger = order.request.trigger {
      self.trigger = OrderTriggerState(
        kind: trigger.kind, price: rules.decimal(trigger.price),
        activatedAt: order.activatedAt,
        met: order.activation.map { rules.decimal($0.proof.price) },
        gap: order.gap.flatMap { $0.units == 0 ? nil : rules.decimal($0) },
        number: order.activation?.proof.number, isLate: order.activation?.isLate == true,
        missed: order.missed)
      switch trigger.trail {
      case .distance(let price): self.trigger?.trail = rules.decimal(price)
      case .basisPoints(let points):
        self.trigger?.trailPercent =
          FixedDecimal(units: points, scale: Scale(clamping: 2)).trimmed
      case nil: break
      }
    }
  }
}
