// What goes wrong, said to a script: RFC 9457 problem details, the one form of all refusals.

/// Why a script does not get what it asked for.
struct ScriptProblem: Error, Equatable {
  static let contentType = "application/problem+json"

  /// The status of HTTP.
  let status: Int
  /// What kind of problem it is, the same for all of a kind.
  let title: String
  /// One clear line about this one.
  let detail: String
  /// What headers the answer needs beside it.
  var headers: [String: String] = [:]
  /// The field of an order that is at fault.
  var field: String?
  /// The order that it is about.
  var order: String?

  init(_ status: Int, _ detail: String, headers: [String: String] = [:]) {
    self.status = status
    title = ScriptProblem.titles[status] ?? "Error"
    self.detail = detail
    self.headers = headers
  }

  /// The statuses that the interface uses.
  static let titles: [Int: String] = [
    400: "Bad request", 401: "Token needed", 403: "Forbidden", 404: "Not found",
    405: "Method not allowed", 409: "Conflict", 413: "Too long", 415: "Not JSON",
    422: "Not accepted", 426: "WebSocket needed", 429: "Too many requests",
    500: "Failure of the server", 503: "Not available now", 504: "Not known",
  ]

  /// Its members.
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
  static let unavailable = ScriptProblem(
    503, "the server is busy", headers: ["Retry-After": "1"])
  static let unknownInstrument = ScriptProblem(
    404, "there is no such instrument, or not this of it")
}
