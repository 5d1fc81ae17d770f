// What is owned of the exchange's stock (LT12): draws what the order service says.

public import MarketModel
import PaperTrading
import VenueCatalogue

/// A position's cost and what came of it, by one method.
public struct PositionCostState: Equatable, Sendable {
  /// The cost of one unit, rounded half to even at the price scale; nil without a position.
  public let cost: FixedDecimal?
  /// What closed positions brought less what they had cost, in digits.
  public let realised: String
  /// What getting out now would bring less what the position cost, in digits; nil while no price to
  /// get out at is known.
  public let unrealised: String?
}

/// A point of the equity line as it is drawn.
public struct EquityPointState: Equatable, Sendable {
  /// When.
  public let time: Timestamp
  /// Cash and position, in digits.
  public let equity: String
  /// Whether the position was counted at the price of a fill, not at the one to get out at.
  public let isFill: Bool
}

/// What is owned: topic `positions` of docs/page-protocol.md.
public struct PositionsState: Equatable, Sendable {
  /// Whether the order service has said anything yet.
  public internal(set) var isLoaded = false
  /// The stock.
  public internal(set) var symbol: Symbol
  /// ISO 4217 code of the amounts.
  public let currency = ExchangeCatalogue.currency
  /// Decimals that prices show at least.
  public let decimals = ExchangeCatalogue.decimals
  /// How much is owned; negative when more was sold than bought.
  public internal(set) var quantity: FixedDecimal?
  /// What sales brought less what purchases cost, in digits.
  public internal(set) var cash = "0"
  /// The best offer to get out at, as it was last seen; nil where there is none.
  public internal(set) var out: OrderLevelState?
  /// What the position is worth there, in digits.
  public internal(set) var value: String?
  /// Cash and position together, in digits.
  public internal(set) var equity: String?
  /// What is not known of the way out, as a sentence.
  public internal(set) var note: String?
  /// By the average method.
  public internal(set) var average = PositionCostState(cost: nil, realised: "0", unrealised: nil)
  /// By FIFO.
  public internal(set) var fifo = PositionCostState(cost: nil, realised: "0", unrealised: nil)
  /// Fills since the first order and minutes since the start, oldest first.
  public internal(set) var line: [EquityPointState] = []
}

/// What is owned.
public struct PositionsScreen: Screen {
  /// What is owned now.
  public private(set) var state: PositionsState
  /// No stream: the order service tells.
  public let wanted: Set<MarketKey> = []

  /// Makes the screen of the listed stock.
  public init(symbol: Symbol) { state = PositionsState(symbol: symbol) }

  /// Takes what is owned as it stands now.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard case .position(let report) = input else { return [] }
    let (account, rules) = (report.account, report.rules)
    func text(_ amount: WideInteger) -> String { amount.text(digits: report.amountDigits) }
    func cost(_ method: PositionAccount.Method) -> PositionCostState {
      let isFlat = account.quantity == .zero
      let unrealised = report.out.map { account.unrealised(at: $0.price, by: method) }
      return PositionCostState(
        cost: account.unitCost(by: method).map { rules.decimal($0) },
        realised: text(account.realised(by: method)),
        unrealised: isFlat ? "0" : unrealised.map(text))
    }
    state.isLoaded = true
    state.quantity = rules.decimal(account.quantity)
    state.cash = text(account.cash)
    state.out = report.out.map {
      OrderLevelState(price: rules.decimal($0.price), quantity: rules.decimal($0.quantity))
    }
    state.value =
      account.quantity == .zero ? "0" : report.out.map { text(account.value(at: $0.price)) }
    state.equity = report.equity.map(text)
    state.note = report.note
    (state.average, state.fifo) = (cost(.average), cost(.fifo))
    state.line = (account.line.points + report.minutes.points).sorted { $0.time < $1.time }.map {
      EquityPointState(time: $0.time, equity: text($0.equity), isFill: $0.kind == .fill)
    }
    return []
  }

  /// Nothing can be done here.
  public typealias Action = Never
}
