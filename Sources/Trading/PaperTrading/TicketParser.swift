public import MarketModel

/// Parses a ticket's fields to exact integers, or throws the reason.
///
/// The decimal sign is a point in every locale. A comma is ambiguous (“1,250” may mean 1250 or
/// 1.25), so it is rejected with an explanation instead of guessed.
public struct TicketParser: Sendable {
  /// The maximum length of a field in bytes.
  public static let maximumBytes = 40

  /// The instrument's steps and bounds.
  public let rules: TradingRules

  /// Creates a parser for these rules.
  public init(rules: TradingRules) { self.rules = rules }

  /// Parses a quantity and validates lot and bounds.
  public func quantity(_ text: String) throws(TicketProblem) -> Quantity {
    guard let value = try decimal(text, .quantity).exactly(at: rules.quantityScale) else {
      throw .tooFine(.quantity, shown(text))
    }
    let quantity = Quantity(units: value.units)
    if let broken = rules.brokenLimit(ofQuantity: quantity) { throw .broken(broken) }
    return quantity
  }

  /// Parses a limit price and validates tick and bounds; `market` is the live market or nil.
  public func price(
    _ text: String, of field: TicketProblem.Field = .price, market: TopOfBook?
  ) throws(TicketProblem) -> Price {
    guard let value = try decimal(text, field).exactly(at: rules.priceScale) else {
      throw .tooFine(field, shown(text))
    }
    let price = Price(units: value.units)
    if let broken = rules.brokenLimit(ofPrice: price, market: market) {
      throw field == .price ? .broken(broken) : .brokenTrigger(broken, field)
    }
    return price
  }

  /// Accepts spaces around a sign and digits with at most one point.
  func decimal(
    _ text: String, _ field: TicketProblem.Field
  ) throws(TicketProblem) -> FixedDecimal {
    var bytes = Array(text.utf8.prefix(TicketParser.maximumBytes + 1))
    guard bytes.count <= TicketParser.maximumBytes else { throw .tooLong(field) }
    while bytes.last == 0x20 { bytes.removeLast() }
    bytes.removeFirst(bytes.prefix { $0 == 0x20 }.count)
    guard !bytes.isEmpty else { throw .empty(field) }
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    if bytes.contains(UInt8(ascii: ",")) { throw .comma(field, shown(text)) }
    let parts = bytes.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts.first ?? []
    let fraction = parts.count == 2 ? parts[1] : []
    guard !(whole.isEmpty && fraction.isEmpty), (whole + fraction).allSatisfy(isDigit) else {
      throw .notANumber(field, shown(text))
    }
    return try assemble(isNegative, whole, fraction, field, text)
  }

  private func assemble(
    _ isNegative: Bool, _ whole: ArraySlice<UInt8>, _ fraction: ArraySlice<UInt8>,
    _ field: TicketProblem.Field, _ text: String
  ) throws(TicketProblem) -> FixedDecimal {
    let significant = fraction.prefix(
      fraction.lastIndex { $0 != UInt8(ascii: "0") }.map {
        $0 - fraction.startIndex + 1
      } ?? 0)
    guard let scale = Scale(digits: significant.count) else { throw .tooFine(field, shown(text)) }
    var units: Int64 = 0
    for digit in whole + significant {
      let (product, first) = units.multipliedReportingOverflow(by: 10)
      let (sum, second) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      if first || second { throw .tooBig(field, shown(text)) }
      units = sum
    }
    return FixedDecimal(units: isNegative ? -units : units, scale: scale)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private func shown(_ text: String) -> String { String(text.prefix(24)) }
}

/// An error in a ticket field.
public enum TicketProblem: Error, Hashable, Sendable {
  /// A field of the ticket.
  public enum Field: String, Hashable, Sendable {
    case quantity
    case price
    case trigger
    /// The take-profit of a bracket.
    case profit

    fileprivate var word: Sentence {
      switch self {
      case .quantity: "quantity"
      case .price: "price"
      case .trigger: "trigger price"
      case .profit: "take-profit price"
      }
    }

    fileprivate var request: Sentence {
      switch self {
      case .quantity: "Enter a quantity."
      case .price: "Enter a price."
      case .trigger: "Enter a trigger price."
      case .profit: "Enter a take-profit price."
      }
    }
  }

  case empty(Field)
  case tooLong(Field)
  /// Letters, "NaN", an exponent, two points, or digits other than 0–9.
  case notANumber(Field, String)
  /// A comma, which is ambiguous.
  case comma(Field, String)
  /// More decimals than the instrument allows.
  case tooFine(Field, String)
  case tooBig(Field, String)
  case broken(RejectionReason)
  case brokenTrigger(RejectionReason, Field)
  /// An exit that the price of its order would trigger at once.
  case exitBeyond(Trigger, Side, entry: Price)
  /// A distance in percent that is not 0.01 to 50 with two decimals at most.
  case badTrail
  /// A trigger on the wrong side of the last trade.
  case metTrigger(Trigger, Side, last: Price)

  /// Whether the same ticket may be right once prices have arrived.
  public var mayPass: Bool {
    guard case .broken(let reason) = self else { return false }
    switch reason {
    case .marketNotLive, .cannotWait, .bookNotLive, .tooManyOpenOrders, .postOnlyNotLive,
      .noPriceToTrail:
      return true
    default: return false
    }
  }

  /// The text for the user, with the broken limit.
  public func userMessage(under rules: TradingRules) -> Sentence {
    switch self {
    case .empty(let field): field.request
    case .tooLong(let field): "The \(field.word) is too long to be a number."
    case .notANumber(let field, let text):
      """
      The \(field.word) must be a number in plain digits, such as \(example(field, rules)); \
      “\(text)” is not.
      """
    case .comma(let field, let text):
      """
      Write the \(field.word) with a point and without separators, such as \
      \(example(field, rules)); in “\(text)” the comma could mean either.
      """
    case .tooFine(.quantity, let text):
      "The quantity must be a multiple of \(rules.text(rules.lot)); “\(text)” is not."
    case .tooFine(_, let text):
      "The price must be a multiple of \(rules.text(rules.tick)); “\(text)” is not."
    case .tooBig(.quantity, _):
      "One order can be for at most \(rules.text(rules.maximumQuantity))."
    case .tooBig: "The price can be at most \(rules.text(rules.maximumPrice))."
    case .exitBeyond(let trigger, let side, let entry):
      """
      The \(trigger.word) must be \(trigger.place(for: side)) the price of the order, \
      \(rules.text(entry)); \(rules.text(trigger.price)) is not.
      """
    case .badTrail: RejectionReason.badTrail.userMessage(under: rules)
    case .broken(let reason), .brokenTrigger(let reason, _): reason.userMessage(under: rules)
    case .metTrigger(let trigger, let side, let last):
      """
      A \(trigger.word) \(side.purpose) must be \(trigger.place(for: side)) the market; \
      \(rules.text(trigger.price)) would trigger at once: the last price is \(rules.text(last)).
      """
    }
  }

  private func example(_ field: Field, _ rules: TradingRules) -> String {
    field == .quantity
      ? rules.text(Quantity(units: min(rules.maximumQuantity.units, rules.lot.units &* 100)))
      : rules.text(Price(units: min(rules.maximumPrice.units, rules.tick.units &* 4510)))
  }
}

extension Side {
  fileprivate var purpose: Sentence { self == .buy ? "to buy" : "to sell" }
}
