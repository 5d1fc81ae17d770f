// The first text of a ledger: what one unit of its prices and quantities is. A number without its
// scale could be read wrongly years later.

public import MarketModel
public import PaperTrading

/// What holds for all of a ledger.
public struct Genesis: Hashable, Sendable {
  /// What one price unit is.
  public let priceScale: Scale
  /// What one quantity unit is.
  public let quantityScale: Scale

  /// Pairs the scales.
  public init(priceScale: Scale, quantityScale: Scale) {
    self.priceScale = priceScale
    self.quantityScale = quantityScale
  }

  /// The one text.
  var payload: String {
    "{\"v\":1,\"ledger\":\"livetape orders\",\"priceScale\":\(priceScale.digits)"
      + ",\"quantityScale\":\(quantityScale.digits)}"
  }

  /// Reads that text; nil for anything else.
  init?(payload: String) {
    var scanner = PayloadScanner(payload)
    do throws(MalformedPayload) {
      try scanner.expect("{\"v\":1,\"ledger\":\"livetape orders\",\"priceScale\":")
      let price = try scanner.integer()
      try scanner.expect(",\"quantityScale\":")
      let quantity = try scanner.integer()
      try scanner.expect("}")
      try scanner.expectEnd()
      guard let price = Scale(digits: Int(price)), let quantity = Scale(digits: Int(quantity))
      else { return nil }
      self.init(priceScale: price, quantityScale: quantity)
    } catch { return nil }
  }
}

extension Genesis {
  /// The scales of these rules.
  public init(_ rules: TradingRules) {
    self.init(priceScale: rules.priceScale, quantityScale: rules.quantityScale)
  }
}
