// Which compressions and forms of an answer the other end can read (RFC 9110, 12.5). It comes from
// outside: whatever can't be read counts as not said, and the plain form is always a way out.

/// What a request's `Accept-Encoding` or `Accept` says.
package struct AcceptHeader: Sendable, Equatable {
  /// The longest header that is read, in bytes; of a longer one nothing counts.
  package static let maximumLength = 512

  /// Qualities in thousandths, by the name of the coding or type in small letters.
  private var qualities: [String: Int] = [:]

  /// Reads the header's value, several of them joined by commas; nil when the request has none.
  package init(_ header: String?) {
    guard let header, header.utf8.count <= AcceptHeader.maximumLength else { return }
    for element in header.split(separator: ",") {
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
      guard let name = parts.first, !name.isEmpty, parts.count <= 2 else { continue }
      guard let quality = parts.count == 1 ? 1000 : AcceptHeader.quality(parts[1]) else {
        continue
      }
      // Said twice: the more careful word counts.
      let known = qualities[name.lowercased()] ?? 1000
      qualities[name.lowercased()] = min(known, quality)
    }
  }

  /// How welcome a coding or type is, by its name in small letters: 0 (not at all, or not said) to
  /// 1000.
  package func quality(of coding: String) -> Int { qualities[coding] ?? qualities["*"] ?? 0 }

  /// The most welcome of the codings there are, an earlier one before a later one; nil when none is
  /// or plain bytes are more so.
  package func best(of codings: [String]) -> String? {
    let plain = qualities["identity"] ?? 0
    var best: (name: String, quality: Int)?
    for coding in codings {
      let quality = quality(of: coding)
      if quality > (best?.quality ?? max(0, plain - 1)) { best = (coding, quality) }
    }
    return best?.name
  }

  /// "q=0.5" in thousandths: at most three decimals, 0 to 1; nil when it is not that.
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
  /// Without blanks and tabs at its ends.
  fileprivate var trimmed: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
