// Script requests over HTTP and WebSocket: what is read round-trips; what is rejected gets one line
// and a documented status.

import MarketModel
import NIOHTTP1
import WireJSON

@testable import LivetapeServer

/// A rejection: a status of the table, one line of text, and JSON around it.
private func check(_ problem: ScriptProblem) {
  guard ScriptProblem.titles[problem.status] != nil else { fail("status \(problem.status)") }
  let line = problem.detail
  if line.isEmpty || line.utf8.count > 1000 || line.utf8.contains(where: { $0 < 0x20 }) {
    fail("no line: \(line)")
  }
  checkJSON(ScriptSocketMessage.problem(problem, of: nil, request: nil))
}

private func checkJSON(_ bytes: [UInt8]) {
  let text = ContiguousArray(bytes)
  guard isJSON(text.span) else { fail("no JSON: \(String(decoding: bytes, as: UTF8.self))") }
}

private func isJSON(_ bytes: Span<UInt8>) -> Bool {
  var cursor = JSONCursor()
  do throws(JSONError) {
    try cursor.skipValue(bytes)
    try cursor.finish(bytes)
    return true
  } catch {
    return false
  }
}

/// A subject round-trips through its topic, opens a screen or none, and its responses are JSON.
private func check(_ subject: ScriptSubject) {
  guard ScriptSubject(topic: subject.topic) == subject else { fail("\(subject.topic)") }
  if let screen = subject.screen(origin: .simulated, closed: [:]) { checkJSON(screen.page.json) }
  checkJSON(ScriptSocketMessage.done("subscribed", subject, request: 1, at: now))
}

private let now = ClockReading(milliseconds: 1_790_000_000_000)

@Sendable func scriptSocket(_ bytes: Span<UInt8>) {
  do throws(ScriptProblem) {
    switch try ScriptSocketMessage(bytes.withUnsafeBufferPointer { Array($0) }) {
    case .subscribe(let subject, _), .unsubscribe(let subject, _): check(subject)
    case .ping: break
    }
  } catch {
    check(error)
  }
}

@Sendable func scriptTopic(_ bytes: Span<UInt8>) {
  let name = ScriptSubject.prefix + text(bytes)
  guard let subject = ScriptSubject(topic: name) else { return }
  check(subject)
}

/// A byte for the method, one for the headers, then path and query up to a zero, and the body.
@Sendable func scriptRequest(_ bytes: Span<UInt8>) {
  guard bytes.count >= 2 else { return }
  let methods: [HTTPMethod] = [
    .GET, .HEAD, .POST, .PATCH, .DELETE, .PUT, .OPTIONS, .RAW(value: "X"),
  ]
  let code = bytes[1]
  var headers: HTTPHeaders = [:]
  if code & 1 != 0 { headers.add(name: "Content-Type", value: "application/json") }
  if code & 2 != 0 { headers.add(name: "Content-Type", value: "application/json; charset=utf-8") }
  if code & 4 != 0 { headers.add(name: "Sec-Fetch-Site", value: "cross-site") }
  if code & 8 != 0 { headers.add(name: "Upgrade", value: "websocket") }
  var end = 2
  while end < bytes.count, bytes[end] != 0 { end += 1 }
  let body = end < bytes.count ? bytes.extracting((end + 1)...) : bytes.extracting(..<0)
  let head = HTTPRequestHead(
    version: .http1_1, method: methods[Int(bytes[0]) % methods.count],
    uri: text(bytes.extracting(2..<end)), headers: headers)
  do throws(ScriptProblem) {
    let request = try ScriptRequest(head, body.withUnsafeBufferPointer { Array($0) })
    if code & 4 != 0 { fail("a page of another site got in") }
    try check(request)
  } catch {
    check(error)
  }
}

private func check(_ request: ScriptRequest) throws(ScriptProblem) {
  for parameter in request.route.parameters {
    guard let value = request[parameter.name] else {
      if parameter.place == .path { fail("a path without its \(parameter.name)") }
      continue
    }
    guard parameter.accepts(value) else { fail("\(parameter.name) is \(value)") }
    if case .integer = parameter.kind, request.number(parameter.name) == nil { fail(value) }
    if case .numbers = parameter.kind, request.number(parameter.name) == nil { fail(value) }
  }
  switch request.route.action {
  case .listInstruments:
    check(
      .instruments(
        ScriptListing(
          limit: Int(request.number("limit") ?? 100), venue: request["venue"].flatMap(Venue.init),
          after: request["after"].flatMap(InstrumentKey.init(text:)))))
  case .readTicker: check(.ticker(try request.instrument()))
  case .readBook: check(.book(try request.instrument()))
  case .readTrades: check(.trades(try request.instrument()))
  case .readCandles:
    let milliseconds = request.number("interval") ?? CandleInterval.minute.milliseconds
    guard let interval = CandleInterval(milliseconds: milliseconds) else { fail("an interval") }
    check(.candles(try request.instrument(), interval))
  case .readOrder, .cancelOrder: _ = try request.order()
  case .amendOrder: _ = try ScriptBody.amendment(request.body, of: request.order())
  case .placeOrder: _ = try ScriptBody.ticket(request.body)
  case .listConnections, .listOrders, .readPositions, .describeRequests, .describeStream:
    guard request.body.isEmpty else { fail("a body where none is taken") }
  }
}
