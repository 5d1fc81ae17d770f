public import MarketModel
import PaperTrading
import VenueCatalogue

/// What all positions in one currency add up to, exactly.
public struct CurrencySum: Equatable, Sendable {
  /// The most decimals of an amount in this currency.
  var decimals = Scale.whole
  var cash = AmountSum()
  var fees = AmountSum()
  /// The value of the positions that have an exit price.
  var value = AmountSum()
  /// Cash plus value.
  var equity = AmountSum()
  /// The lowest and highest equity if more was filled than is certain.
  var (low, high) = (AmountSum(), AmountSum())
  var average = CostSum()
  var fifo = CostSum()
  /// Whether every position has an exit price.
  var isValued = true
  /// Whether nothing more may be filled than is certain.
  var isCertain = true
  /// Whether ``low`` and ``high`` are known.
  var isBounded = true

  /// Realised P&L before fees and unrealised P&L, by one method.
  struct CostSum: Equatable, Sendable {
    var realised = AmountSum()
    var unrealised = AmountSum()

    fileprivate mutating func add(
      _ account: PositionAccount, _ method: PositionAccount.Method, value: WideInteger,
      digits: Int
    ) {
      realised.add(account.realised(by: method), digits: digits)
      unrealised.add(value - account.cost(by: method), digits: digits)
    }
  }

  /// Whether the lowest and highest equity are known and differ from the certain one.
  var hasRange: Bool { isValued && isBounded && !isCertain }

  /// All amounts.
  static var figures: [WritableKeyPath<CurrencySum, AmountSum>] {
    [
      \.cash, \.fees, \.value, \.equity, \.low, \.high, \.average.realised,
      \.average.unrealised, \.fifo.realised, \.fifo.unrealised,
    ]
  }

  /// Adds a sum of the same currency.
  mutating func add(_ other: CurrencySum) {
    decimals = max(decimals, other.decimals)
    for figure in Self.figures { self[keyPath: figure].add(other[keyPath: figure]) }
    isValued = isValued && other.isValued
    isCertain = isCertain && other.isCertain
    isBounded = isBounded && other.isBounded
  }

  fileprivate mutating func add(_ report: PositionReport) {
    let (account, rules) = (report.account, report.rules)
    let (digits, value) = (rules.amountDigits, report.value)
    decimals = max(decimals, rules.minimumAmountDecimals)
    cash.add(account.cash, digits: digits)
    fees.add(account.fees, digits: digits)
    self.value.add(value ?? .zero, digits: digits)
    let certain = account.cash + (value ?? .zero)
    equity.add(certain, digits: digits)
    low.add(report.range?.equity?.low ?? certain, digits: digits)
    high.add(report.range?.equity?.high ?? certain, digits: digits)
    average.add(account, .average, value: value ?? .zero, digits: digits)
    fifo.add(account, .fifo, value: value ?? .zero, digits: digits)
    isValued = isValued && value != nil
    isCertain = isCertain && report.range == nil
    isBounded = isBounded && (report.range == nil || report.range?.equity != nil)
  }
}

/// The positions that count, and their sums by currency.
struct PositionReports: Sendable {
  private var reports: [Symbol: PositionReport] = [:]

  /// Applies a report; returns the sums; O(instruments).
  mutating func sums(with report: PositionReport) -> [String: CurrencySum] {
    let counts = report.account.hasTraded || report.range != nil
    reports[report.rules.symbol] = counts ? report : nil
    return reports.values.reduce(into: [:]) { sums, report in
      sums[report.rules.currency ?? ExchangeCatalogue.currency, default: CurrencySum()].add(report)
    }
  }
}

/// What all positions in one currency add up to, in digits.
public struct CurrencyTotalState: Equatable, Sendable {
  /// The most decimals of an amount in this currency.
  public let decimals: Scale
  /// The cash of all of them; nil if it is too large.
  public let cash: String?
  /// Their value at the exit prices; nil while one of these is unknown.
  public let value: String?
  /// Cash plus value; nil without a value.
  public let equity: String?
  /// The lowest equity if more was filled than is certain; nil if nothing may be, and without a
  /// value.
  public let lowEquity: String?
  /// The highest equity likewise.
  public let highEquity: String?

  init(_ sum: CurrencySum) {
    decimals = sum.decimals
    cash = sum.cash.text
    (value, equity) = sum.isValued ? (sum.value.text, sum.equity.text) : (nil, nil)
    (lowEquity, highEquity) = sum.hasRange ? (sum.low.text, sum.high.text) : (nil, nil)
  }
}

extension TradingRules {
  /// Minimum decimals of amounts of money: those of prices, and no fewer than cents have.
  var minimumAmountDecimals: Scale {
    currency == nil ? ExchangeCatalogue.decimals : max(priceDecimals, ExchangeCatalogue.decimals)
  }
}
