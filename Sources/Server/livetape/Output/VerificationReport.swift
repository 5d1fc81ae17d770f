import OrderLedger
import PaperTrading
import WireJSON

/// The output of `livetape ledger verify`.
struct VerificationReport {
  private let ledger: LedgerReader

  init(_ ledger: LedgerReader) { self.ledger = ledger }

  private var head: String { ledger.verification.headHash?.description ?? "-" }

  var text: String {
    let verification = ledger.verification
    var lines = [
      "\(verification.isIntact ? "intact" : "DAMAGED"): \(verification.eventCount) events, "
        + "\(ledger.history.orders.count) orders", "head \(head)",
    ]
    if !verification.isAnchored {
      lines.append("no anchor: whether events are missing at the end can't be told")
    }
    lines += verification.findings.map { "- \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One JSON object, or CSV with a header and one line.
  func encoded(as format: LedgerReader.Format) -> String {
    let verification = ledger.verification
    if format == .csv {
      return "intact,events,orders,head,anchored,findings\n"
        + "\(verification.isIntact),\(verification.eventCount),\(ledger.history.orders.count),"
        + "\(head),\(verification.isAnchored),\(verification.findings.count)\n"
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("intact", verification.isIntact)
      writer.member("events", verification.eventCount)
      writer.member("orders", ledger.history.orders.count)
      writer.member("head", head)
      writer.member("anchored", verification.isAnchored)
      writer.member("findings", array: verification.findings) { $0.string($1.description) }
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}
