// Access to a server that others can reach: one secret, shown once in the address bar and kept in a
// cookie from then on, or sent by tools as a bearer token.

import HTTPTypes
import NIOHTTP1
import SocketServer
import VenueProtocols

/// Why a text can't be the token of a server.
public struct PageTokenError: Error, CustomStringConvertible {
  /// One clear line; it never holds the text.
  public let description =
    "an access token needs 16 to 256 characters: letters, digits, - . _ ~ "
    + "(for example from: openssl rand -hex 24)"
}

/// The secret that every request to a server needs.
///
/// Its text appears in no description, dump or mirror.
public struct PageToken: Sendable {
  private let token: AccessToken

  /// Takes a text; white space around it, such as a file's last line end, is left out.
  ///
  /// The characters are those that a URL and a cookie take as they are.
  public init(_ text: String) throws(PageTokenError) {
    let trimmed = text.drop(while: \.isWhitespace)
    let secret = String(trimmed.prefix { !$0.isWhitespace })
    let isPlain = secret.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: "-._~".utf8.contains(byte)
      }
    }
    guard isPlain, (16...256).contains(secret.utf8.count),
      trimmed.dropFirst(secret.count).allSatisfy(\.isWhitespace), let token = AccessToken(secret)
    else { throw PageTokenError() }
    self.token = token
  }

  /// The name of the cookie.
  static let cookieName = "livetape"

  /// The response that a request gets instead of what it asked for, or nil when it may go on.
  ///
  /// A right token in the query becomes a cookie and the address is loaded again without it.
  func response(to head: HTTPRequestHead) -> PlainResponse? {
    let (path, query) = PageToken.split(head.uri)
    let named = query.filter { $0.hasPrefix("token=") }
    if let candidate = named.first?.dropFirst(6), named.count == 1,
      matches("Bearer " + candidate)
    {
      return PlainResponse(
        status: .seeOther,
        headers: [
          "Location": PageToken.address(path, query.filter { !$0.hasPrefix("token=") }),
          "Set-Cookie": cookie, "Referrer-Policy": "no-referrer",
        ],
        text: "")
    }
    let bearers = head.headers["authorization"]
    if bearers.count == 1, matches(bearers[0]) { return nil }
    if PageToken.cookies(of: head).contains(where: { matches("Bearer " + $0) }) { return nil }
    return PlainResponse(
      status: .unauthorized, headers: ["WWW-Authenticate": "Bearer"],
      text: "This server needs its access token: open it once as /?token=… in the address bar.\n")
  }

  private var cookie: String {
    "\(PageToken.cookieName)=\(token.authorization.dropFirst(7)); Path=/; HttpOnly; "
      + "SameSite=Strict; Max-Age=31536000"
  }

  /// Compares in a time that depends on the candidate's length only.
  private func matches(_ candidate: String) -> Bool {
    let secret = Array(token.authorization.utf8)
    var difference = UInt8(secret.count == candidate.utf8.count ? 0 : 1)
    for (index, byte) in candidate.utf8.enumerated() {
      difference |= byte ^ secret[index % secret.count]
    }
    return difference == 0
  }

  private static func cookies(of head: HTTPRequestHead) -> [String] {
    head.headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let sides = pair.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].trimmingPrefix(while: \.isWhitespace) == cookieName else {
        return nil
      }
      return String(sides[1])
    }
  }

  private static func split(_ uri: String) -> (path: Substring, query: [Substring]) {
    let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.first ?? "", parts.count > 1 ? parts[1].split(separator: "&") : [])
  }

  /// A path on this server: several slashes at its start would name another host.
  private static func address(_ path: Substring, _ query: [Substring]) -> String {
    let local = "/" + path.drop { $0 == "/" || $0 == "\\" }
    return query.isEmpty ? local : local + "?" + query.joined(separator: "&")
  }
}

extension PageToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The word "hidden", never the token.
  public var description: String { "hidden" }
  /// The word "hidden", never the token.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
