import AppState
import MarketModel
import NIOHTTP1
import OrderService
import PaperTrading
import WireJSON

/// A script's request with its route and validated values; anything the route table lacks is
/// rejected.
struct ScriptRequest: Sendable {
  let route: ScriptRoute
  let body: [UInt8]
  private let values: [String: String]

  init(_ head: HTTPRequestHead, _ body: [UInt8]) throws(ScriptProblem) {
    let (route, path) = try ScriptRequest.route(head)
    var values = path
    for (name, value) in try ScriptRequest.query(head.uri) {
      guard values.updateValue(value, forKey: name) == nil else {
        throw ScriptProblem(400, "\(name) comes twice")
      }
      guard let parameter = route.parameters.first(where: { $0.name == name && $0.place == .query })
      else { throw ScriptProblem(400, "there is no such parameter here") }
      guard parameter.accepts(value) else {
        throw ScriptProblem(
          400, "\(name) can't have this value; see \(ScriptRoute.root)/openapi.json")
      }
    }
    for parameter in route.parameters where parameter.place == .path {
      guard values[parameter.name].map(parameter.accepts) == true else {
        throw ScriptProblem(404, "there is no such \(parameter.name)")
      }
    }
    if !route.takesBody {
      guard body.isEmpty else { throw ScriptProblem(400, "this request takes no body") }
    } else {
      let type = head.headers.first(name: "content-type") ?? ""
      let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
      guard essence == "application/json", head.headers["content-type"].count == 1 else {
        throw ScriptProblem(415, "the body must be application/json")
      }
    }
    (self.route, self.body, self.values) = (route, body, values)
  }

  subscript(name: String) -> String? { values[name] }

  func number(_ name: String) -> Int64? { values[name].flatMap { Int64($0) } }

  func instrument() throws(ScriptProblem) -> InstrumentKey {
    guard let key = values["instrument"].flatMap(InstrumentKey.init(text:)) else {
      throw .unknownInstrument
    }
    return key
  }

  func order() throws(ScriptProblem) -> OrderIdentifier {
    guard let number = values["order"].flatMap({ UInt64($0) }) else {
      throw ScriptProblem(404, "there is no such order")
    }
    return OrderIdentifier(number: number)
  }

  private static func route(
    _ head: HTTPRequestHead
  ) throws(ScriptProblem) -> (ScriptRoute, [String: String]) {
    // A long query must not prevent finding the path.
    let parts = DeepLink.parts(ofPath: String(head.uri.prefix { $0 != "?" })) ?? []
    let root = ScriptRoute.root.split(separator: "/").map(String.init)
    guard Array(parts.prefix(root.count)) == root else { throw ScriptProblem(404, "no such path") }
    let rest = Array(parts.dropFirst(root.count))
    if rest == ["stream"] {
      if head.headers.contains(name: "upgrade") {
        throw ScriptProblem(
          503, "too many pages and scripts are connected", headers: ["Retry-After": "10"])
      }
      guard head.method == .GET else { throw notAllowed(["GET"]) }
      throw ScriptProblem(426, "this is a WebSocket", headers: ["Upgrade": "websocket"])
    }
    let here = ScriptRoute.all.compactMap { route in
      route.values(of: rest).map { (route, $0) }
    }
    guard !here.isEmpty else { throw ScriptProblem(404, "no such path") }
    let method = head.method == .HEAD ? "GET" : head.method.rawValue
    guard let found = here.first(where: { $0.0.method == method }) else {
      throw notAllowed(here.map(\.0.method))
    }
    return found
  }

  private static func notAllowed(_ methods: [String]) -> ScriptProblem {
    let all = methods.contains("GET") ? methods + ["HEAD"] : methods
    return ScriptProblem(
      405, "this path takes \(methods.joined(separator: ", "))",
      headers: ["Allow": all.joined(separator: ", ")])
  }

  private static func query(_ uri: String) throws(ScriptProblem) -> [(String, String)] {
    guard let mark = uri.firstIndex(of: "?") else { return [] }
    let text = uri[uri.index(after: mark)...].prefix { $0 != "#" }
    var pairs: [(String, String)] = []
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pairs.count < 16, sides.count == 2,
        let name = decoded(sides[0]), let value = decoded(sides[1])
      else { throw ScriptProblem(400, "the query can't be read") }
      pairs.append((name, value))
    }
    return pairs
  }

  /// Decodes a part of a query; nil if its escapes are malformed.
  private static func decoded(_ text: Substring) -> String? {
    let path = "/" + text.replacing("+", with: "%20").replacing("/", with: "%2F")
    guard let parts = DeepLink.parts(ofPath: path), parts.count == 1 else { return nil }
    return parts[0]
  }
}

/// Request bodies about orders: strings by name, read like pages' messages.
enum ScriptBody {
  static func ticket(_ body: [UInt8]) throws(ScriptProblem) -> OrderTicket {
    let order = try order(body)
    if let type = order.fields["type"] {
      let isMarket = type == "market"
      if isMarket, order.fields["price"] != nil {
        throw ScriptProblem(422, "a market order has no price")
      }
      if !isMarket, order.fields["price"] == nil {
        throw ScriptProblem(422, "a limit order needs a price")
      }
    }
    guard order.fields["quantity"] != nil else {
      throw ScriptProblem(422, "an order needs a quantity")
    }
    do { return try order.ticket() } catch { throw ScriptProblem(422, error.message.description) }
  }

  static func amendment(
    _ body: [UInt8], of identifier: OrderIdentifier
  ) throws(ScriptProblem) -> AmendTicket {
    let order = try order(body)
    do { return try order.amendment(of: identifier) } catch {
      throw ScriptProblem(422, error.message.description)
    }
  }

  /// The members of a body; figures are plain digits.
  private static func order(_ body: [UInt8]) throws(ScriptProblem) -> OrderMembers {
    let order: OrderMembers
    do throws(JSONError) {
      var cursor = JSONCursor()
      order = try OrderMembers(body.span, &cursor)
      try cursor.finish(body.span)
    } catch {
      throw ScriptProblem(400, "the body is not understood (\(error))")
    }
    for name in [
      "quantity", "price", "protection", "stop", "takeProfit", "oco",
      "bracketStop", "bracketProfit", "trail", "trailPercent", "trigger",
    ] {
      guard let figure = order.fields[name], !isDecimal(figure) else { continue }
      var problem = ScriptProblem(
        422, "\(name) must be digits, 15 at most, or with a point and 12 at most after it")
      let isPrice = name == "price" || name == "protection"
      problem.field =
        name == "quantity"
        ? "quantity"
        : isPrice
          ? "price"
          : name == "bracketProfit" ? "profit" : "trigger"
      throw problem
    }
    return order
  }

  /// Matches the pattern of a figure in the API's document.
  private static func isDecimal(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    return areDigits && (1...2).contains(parts.count) && parts[0].utf8.count <= 15
      && (parts.count == 1 || parts[1].utf8.count <= 12)
  }
}
