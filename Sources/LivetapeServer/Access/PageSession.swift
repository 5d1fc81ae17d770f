// What a browser keeps instead of the access token: a value that the token vouches for, good for a
// month. The server keeps nothing, so sessions survive its restart and end with their token.

import Digest
import MarketModel

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
