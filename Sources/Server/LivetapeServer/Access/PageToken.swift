// Access to a server that others can reach: one secret, typed once into a page that asks for it and
// exchanged for a session in a cookie, or sent by tools as a bearer token. It is never part of an
// address.

import Digest
import HTTPTypes
import MarketModel
import NIOHTTP1
import SocketServer
import VenueCatalogue

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
  /// The most cookies of the name that a request may bring: each costs two hashes.
  private static let maximumCookies = 4

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

  /// Where a token becomes a session.
  static let signInPath = "/session"

  /// The response that a request gets instead of what it asked for, or nil when it may go on.
  ///
  /// A person who opens a page gets a form for the token; a right one that is sent to
  /// ``signInPath`` as a bearer token becomes a session in a cookie, which holds no secret of the
  /// server. With `isSecure` the cookie travels over TLS only.
  func response(
    to head: HTTPRequestHead, isSecure: Bool = false, at now: Timestamp
  ) -> PlainResponse? {
    if isBearer(of: head) {
      guard head.uri == PageToken.signInPath else { return nil }
      let isSecure =
        isSecure || head.headers[canonicalForm: "x-forwarded-proto"].first?.lowercased() == "https"
      return PlainResponse(
        status: .ok, headers: ["Set-Cookie": cookie(isSecure: isSecure, at: now)], text: "")
    }
    if admits(head, at: now) { return nil }
    let wantsPage = head.headers["accept"].contains { $0.contains("text/html") }
    return head.method == .GET && wantsPage
      ? SignInPage.response
      : PlainResponse(
        status: .unauthorized, headers: ["WWW-Authenticate": "Bearer"],
        text: "This server needs its access token: open it in a browser, or send "
          + "Authorization: Bearer ….\n")
  }

  /// Whether a request comes with it as a bearer token, or with a session that it has issued.
  func admits(_ head: HTTPRequestHead, at now: Timestamp) -> Bool {
    isBearer(of: head)
      || PageToken.cookies(of: head).contains {
        PageSession.isValid($0, by: secret, at: now)
      }
  }

  /// The tokens and sessions that a request sends, right or wrong.
  static func sent(by head: HTTPRequestHead) -> [String] {
    head.headers["authorization"] + cookies(of: head)
  }

  /// Whether both are the same text.
  func isSame(as other: PageToken) -> Bool { ConstantTime.equals(other.secret, secret) }

  /// Whether a request sends it as a bearer token: the scheme in any case, then one or more spaces
  /// (RFC 9110 section 11.4).
  func isBearer(of head: HTTPRequestHead) -> Bool {
    let bearers = head.headers["authorization"]
    guard bearers.count == 1, let space = bearers[0].firstIndex(of: " "),
      bearers[0][..<space].lowercased() == "bearer"
    else { return false }
    return ConstantTime.equals(bearers[0][space...].drop { $0 == " " }.utf8, secret)
  }

  private var secret: [UInt8] { Array(token.authorization.utf8.dropFirst("Bearer ".utf8.count)) }

  private func cookie(isSecure: Bool, at now: Timestamp) -> String {
    "\(PageToken.cookieName)=\(PageSession.issue(by: secret, at: now)); Path=/; HttpOnly; "
      + "SameSite=Strict; Max-Age=\(PageSession.lifetimeSeconds)" + (isSecure ? "; Secure" : "")
  }

  private static func cookies(of head: HTTPRequestHead) -> [String] {
    let values = head.headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let sides = pair.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].trimmingPrefix(while: \.isWhitespace) == cookieName else {
        return nil as String?
      }
      return String(sides[1])
    }
    return Array(values.prefix(maximumCookies))
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

/// The values of sessions.
enum PageSession {
  /// How long a value is good, in seconds.
  static let lifetimeSeconds: Int64 = 30 * 86_400
  /// The longest value that is read, in bytes.
  private static let maximumBytes = 128

  /// A new value: when it ends, 128 random bits, and the code of both under the token.
  static func issue(by token: [UInt8], at now: Timestamp) -> String {
    var random = SystemRandomNumberGenerator()
    let end = String(now.milliseconds / 1000 + lifetimeSeconds, radix: 16)
    let nonce = [random.next(), random.next()].map { String($0, radix: 16) }.joined()
    return "\(end).\(nonce).\(code(of: "\(end).\(nonce)", under: token))"
  }

  /// Whether a value was issued by a token and has not ended.
  static func isValid(_ value: String, by token: [UInt8], at now: Timestamp) -> Bool {
    guard value.utf8.count <= maximumBytes, let dot = value.lastIndex(of: "."),
      let end = Int64(value.prefix { $0 != "." }, radix: 16), end > now.milliseconds / 1000
    else { return false }
    let expected = code(of: String(value[..<dot]), under: token)
    return ConstantTime.equals(value[value.index(after: dot)...].utf8, Array(expected.utf8))
  }

  private static func code(of text: String, under token: [UInt8]) -> String {
    SHA256Digest.authenticationCode(of: Array("livetape session 1 \(text)".utf8), key: token)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Comparisons that take the same time wherever the difference is.
enum ConstantTime {
  /// Compares in a time that depends on the candidate's length only.
  static func equals(_ candidate: some Collection<UInt8>, _ secret: [UInt8]) -> Bool {
    var difference: UInt8 = secret.count == candidate.count ? 0 : 1
    for (index, byte) in candidate.enumerated() {
      difference |= byte ^ secret[index % secret.count]
    }
    return difference == 0
  }
}
