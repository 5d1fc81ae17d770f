import MessageBus
import SharedLedger
import WireJSON

/// The readiness of an order service, for a supervisor on the same machine.
struct LedgerReadiness: ProcessReadiness, Equatable {
  var link: BusLink
  var standing = LedgerStanding()

  /// Whether it accepts orders, or would at once if another process ended.
  var isReady: Bool { link == .up && standing.failure == nil && standing.problem == nil }

  /// `{"ready":true,"count":0,"reasons":[],"ledger":{"role":"keeps","epoch":7,"events":12}}`.
  var json: [UInt8] {
    var reasons = busReasons
    if let problem = standing.problem { reasons.append(problem.reason) }
    if let failure = standing.failure { reasons.append(("orders_refused", "\(failure)")) }
    var writer = JSONWriter()
    begin(&writer, reasons)
    writer.key("ledger")
    writer.beginObject()
    writer.member("role", standing.epoch == nil ? "standby" : "keeps")
    if let epoch = standing.epoch {
      writer.member("epoch", epoch)
      writer.member("events", standing.events)
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }
}
