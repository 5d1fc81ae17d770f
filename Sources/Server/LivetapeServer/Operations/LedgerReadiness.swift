// How the process that keeps the ledger is, for a supervisor on the same machine.

import MessageBus
import SharedLedger
import WireJSON

/// What keeps an order service from being ready, and what it keeps.
struct LedgerReadiness: ProcessReadiness, Equatable {
  /// Whether messages travel to the servers.
  var link: BusLink
  /// What it keeps, as long as the lease is its own.
  var standing = LedgerStanding()

  /// Whether it takes orders, or would at once when another process ends.
  var isReady: Bool { link == .up && standing.failure == nil && standing.problem == nil }

  /// `{"ready":true,"count":0,"reasons":[],"ledger":{"role":"keeps","epoch":7,"events":12}}`.
  var json: [UInt8] {
    var reasons = busReasons
    if let problem = standing.problem { reasons.append(problem.reason) }
    if let failure = standing.failure { reasons.append(("orders_refused", failure)) }
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
