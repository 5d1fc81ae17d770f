// Which web pages may open the live WebSocket. A browser sends the page's origin with the
// upgrade; a foreign page must not read the person's market or press Stop.

import NIOHTTP1

/// Compares an upgrade's Origin with its Host.
enum OriginPolicy {
  /// Whether a request may open the live WebSocket: it has no Origin (no browser), or exactly one
  /// that names the host it was sent to.
  ///
  /// A Host that is a name other than localhost is refused on a server that listens on loopback
  /// only, so that a name made to point at 127.0.0.1 gets nowhere.
  static func allows(_ headers: HTTPHeaders, loopbackOnly: Bool) -> Bool {
    let hosts = headers[canonicalForm: "host"]
    guard hosts.count == 1, let host = hosts.first?.lowercased() else { return false }
    if loopbackOnly, !isLoopback(hostName(of: String(host))) { return false }
    let origins = headers[canonicalForm: "origin"]
    guard let origin = origins.first?.lowercased() else { return true }
    return origins.count == 1 && (origin == "http://\(host)" || origin == "https://\(host)")
  }

  /// A loopback address or localhost.
  static func isLoopback(_ name: String) -> Bool {
    name == "localhost" || name == "::1" || name == "[::1]" || name.hasPrefix("127.")
  }

  private static func hostName(of authority: String) -> String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.split(separator: ":", omittingEmptySubsequences: false).first ?? "")
  }
}
