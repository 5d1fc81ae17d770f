// Access to a server that others can reach: one secret, typed once into a page that asks for it and
// kept in a cookie from then on, or sent by tools as a bearer token. It is never part of an
// address.

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
  /// The characters are those that a cookie takes as they are.
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

  /// Where a token becomes a cookie.
  static let signInPath = "/session"

  /// The response that a request gets instead of what it asked for, or nil when it may go on.
  ///
  /// A person who opens a page is asked for the token; a right one that is sent to
  /// ``signInPath`` as a bearer token becomes a cookie. No address ever holds it. Where the person
  /// has come over TLS, to this server or to the proxy before it, the cookie travels over TLS only.
  func response(to head: HTTPRequestHead, isSecure: Bool = false) -> PlainResponse? {
    if isBearer(of: head) {
      guard head.uri == PageToken.signInPath else { return nil }
      return PlainResponse(
        status: .ok, headers: ["Set-Cookie": cookie(for: head, isSecure)], text: "")
    }
    if admits(head) { return nil }
    let wantsPage = head.headers["accept"].contains { $0.contains("text/html") }
    return head.method == .GET && wantsPage
      ? SignInPage.response
      : PlainResponse(
        status: .unauthorized, headers: ["WWW-Authenticate": "Bearer"],
        text: "This server needs its access token: open it in a browser, or send "
          + "Authorization: Bearer ….\n")
  }

  /// Whether a request comes with it, as a bearer token or in a cookie.
  func admits(_ head: HTTPRequestHead) -> Bool {
    isBearer(of: head)
      || PageToken.cookies(of: head).contains { matches("Bearer " + $0) }
  }

  /// Whether both are the same text.
  func isSame(as other: PageToken) -> Bool { matches(other.token.authorization) }

  /// Whether a request sends it as a bearer token.
  func isBearer(of head: HTTPRequestHead) -> Bool {
    let bearers = head.headers["authorization"]
    return bearers.count == 1 && matches(bearers[0])
  }

  private func cookie(for head: HTTPRequestHead, _ isSecure: Bool) -> String {
    let cameSecurely = isSecure || head.headers["x-forwarded-proto"] == ["https"]
    return "\(PageToken.cookieName)=\(token.authorization.dropFirst(7)); Path=/; HttpOnly; "
      + "SameSite=Strict; Max-Age=31536000" + (cameSecurely ? "; Secure" : "")
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
}

extension PageToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The word "hidden", never the token.
  public var description: String { "hidden" }
  /// The word "hidden", never the token.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
