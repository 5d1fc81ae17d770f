import MarketModel
package import OrderService
package import PaperTrading
import WireJSON

/// Encodes order responses for the requesting page, and notices for pages that show orders.
package enum OrderReplies {
  /// Encodes `{"reply":{…}}`; nil if it is unknown whether an order was accepted.
  ///
  /// The page keeps waiting then, and resends the order.
  package static func reply(to ask: PageAsk, _ answer: OrderResponse) -> [UInt8]? {
    if case .place = ask.command, case .unconfirmed = answer { return nil }
    var object = PageObject()
    object.set("to", text: ask.action)
    switch ask.command {
    case .place(let ticket): object.set("clientId", text: ticket.clientIdentifier.text)
    case .amend(let ticket):
      object.set("id", text: ticket.order.description)
      object.set("clientId", text: ticket.clientIdentifier.text)
    case .cancel(let order), .cancelAll(through: let order):
      object.set("id", text: order.description)
    case .preview: object.set("ask", integer: ask.number)
    }
    switch answer {
    case .placed(let order, let isRepeated):
      object.set("ok", boolean: true)
      object.set("id", text: order.description)
      object.set("repeated", boolean: isRepeated)
    case .amended(_, let isRepeated):
      object.set("ok", boolean: true)
      object.set("repeated", boolean: isRepeated)
    case .cancelled: object.set("ok", boolean: true)
    case .cancelledAll(let count):
      object.set("ok", boolean: true)
      object.set("count", integer: Int64(count))
    case .preview(let figures): set(figures, in: &object)
    case .refused(let refusal):
      object.set("ok", boolean: false)
      if case .place = ask.command { object.set("id", text: refusal.order?.description) }
      object.set("message", sentence: refusal.message)
      object.set("field", text: refusal.field?.rawValue)
      if case .preview = ask.command { object.set("usual", decimal: refusal.usual) }
    case .unconfirmed(let sentence):
      object.set("ok", boolean: false)
      object.set("message", sentence: sentence)
    }
    return message("reply", object)
  }

  /// Encodes `{"notice":{…}}`.
  package static func notice(_ notice: OrderNotice) -> [UInt8] {
    var object = PageObject()
    object.set("order", text: notice.order.description)
    object.set("text", sentence: notice.text)
    object.set("warning", boolean: notice.isWarning)
    object.set("at", time: notice.time)
    return message("notice", object)
  }

  private static func set(_ figures: TicketPreview.Figures, in object: inout PageObject) {
    let rules = figures.rules
    object.set("ok", boolean: true)
    if let fill = figures.fill, let average = rules.decimal(fill.average) {
      object.set("fill") { $0.pair(average, rules.decimal(fill.quantity)) }
      object.set("worst", decimal: rules.decimal(fill.worst))
      object.set("fee", text: figures.fee.map { rules.text(amount: $0) })
      object.set("slippage", integer: figures.risk.slippage)
    }
    object.set("position", decimal: figures.risk.position.map { rules.decimal($0) })
    object.set("usual", decimal: figures.risk.usual.map { rules.decimal($0) })
    object.set("loss", text: figures.risk.loss.map { rules.text(amount: WideInteger($0)) })
    if figures.latencyMilliseconds > 0 {
      object.set("latency", text: String(figures.latencyMilliseconds))
    }
    object.set("leavesQuantity", decimal: rules.decimal(figures.leavesQuantity))
    object.set("remainderRests", boolean: figures.remainderRests)
    object.set("tick", integer: figures.tickNumber)
  }

  private static func message(_ kind: String, _ object: PageObject) -> [UInt8] {
    var outer = PageObject()
    outer.set(kind, object.value)
    var writer = JSONWriter(capacity: 256)
    outer.value.write(to: &writer)
    return writer.bytes
  }
}

extension JSONWriter {
  /// `["45.05","36"]`.
  mutating func pair(_ price: FixedDecimal, _ quantity: FixedDecimal) {
    beginArray()
    decimalString(price)
    decimalString(quantity)
    endArray()
  }
}
