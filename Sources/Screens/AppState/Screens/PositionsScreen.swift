public import MarketModel
import PaperTrading
import VenueCatalogue

/// A position's cost and P&L by one method.
public struct PositionCostState: Equatable, Sendable {
  /// The cost of one unit, rounded half to even to two decimals more than prices have; nil without
  /// a position.
  public let cost: FixedDecimal?
  /// The realised P&L before fees, in digits.
  public let realised: String
  /// The unrealised P&L if the position were closed through the visible book, in digits; nil while
  /// there is no exit.
  public let unrealised: String?
  /// The same in the middle of bid and ask; nil without both.
  public let middle: String?

  /// Creates a cost.
  public init(
    cost: FixedDecimal?, realised: String, unrealised: String?, middle: String? = nil
  ) {
    (self.cost, self.realised) = (cost, realised)
    (self.unrealised, self.middle) = (unrealised, middle)
  }
}

/// What closing a position at once would meet.
public struct PositionExitState: Equatable, Sendable {
  /// The levels that it would take, best first, each with the quantity taken of it.
  public let levels: [OrderLevelState]
  /// The taker's fee in digits; nil if unknown.
  public let fee: String?

  /// Creates an exit.
  public init(levels: [OrderLevelState], fee: String?) { (self.levels, self.fee) = (levels, fee) }
}

/// A point of the equity line as drawn.
public struct EquityPointState: Equatable, Sendable {
  /// The time.
  public let time: Timestamp
  /// Cash plus position, in digits.
  public let equity: String
  /// Whether the position is valued at the price of a fill instead of the exit price.
  public let isFill: Bool
}

/// What a position may be if more was filled than is certain.
public struct PositionRangeState: Equatable, Sendable {
  /// The lowest quantity.
  public let low: FixedDecimal
  /// The highest quantity.
  public let high: FixedDecimal
  /// The lowest equity in digits; nil while a price is unknown.
  public let lowEquity: String?
  /// The highest equity in digits; nil while a price is unknown.
  public let highEquity: String?

  /// Creates a range.
  public init(low: FixedDecimal, high: FixedDecimal, lowEquity: String?, highEquity: String?) {
    (self.low, self.high, self.lowEquity, self.highEquity) = (low, high, lowEquity, highEquity)
  }
}

/// The position in an instrument, and for the exchange's stock those in venues' markets (LT12):
/// topic `positions` of docs/page-protocol.md.
public struct PositionsState: Equatable, Sendable {
  /// Whether the order service has sent a position.
  public internal(set) var isLoaded = false
  /// The instrument.
  public internal(set) var symbol: Symbol
  /// The currency of the amounts.
  public internal(set) var currency = ExchangeCatalogue.currency
  /// Minimum decimals of amounts and costs.
  public internal(set) var decimals = ExchangeCatalogue.decimals
  /// The position; negative if short.
  public internal(set) var quantity: FixedDecimal?
  /// Proceeds of sales less cost of purchases and fees, in digits.
  public internal(set) var cash = "0"
  /// The fees of all fills, in digits; nil for the exchange's stock, which has none.
  public internal(set) var fees: String?
  /// The average price at which the last known book would close the position, and the quantity that
  /// it takes; nil without an opposite level.
  public internal(set) var out: OrderLevelState?
  /// How it would be closed; nil without an opposite level.
  public internal(set) var exit: PositionExitState?
  /// The position's value there, in digits.
  public internal(set) var value: String?
  /// Cash plus position, in digits.
  public internal(set) var equity: String?
  /// What it may be if more was filled than is certain; nil if nothing may.
  public internal(set) var range: PositionRangeState?
  /// What is unknown about the position's value, as a sentence.
  public internal(set) var note: Sentence?
  /// By the average method.
  public internal(set) var average = PositionCostState(cost: nil, realised: "0", unrealised: nil)
  /// By FIFO.
  public internal(set) var fifo = PositionCostState(cost: nil, realised: "0", unrealised: nil)
  /// Points per fill since the first order and per minute since the start, oldest first.
  public internal(set) var line: [EquityPointState] = []
  /// The positions in the venues' markets that have had fills.
  public internal(set) var markets: [Symbol: PositionsState] = [:]
  /// The sums by currency, of the instruments that have had fills.
  public internal(set) var sums: [String: CurrencySum] = [:]

  /// Whether more was sold than bought.
  public var isShort: Bool { (quantity?.units ?? 0) < 0 }

  /// The quantity that closes the position.
  public var size: FixedDecimal {
    let quantity = quantity ?? FixedDecimal(units: 0, scale: .whole)
    return FixedDecimal(units: abs(quantity.units), scale: quantity.scale)
  }

  /// The same in digits.
  public var totals: [String: CurrencyTotalState] { sums.mapValues(CurrencyTotalState.init) }
}

/// The screen of the position.
public struct PositionsScreen: Screen {
  /// The current position.
  public private(set) var state: PositionsState
  /// No streams: the order service provides the position.
  public let wanted: Set<MarketKey> = []
  private var reports = PositionReports()

  /// Creates the screen of the listed stock.
  public init(symbol: Symbol) { state = PositionsState(symbol: symbol) }

  /// Applies the current position.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard case .position(let report) = input else { return [] }
    if report.rules.hasBook {
      let symbol = report.rules.symbol
      var market = state.markets[symbol] ?? PositionsState(symbol: symbol)
      market.take(report)
      state.markets[symbol] = market
    } else {
      state.take(report)
    }
    state.sums = reports.sums(with: report)
    return []
  }

  /// No actions.
  public typealias Action = Never
}

extension PositionsState {
  fileprivate mutating func take(_ report: PositionReport) {
    let (account, rules) = (report.account, report.rules)
    func text(_ amount: WideInteger) -> String { rules.text(amount: amount) }
    func cost(_ method: PositionAccount.Method) -> PositionCostState {
      let open = account.cost(by: method)
      return PositionCostState(
        cost: account.unitCost(by: method).flatMap { rules.decimal($0) },
        realised: text(account.realised(by: method)),
        unrealised: report.value.map { text($0 - open) },
        middle: account.quantity == .zero ? "0" : report.exit?.middle.map { text($0 - open) })
    }
    if let currency = rules.currency {
      (self.currency, decimals) = (currency, rules.minimumAmountDecimals)
    }
    isLoaded = true
    quantity = rules.decimal(account.quantity)
    cash = text(account.cash)
    fees = rules.hasBook ? text(account.fees) : nil
    func level(_ price: FixedDecimal, _ quantity: Quantity) -> OrderLevelState {
      OrderLevelState(price: price, quantity: rules.decimal(quantity))
    }
    out = report.exit.flatMap { exit in
      rules.decimal(exit.average).map { level($0, exit.covered) }
    }
    exit = report.exit.map {
      PositionExitState(
        levels: $0.levels.map { level(rules.decimal($0.price), $0.quantity) },
        fee: $0.fee.map(text))
    }
    value = report.value.map(text)
    equity = report.equity.map(text)
    range = report.range.map {
      PositionRangeState(
        low: rules.decimal($0.low), high: rules.decimal($0.high),
        lowEquity: $0.equity.map { text($0.low) }, highEquity: $0.equity.map { text($0.high) })
    }
    note = report.note
    (average, fifo) = (cost(.average), cost(.fifo))
    line = (account.line.points + report.minutes.points).sorted { $0.time < $1.time }.map {
      EquityPointState(time: $0.time, equity: text($0.equity), isFill: $0.kind == .fill)
    }
  }
}
