public import MarketModel
public import PaperTrading
import WireJSON

/// The scales of a ledger's prices and quantities, stored as its first text.
public struct Genesis: Hashable, Sendable {
  /// Decimal digits of a price unit.
  public let priceScale: Scale
  /// Decimal digits of a quantity unit.
  public let quantityScale: Scale

  /// Creates a genesis of these scales.
  public init(priceScale: Scale, quantityScale: Scale) {
    self.priceScale = priceScale
    self.quantityScale = quantityScale
  }

  var payload: String {
    var json = JSONWriter()
    json.object { json in
      json.member("v", 1)
      json.member("ledger", Genesis.name)
      json.member("priceScale", priceScale.digits)
      json.member("quantityScale", quantityScale.digits)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  init?(payload: String) {
    var reader = PayloadReader(payload)
    do throws(JSONError) {
      let scales = try reader.object { members throws(JSONError) in
        _ = try members.integer("v")
        _ = try members.string("ledger")
        return (try members.integer("priceScale"), try members.integer("quantityScale"))
      }
      guard let price = Int(exactly: scales.0).flatMap(Scale.init(digits:)),
        let quantity = Int(exactly: scales.1).flatMap(Scale.init(digits:))
      else { return nil }
      self.init(priceScale: price, quantityScale: quantity)
    } catch { return nil }
    guard self.payload.utf8.elementsEqual(payload.utf8) else { return nil }
  }

  private static let name = "livetape orders"
}

extension Genesis {
  /// Creates a genesis with the scales of these rules.
  public init(_ rules: TradingRules) {
    self.init(priceScale: rules.priceScale, quantityScale: rules.quantityScale)
  }

  /// The scales of an instrument: those of the ledger for the exchange's stock, or its own.
  public func scales(of symbol: Symbol, in history: OrderHistory) -> Genesis {
    history.listings[symbol].map { Genesis($0) } ?? self
  }
}
