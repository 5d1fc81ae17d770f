// The first text of a ledger: what one unit of its prices and quantities is. A number without its
// scale could be read wrongly years later.

public import MarketModel
public import PaperTrading
import WireJSON

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
    var json = JSONWriter()
    json.beginObject()
    json.member("v", 1)
    json.member("ledger", Genesis.name)
    json.member("priceScale", priceScale.digits)
    json.member("quantityScale", quantityScale.digits)
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Reads that text; nil for anything else.
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
  /// The scales of these rules.
  public init(_ rules: TradingRules) {
    self.init(priceScale: rules.priceScale, quantityScale: rules.quantityScale)
  }
}
