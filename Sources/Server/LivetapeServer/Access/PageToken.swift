import Digest
import HTTPTypes
import MarketModel
import NIOHTTP1
import SocketServer
import VenueCatalogue

/// Why a text can't be a server's token.
public struct PageTokenError: Error, CustomStringConvertible {
  /// The reason in one line, without the text.
  public let description =
    "an access token needs 16 to 256 characters: letters, digits, - . _ ~ "
    + "(for example from: openssl rand -hex 24)"
}

/// The secret that every request needs, on a server that other machines can reach.
///
/// Users enter it once in a form, which exchanges it for a session cookie; tools send it as a
/// bearer token. It is never part of an address, description, dump or mirror.
public struct PageToken: Sendable {
  private let token: AccessToken
  /// The maximum number of session cookies in a request: each costs two hashes.
  private static let maximumCookies = 4

  /// Validates a text; surrounding white space, such as a file's last line end, is ignored.
  ///
  /// The allowed characters need no encoding in a cookie.
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

  static let cookieName = "livetape"

  /// The path that exchanges a token for a session.
  static let signInPath = "/session"

  /// The response that replaces the requested one, or nil to proceed.
  ///
  /// A browser gets a form for the token. A valid bearer token sent to ``signInPath`` becomes a
  /// session in a cookie, which contains no secret of the server. With `isSecure` the cookie is
  /// sent over TLS only.
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

  /// Whether a request has the bearer token, or a session issued by it.
  func admits(_ head: HTTPRequestHead, at now: Timestamp) -> Bool {
    isBearer(of: head)
      || PageToken.cookies(of: head).contains {
        PageSession.isValid($0, by: secret, at: now)
      }
  }

  /// The tokens and sessions that a request sends, valid or not.
  static func sent(by head: HTTPRequestHead) -> [String] {
    head.headers["authorization"] + cookies(of: head)
  }

  /// The HMAC of `bytes` under the token, as hexadecimal digits.
  func signature(of bytes: [UInt8]) -> String {
    SHA256Digest.authenticationCode(of: bytes, key: secret).hexadecimal
  }

  func isSame(as other: PageToken) -> Bool { ConstantTime.equals(other.secret, secret) }

  /// Whether a request has the bearer token: the scheme in any case, then one or more spaces (RFC
  /// 9110 section 11.4).
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
  /// Always "hidden".
  public var description: String { "hidden" }
  /// Always "hidden".
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

enum PageSession {
  /// Lifetime in seconds.
  static let lifetimeSeconds: Int64 = 30 * 86_400
  /// Maximum length in bytes.
  private static let maximumBytes = 128

  /// A new value: its expiry, 128 random bits, and the HMAC of both under the token.
  static func issue(by token: [UInt8], at now: Timestamp) -> String {
    var random = SystemRandomNumberGenerator()
    let end = String(now.milliseconds / 1000 + lifetimeSeconds, radix: 16)
    let nonce = [random.next(), random.next()].map { String($0, radix: 16) }.joined()
    return "\(end).\(nonce).\(code(of: "\(end).\(nonce)", under: token))"
  }

  /// Whether a value was issued by a token and has not expired.
  static func isValid(_ value: String, by token: [UInt8], at now: Timestamp) -> Bool {
    guard value.utf8.count <= maximumBytes, let dot = value.lastIndex(of: "."),
      let end = Int64(value.prefix { $0 != "." }, radix: 16), end > now.milliseconds / 1000
    else { return false }
    let expected = code(of: String(value[..<dot]), under: token)
    return ConstantTime.equals(value[value.index(after: dot)...].utf8, Array(expected.utf8))
  }

  private static func code(of text: String, under token: [UInt8]) -> String {
    SHA256Digest.authenticationCode(of: Array("livetape session 1 \(text)".utf8), key: token)
      .hexadecimal
  }
}

extension [UInt8] {
  fileprivate var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Comparisons whose time does not depend on the position of a difference.
enum ConstantTime {
  /// Compares in a time that depends only on the candidate's length.
  static func equals(_ candidate: some Collection<UInt8>, _ secret: [UInt8]) -> Bool {
    var difference: UInt8 = secret.count == candidate.count ? 0 : 1
    for (index, byte) in candidate.enumerated() {
      difference |= byte ^ secret[index % secret.count]
    }
    return difference == 0
  }
}
