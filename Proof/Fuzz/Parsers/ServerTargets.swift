// Input from pages, files and text: what is read round-trips through writing.

import AppState
import FeedConnections
import MarketModel
import PriceAlerts
import SimulatorServer
import VenueSimulator
import WireJSON

@testable import LivetapeServer

let targets: [String: Target] = [
  "page-request": pageRequest,
  "lists": { readKept(MarketLists.self, $0) },
  "alerts": { readKept(AlertBook.self, $0) },
  "truth": { readKept(TruthBoard.self, $0) },
  "faults": faults,
  "link": link,
  "script-request": scriptRequest,
  "script-socket": scriptSocket,
  "script-topic": scriptTopic,
]

private let now = Timestamp(milliseconds: 1_790_000_000_000)

@Sendable private func pageRequest(_ bytes: Span<UInt8>) {
  do throws(PageRequestError) {
    switch try PageRequest(bytes) {
    case .topics(let open, let close):
      guard max(open.count, close.count) <= PageRequest.maximumTopics else { fail("topics") }
    case .lists(let command):
      var lists = MarketLists()
      if (try? command.apply(to: &lists)) != nil { checkKept(lists) }
    case .alerts(let command):
      var alerts = AlertBook()
      if (try? command.apply(to: &alerts, at: now)) != nil { checkKept(alerts) }
    case .faults(.inject(let venue, let spec)):
      if let venue = Venue(rawValue: venue) { _ = try? VenueFaults(spec, at: venue) }
    default: break
    }
  } catch {
    if error.code.isEmpty || error.message.isEmpty { fail("no words") }
  }
}

private func readKept<Value: KeptValue>(_ type: Value.Type, _ bytes: Span<UInt8>) {
  if let value = try? Value(decoding: bytes) { checkKept(value) }
}

private func checkKept<Value: KeptValue>(_ value: Value) {
  let written = ContiguousArray(value.json)
  guard let again = try? Value(decoding: written.span) else {
    fail("not read again: \(String(decoding: written, as: UTF8.self))")
  }
  let twice = again.json
  if ContiguousArray(twice) != written {
    fail(
      "\(String(decoding: written, as: UTF8.self)) became \(String(decoding: twice, as: UTF8.self))"
    )
  }
}

/// A list of faults has one text and round-trips through it.
@Sendable private func faults(_ bytes: Span<UInt8>) {
  do throws(FaultSpecError) {
    let spec = try FaultSpec(text(bytes))
    guard let again = try? FaultSpec(spec.description), again == spec else {
      fail("\(spec) is not read as it was")
    }
  } catch {
    let line = error.description
    if line.isEmpty || line.utf8.count > 1000 || line.utf8.contains(where: { $0 < 0x20 }) {
      fail("no line: \(line)")
    }
  }
}

/// Any link or path leads to a screen.
@Sendable private func link(_ bytes: Span<UInt8>) {
  let text = text(bytes)
  _ = DeepLink.route(link: text)
  _ = DeepLink.route(path: text)
}
