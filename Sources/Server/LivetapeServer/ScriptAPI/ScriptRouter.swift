import AppState
import FeedConnections
import HummingbirdCore
import LivetapeWeb
import MarketModel
import MarketStreams
import NIOHTTP1
import OrderLedger
import OrderService
import PaperTrading
import SharedLedger
import SocketServer
import WireJSON

/// Handles scripts' HTTP requests: finds the route, checks rights and values, then reads the page
/// record for scripts or calls the order service.
struct ScriptRouter: Sendable {
  /// The maximum body size in bytes.
  static let maximumBodyBytes = 4096

  let hub: PageHub
  let access: AccessPolicy
  let files: WebFiles

  var branch: HTTPBranch {
    HTTPBranch(
      maximumBodyBytes: ScriptRouter.maximumBodyBytes,
      takes: { head in
        let path = head.uri.prefix { $0 != "?" }
        return path == "/api" || path.hasPrefix("/api/")
      }, form: ScriptProblem.form, respond: respond)
  }

  private func respond(_ head: HTTPRequestHead, _ body: [UInt8]) async -> PlainResponse {
    do throws(ScriptProblem) {
      let isViewer = access.isViewer(head)
      let isRead = head.method == .GET || head.method == .HEAD
      let budget = isViewer ? ScriptRequests.Budget.viewers : isRead ? .reads : .orders
      guard await hub.countScriptRequest(budget) else {
        throw ScriptProblem(
          429, "at most \(budget.maximumRequests) requests in a second",
          headers: ["Retry-After": "1"])
      }
      let request = try ScriptRequest(head, body)
      if request.route.method != "GET", isViewer {
        throw ScriptProblem(403, "this access token is for looking")
      }
      return try await answer(request) { (subject) async throws(ScriptProblem) in
        try await hub.read(subject, asViewer: isViewer)
      }
    } catch {
      return error.response
    }
  }

  /// Reads a subject within the limits of the request's token.
  private typealias Read = (ScriptSubject) async throws(ScriptProblem) -> ScriptReading

  private func answer(
    _ request: ScriptRequest, _ read: Read
  ) async throws(ScriptProblem) -> PlainResponse {
    let json: [UInt8]
    switch request.route.action {
    case .describeRequests, .describeStream:
      guard let document = files.file(at: "/assets/api" + request.route.path) else {
        throw .unavailable
      }
      json = document.bytes
    case .listInstruments:
      let listing = ScriptListing(
        limit: Int(request.number("limit") ?? 100), venue: request["venue"].flatMap(Venue.init),
        after: request["after"].flatMap(InstrumentKey.init(text:)))
      json = try await read(.instruments(listing)).object.value.json
    case .listConnections: json = try await read(.connections).object.value.json
    case .readPositions: json = try await read(.positions).object.value.json
    case .readTicker:
      json = try await read(.ticker(request.instrument())).object.value.json
    case .readBook: json = try await read(.book(request.instrument())).object.value.json
    case .readTrades: json = try await read(.trades(request.instrument())).object.value.json
    case .readCandles: json = try await candles(request, read)
    case .listOrders: json = try await orders(before: request.number("before"), read)
    case .readOrder: json = try await object(of: row(of: request.order())).json
    case .readFills: return try await fills()
    case .placeOrder: return try await place(request.body)
    case .amendOrder: json = try await amend(request.order(), request.body)
    case .cancelOrder: json = try await cancel(request.order())
    }
    return .script(status: request.route.status, [:], json)
  }

  private func candles(
    _ request: ScriptRequest, _ read: Read
  ) async throws(ScriptProblem) -> [UInt8] {
    let instrument = try request.instrument()
    let milliseconds = request.number("interval") ?? CandleInterval.minute.milliseconds
    guard let interval = CandleInterval(milliseconds: milliseconds) else {
      throw .unknownInstrument
    }
    var object = try await read(.candles(instrument, interval)).object
    guard
      let page = await hub.candles.candles(
        of: instrument, interval, before: request.number("before"))
    else { throw .unknownInstrument }
    ScriptObjects.add(
      page.newest(Int(request.number("limit") ?? 100)), of: instrument.venue, to: &object)
    return object.value.json
  }

  // MARK: Orders

  private func orders(
    before: Int64?, _ read: Read
  ) async throws(ScriptProblem) -> [UInt8] {
    guard let before else { return try await read(.orders).object.value.json }
    let rows = try await rows(before: UInt64(before)).prefix(ScriptObjects.maximumOrders)
    return await stamped { ScriptObjects.orders(Array(rows), $0) }.json
  }

  private func fills() async throws(ScriptProblem) -> PlainResponse {
    switch await hub.trading.fills() {
    case .failure(let error): throw .unreadable(error)
    case .success(let file):
      return .script(
        status: 200, ["Content-Type": "text/csv; charset=utf-8"], Array(file.text.utf8))
    }
  }

  private func row(of identifier: OrderIdentifier) async throws(ScriptProblem) -> OrderRowState {
    let (next, overflow) = identifier.number.addingReportingOverflow(1)
    guard !overflow, let row = try await rows(before: next).first, row.id == identifier else {
      throw ScriptProblem(404, "there is no such order")
    }
    return row
  }

  /// The order of a successful command; a failed ledger must not look like a failed command.
  private func done(
    _ identifier: OrderIdentifier, isRepeated: Bool? = nil
  ) async throws(ScriptProblem) -> PageValue {
    guard let report = await hub.trading.report(of: identifier) else {
      throw ScriptProblem(504, "this was done to order \(identifier), which can't be read now")
    }
    return await object(of: OrderRowState(report), isRepeated: isRepeated)
  }

  private func object(of row: OrderRowState, isRepeated: Bool? = nil) async -> PageValue {
    await stamped { freshness in
      var object = PageObject()
      object.begin("order", of: nil, freshness)
      object.set("repeated", boolean: isRepeated)
      object.set("order", ScriptObjects.order(row).value)
      return object
    }
  }

  private func rows(before number: UInt64) async throws(ScriptProblem) -> [OrderRowState] {
    switch await hub.trading.reports(before: OrderIdentifier(number: number)) {
    case .failure(let error): throw .unreadable(error)
    case .success(let reports): return reports.map { OrderRowState($0) }
    }
  }

  /// An object just read from the ledger: live, with the exchange's origin, and numbered.
  private func stamped(_ object: (Freshness) -> PageObject) async -> PageValue {
    let stamp = await hub.scriptStamp()
    let read = object(
      Freshness(state: .live, origin: stamp.origin, confirmedAt: stamp.at))
    var whole = PageObject()
    for field in read.fields {
      whole.set(
        field.key, field.key == "freshness" ? field.value.adding("age", integer: 0) : field.value)
    }
    whole.set("sequence", integer: stamp.number)
    whole.set("at", time: stamp.at.wall)
    return whole.value
  }

  private func place(_ body: [UInt8]) async throws(ScriptProblem) -> PlainResponse {
    let ticket = try ScriptBody.ticket(body)
    switch try await hub.submit(.place(ticket)) {
    case .placed(let identifier, let isRepeated):
      let answer = try await done(identifier, isRepeated: isRepeated)
      return .script(
        status: 201, ["Location": "\(ScriptRoute.root)/orders/\(identifier)"], answer.json)
    case .refused(let refusal): throw problem(refusal)
    case .unconfirmed(let message): throw ScriptProblem(504, message.description)
    case .amended, .cancelled, .cancelledAll, .preview: throw .unavailable
    }
  }

  private func amend(
    _ identifier: OrderIdentifier, _ body: [UInt8]
  ) async throws(ScriptProblem) -> [UInt8] {
    let ticket = try ScriptBody.amendment(body, of: identifier)
    _ = try await row(of: identifier)
    switch try await hub.submit(.amend(ticket)) {
    case .amended(let identifier, let isRepeated):
      return try await done(identifier, isRepeated: isRepeated).json
    case .refused(let refusal): throw problem(refusal, isOfOrder: true)
    case .unconfirmed(let message): throw ScriptProblem(504, message.description)
    case .placed, .cancelled, .cancelledAll, .preview: throw .unavailable
    }
  }

  private func cancel(_ identifier: OrderIdentifier) async throws(ScriptProblem) -> [UInt8] {
    _ = try await row(of: identifier)
    switch try await hub.submit(.cancel(identifier)) {
    case .cancelled(let identifier): return try await done(identifier).json
    case .refused(let refusal): throw problem(refusal, isOfOrder: true)
    case .unconfirmed(let message): throw ScriptProblem(504, message.description)
    case .placed, .amended, .cancelledAll, .preview: throw .unavailable
    }
  }

  /// Maps a rejection to a status: invalid values, a conflict, or an unavailable service.
  private func problem(
    _ refusal: OrderResponse.Refusal, isOfOrder: Bool = false
  ) -> ScriptProblem {
    let status: Int
    if refusal.isNameTaken || isOfOrder && refusal.field == nil && refusal.order != nil {
      status = 409
    } else {
      let isOwn = refusal.field != nil || refusal.order != nil || refusal.isFinal
      status = isOwn ? 422 : 503
    }
    var problem = ScriptProblem(
      status, ScriptObjects.plain(refusal.message),
      headers: status == 503 ? ["Retry-After": "1"] : [:])
    problem.field = refusal.field?.rawValue
    problem.order = refusal.order?.description
    return problem
  }
}

extension ScriptProblem {
  fileprivate static func unreadable(_ orders: OrdersUnavailable) -> ScriptProblem {
    ScriptProblem(503, ScriptObjects.plain(orders.userMessage), headers: ["Retry-After": "10"])
  }
}

extension ScriptReading {
  var origin: DataOrigin? {
    guard case .leaf(let text)? = object.value["freshness"]?["origin"] else { return nil }
    return DataOrigin(rawValue: String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
  }
}

extension PageValue {
  func adding(_ key: String, integer: Int64) -> PageValue {
    guard case .object(let fields) = self else { return self }
    return .object(fields + [PageField(key: key, value: .leaf(Array(String(integer).utf8)))])
  }
}
