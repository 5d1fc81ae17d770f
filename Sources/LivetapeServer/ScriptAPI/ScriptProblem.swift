// What goes wrong, said to a script: RFC 9457 problem details, the one form of all refusals.

import NIOHTTP1
import SocketServer
import WireJSON

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
    500: "Failure of the server", 503: "Not available now",
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

  /// As an answer.
  var response: PlainResponse {
    var fields = HTTPHeaders(headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    fields.add(name: "Content-Type", value: ScriptProblem.contentType)
    return .script(status: status, fields, value.value.json)
  }

  /// What the server refuses by itself, in this form.
  static func form(_ refusal: PlainResponse) -> PlainResponse {
    let line = refusal.text.last == "\n" ? String(refusal.text.dropLast()) : refusal.text
    var problem = ScriptProblem(Int(refusal.status.code), line)
    for (name, value) in refusal.headers where name.lowercased() != "content-type" {
      problem.headers[name] = value
    }
    return problem.response
  }
}

extension PlainResponse {
  /// JSON for a script; no page of another site may embed it.
  static func script(status: Int, _ headers: HTTPHeaders, _ json: [UInt8]) -> PlainResponse {
    var fields = headers
    fields.replaceOrAdd(name: "X-Content-Type-Options", value: "nosniff")
    fields.replaceOrAdd(name: "Cross-Origin-Resource-Policy", value: "same-origin")
    if !fields.contains(name: "Content-Type") {
      fields.add(name: "Content-Type", value: "application/json")
    }
    return PlainResponse(
      status: HTTPResponseStatus(statusCode: status), headers: fields,
      text: String(decoding: json, as: UTF8.self))
  }
}

extension PageValue {
  /// Its text.
  var json: [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    write(to: &writer)
    return writer.bytes
  }

  /// A list.
  static func array(_ values: [PageValue]) -> PageValue {
    var writer = JSONWriter(capacity: values.count * 64)
    writer.beginArray()
    for value in values { value.write(to: &writer) }
    writer.endArray()
    return .leaf(writer.bytes)
  }

  /// A text.
  static func text(_ text: String) -> PageValue {
    var writer = JSONWriter(capacity: text.utf8.count + 2)
    writer.string(text)
    return .leaf(writer.bytes)
  }

  /// Nothing, said.
  static let null = PageValue.leaf(Array("null".utf8))
}
