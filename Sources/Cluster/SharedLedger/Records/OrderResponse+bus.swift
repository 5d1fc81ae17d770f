import MarketModel
import NIOCore
import OrderService
import PaperTrading
import WireJSON

extension OrderResponse {
  /// The response as one JSON object.
  var bytes: ByteBuffer {
    var json = JSONWriter()
    json.beginObject()
    switch self {
    case .placed(let order, let isRepeated): write("placed", order, isRepeated, to: &json)
    case .amended(let order, let isRepeated): write("amended", order, isRepeated, to: &json)
    case .cancelled(let order):
      json.member("is", "cancelled")
      json.member("order", order.number)
    case .cancelledAll(let count):
      json.member("is", "cancelledAll")
      json.member("count", count)
    case .preview(let figures):
      json.member("is", "preview")
      if let fill = figures.fill {
        json.member("notional", fill.average.notional)
        json.member("quantity", fill.quantity.units)
        json.member("worst", fill.worst.units)
      }
      json.member("priceDigits", Int(figures.rules.priceScale.digits))
      json.member("quantityDigits", Int(figures.rules.quantityScale.digits))
      if let fee = figures.fee?.narrow { json.member("fee", fee) }
      json.member("leaves", figures.leavesQuantity.units)
      json.member("rests", figures.remainderRests)
      json.member("tick", Int64(clamping: figures.tickNumber))
      if let slippage = figures.risk.slippage { json.member("slippage", slippage) }
      if let position = figures.risk.position { json.member("position", position.units) }
      if let usual = figures.risk.usual { json.member("usual", usual.units) }
      if let loss = figures.risk.loss { json.member("loss", loss) }
      if figures.latencyMilliseconds > 0 { json.member("latency", figures.latencyMilliseconds) }
    case .refused(let refusal):
      json.member("is", "refused")
      json.member("message", refusal.message)
      if let field = refusal.field { json.member("field", field.rawValue) }
      if let order = refusal.order { json.member("order", order.number) }
      json.member("nameTaken", refusal.isNameTaken)
      json.member("final", refusal.isFinal)
      if let usual = refusal.usual { json.member("usual", usual.description) }
    case .unconfirmed(let message):
      json.member("is", "unconfirmed")
      json.member("message", message)
    }
    json.endObject()
    return ByteBuffer(bytes: json.bytes)
  }

  private func write(
    _ kind: String, _ order: OrderIdentifier, _ isRepeated: Bool, to json: inout JSONWriter
  ) {
    json.member("is", kind)
    json.member("order", order.number)
    json.member("repeated", isRepeated)
  }

  /// `rules` are those of the command's instrument; figures in other units are unreadable.
  init?(_ bytes: ByteBuffer, under rules: TradingRules) {
    guard let object = FlatObject(Array(bytes.readableBytesView)) else { return nil }
    let order = OrderIdentifier(object)
    switch (object.text("is"), order) {
    case ("placed", let order?):
      self = .placed(order, isRepeated: object.flag("repeated") == true)
    case ("amended", let order?):
      self = .amended(order, isRepeated: object.flag("repeated") == true)
    case ("cancelled", let order?): self = .cancelled(order)
    case ("cancelledAll", _):
      guard let count = object.integer("count").flatMap({ Int(exactly: $0) }) else { return nil }
      self = .cancelledAll(count: count)
    case ("preview", _):
      guard let figures = TicketPreview.Figures(object, rules) else { return nil }
      self = .preview(figures)
    case ("refused", _):
      guard let message = object.sentence("message") else { return nil }
      self = .refused(
        Refusal(
          message, field: object.text("field").flatMap { TicketProblem.Field(rawValue: $0) },
          order: order, isNameTaken: object.flag("nameTaken") == true,
          isFinal: object.flag("final") == true,
          usual: object.text("usual").flatMap { FixedDecimal($0) }))
    case ("unconfirmed", _):
      guard let message = object.sentence("message") else { return nil }
      self = .unconfirmed(message)
    default: return nil
    }
  }
}

extension TicketPreview.Figures {
  fileprivate init?(_ object: FlatObject, _ rules: TradingRules) {
    guard object.integer("priceDigits") == Int64(rules.priceScale.digits),
      object.integer("quantityDigits") == Int64(rules.quantityScale.digits),
      let leaves = object.integer("leaves"), let rests = object.flag("rests"),
      let tick = object.integer("tick").flatMap({ UInt64(exactly: $0) })
    else { return nil }
    var fill: Execution?
    if let notional = object.integer("notional"), let quantity = object.integer("quantity"),
      let worst = object.integer("worst"),
      let average = AveragePrice(notional: notional, quantity: Quantity(units: quantity))
    {
      fill = Execution(average: average, worst: Price(units: worst))
    }
    self.init(
      fill: fill, fee: object.integer("fee").map { WideInteger($0) },
      leavesQuantity: Quantity(units: leaves), remainderRests: rests,
      risk: TicketPreview.Risk(
        slippage: object.integer("slippage"),
        position: object.integer("position").map { Quantity(units: $0) },
        usual: object.integer("usual").map { Quantity(units: $0) },
        loss: object.integer("loss")),
      latencyMilliseconds: object.integer("latency") ?? 0,
      tickNumber: tick, rules: rules)
  }
}
