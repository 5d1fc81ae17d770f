/// Why a script's request failed: RFC 9457 problem details, the format of all rejections.
struct ScriptProblem: Error, Equatable {
  static let contentType = "application/problem+json"

  let status: Int
  /// The kind of problem.
  let title: String
  let detail: String
  var headers: [String: String] = [:]
  /// The invalid field of an order.
  var field: String?
  var order: String?

  init(_ status: Int, _ detail: String, headers: [String: String] = [:]) {
    self.status = status
    title = ScriptProblem.titles[status] ?? "Error"
    self.detail = detail
    self.headers = headers
  }

  static let titles: [Int: String] = [
    400: "Bad request", 401: "Token needed", 403: "Forbidden", 404: "Not found",
    405: "Method not allowed", 409: "Conflict", 413: "Too long", 415: "Not JSON",
    422: "Not accepted", 426: "WebSocket needed", 429: "Too many requests",
    500: "Failure of the server", 503: "Not available now", 504: "Not known",
  ]

  var value: PageObject {
    var object = PageObject()
    object.set("type", text: "about:blank")
    object.set("title", text: title)
    object.set("status", integer: status)
    object.set("detail", text: detail)
    object.set("field", text: field)
    object.set("order", text: order)
    return object
  }
}

extension ScriptProblem {
  static let unavailable = ScriptProblem(503, "the server is busy", headers: ["Retry-After": "1"])
  static let unknownInstrument = ScriptProblem(
    404, "there is no such instrument, or not this of it")
}
