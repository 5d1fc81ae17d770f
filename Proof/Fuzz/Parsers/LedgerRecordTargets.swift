// Messages between servers and the process that keeps their orders: what is read round-trips
// through writing.

import NIOCore
import OrderService

@testable import SharedLedger

@Sendable func ledgerCommand(_ bytes: Span<UInt8>) {
  guard let command = SentCommand(buffer(bytes)) else { return }
  guard SentCommand(command.bytes) == command else { fail("another command: \(command)") }
}

@Sendable func ledgerResponse(_ bytes: Span<UInt8>) {
  guard let response = OrderResponse(buffer(bytes)) else { return }
  guard OrderResponse(response.bytes) == response else { fail("another response: \(response)") }
}

@Sendable func ledgerNotices(_ bytes: Span<UInt8>) {
  guard let notices = LedgerNotices(buffer(bytes)) else { return }
  guard LedgerNotices(notices.bytes) == notices else { fail("other notices: \(notices)") }
  for line in notices.lines where line.text.utf8.contains(where: { $0 < 0x20 }) {
    fail("a control: \(line)")
  }
}
