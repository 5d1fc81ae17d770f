import MarketModel
import PriceAlerts
import WireJSON

extension AlertFiring {
  /// As in topic `alerts`; what receivers outside the page get.
  var json: [UInt8] {
    var writer = JSONWriter(capacity: 256)
    AlertsState.write(self, to: &writer)
    return writer.bytes
  }
}

extension AlertsState: PageEncodable {
  /// The maximum number of firings, and of blind spans, sent to a page: the newest.
  private static let maximumRows = 50

  var page: PageValue {
    var object = PageObject()
    object.set("rows", array: book.alerts) {
      AlertsState.write($1, failures[$1.id], to: &$0)
    }
    object.set("firings", array: book.firings.suffix(AlertsState.maximumRows).reversed()) {
      writer, firing in
      AlertsState.write(firing, to: &writer)
    }
    object.set("blind", array: book.blindTimes.suffix(AlertsState.maximumRows).reversed()) {
      writer, span in
      AlertsState.write(span, to: &writer)
    }
    object.set("problem", sentence: problem)
    return object.value
  }

  private static func write(
    _ alert: PriceAlert, _ failure: DeliveryFailure?, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("id", String(alert.id))
    write(alert.instrument, to: &writer)
    write(alert.condition, to: &writer)
    writer.member("again", alert.repeats)
    if alert.cooldownSeconds > 0 { writer.member("pause", alert.cooldownSeconds) }
    writer.member("armed", alert.isArmed)
    if let side = alert.side { writer.member("side", side.rawValue) }
    writer.member("createdAt", alert.createdAt.milliseconds)
    if let time = alert.firedAt { writer.member("firedAt", time.milliseconds) }
    if let failure {
      writer.key("undelivered")
      writer.beginObject()
      writer.member("count", failure.count)
      writer.member("reason", failure.reason)
      writer.endObject()
    }
    writer.endObject()
  }

  fileprivate static func write(_ firing: AlertFiring, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("number", firing.number)
    writer.member("alert", String(firing.alert))
    write(firing.instrument, to: &writer)
    write(firing.condition, to: &writer)
    if let from = firing.from {
      writer.member("direction", from == .below ? "up" : "down")
      writer.member("price", decimal: firing.value)
    } else {
      writer.member("value", decimal: firing.value)
    }
    writer.member("time", firing.time.milliseconds)
    if firing.identifier != 0 { writer.member("trade", String(firing.identifier)) }
    writer.member("at", firing.at.milliseconds)
    if let since = firing.blindSince { writer.member("blindSince", since.milliseconds) }
    writer.endObject()
  }

  private static func write(_ span: BlindSpan, to writer: inout JSONWriter) {
    writer.beginObject()
    write(span.instrument, to: &writer)
    writer.member("since", span.since.milliseconds)
    if let until = span.until { writer.member("until", until.milliseconds) }
    writer.endObject()
  }

  private static func write(_ condition: AlertCondition, to writer: inout JSONWriter) {
    writer.member("kind", condition.kind.rawValue)
    if let level = condition.level { writer.member("level", decimal: level) }
    if let seconds = condition.seconds { writer.member("window", seconds) }
  }

  private static func write(_ instrument: InstrumentKey, to writer: inout JSONWriter) {
    writer.member("venue", instrument.venue.rawValue)
    writer.member("symbol", instrument.symbol.text)
  }
}
