/// A request's `Accept-Encoding` or `Accept` (RFC 9110, 12.5).
///
/// It is untrusted: unreadable parts count as missing, and the plain form is the fallback.
package struct AcceptHeader: Sendable, Equatable {
  /// The maximum length in bytes; longer headers are ignored.
  package static let maximumLength = 512

  /// Qualities in thousandths, by lower-case name.
  private var qualities: [String: Int] = [:]

  /// Parses a header value, several joined by commas; nil if the request has none.
  package init(_ header: String?) {
    guard let header, header.utf8.count <= AcceptHeader.maximumLength else { return }
    for element in header.split(separator: ",") {
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
      guard let name = parts.first, !name.isEmpty, parts.count <= 2 else { continue }
      guard let quality = parts.count == 1 ? 1000 : AcceptHeader.quality(parts[1]) else {
        continue
      }
      // Of duplicates the lower quality counts.
      let known = qualities[name.lowercased()] ?? 1000
      qualities[name.lowercased()] = min(known, quality)
    }
  }

  /// The quality of a coding or type by lower-case name: 0 (rejected or missing) to 1000.
  package func quality(of coding: String) -> Int { qualities[coding] ?? qualities["*"] ?? 0 }

  /// The best of these codings, earlier ones first; nil if plain is preferred or none acceptable.
  package func best(of codings: [String]) -> String? {
    let plain = qualities["identity"] ?? 0
    var best: (name: String, quality: Int)?
    for coding in codings {
      let quality = quality(of: coding)
      if quality > (best?.quality ?? max(0, plain - 1)) { best = (coding, quality) }
    }
    return best?.name
  }

  /// "q=0.5" in thousandths: 0 to 1 with at most three decimals; nil if invalid.
  private static func quality(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 3, bytes.count <= 7, bytes[0] | 0x20 == UInt8(ascii: "q"),
      bytes[1] == UInt8(ascii: "="), let whole = digit(bytes[2]), whole <= 1
    else { return nil }
    guard bytes.count > 3 else { return whole * 1000 }
    guard bytes[3] == UInt8(ascii: ".") else { return nil }
    var (quality, weight) = (whole * 1000, 100)
    for byte in bytes[4...] {
      guard let digit = digit(byte) else { return nil }
      quality += digit * weight
      weight /= 10
    }
    return quality <= 1000 ? quality : nil
  }

  private static func digit(_ byte: UInt8) -> Int? {
    let zero = UInt8(ascii: "0")
    return (zero...zero + 9).contains(byte) ? Int(byte - zero) : nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
