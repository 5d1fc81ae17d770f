import NIOHTTP1
import SocketServer

extension ScriptProblem {
  var response: PlainResponse {
    var fields = HTTPHeaders(headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    fields.add(name: "Content-Type", value: ScriptProblem.contentType)
    return .script(status: status, fields, value.value.json)
  }

  /// Converts a rejection by the server to this format.
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
  /// JSON for a script; pages of other sites may not embed it.
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
