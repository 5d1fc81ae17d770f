// Who may use the page's server at all: right Host, right Origin, and the token where there is one.

import NIOHTTP1
import SocketServer

/// The rules for every request, whatever it asks for.
struct AccessPolicy: Sendable {
  let origins: OriginPolicy
  let token: PageToken?
  /// Whether what comes and goes is encrypted by this server itself.
  var isSecure = false

  /// The response that a request gets instead of what it asked for, or nil when it may go on.
  func response(to head: HTTPRequestHead) -> PlainResponse? {
    origins.refusal(of: head.headers) ?? token?.response(to: head, isSecure: isSecure)
  }
}
