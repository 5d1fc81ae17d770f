import MarketModel

/// A small JSON writer: objects, arrays, strings, integers and flags.
struct TicketJSON {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8, _ name: StaticString?) {
    separate()
    if let name { key(name) }
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func key(_ name: StaticString) {
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func object(_ name: StaticString? = nil, _ write: (inout TicketJSON) -> Void) {
    open(UInt8(ascii: "{"), name)
    write(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func array(_ name: StaticString, _ write: (inout TicketJSON) -> Void) {
    open(UInt8(ascii: "["), name)
    write(&self)
    close(UInt8(ascii: "]"))
  }

  /// A string member; nothing for nil.
  mutating func text(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    separate()
    key(name)
    quote(text)
  }

  /// A member: a string without arguments, else the key and its arguments; nothing for nil.
  mutating func sentence(_ name: StaticString, _ sentence: Sentence?) {
    guard let sentence else { return }
    if sentence.arguments.isEmpty { return text(name, sentence.key) }
    separate()
    key(name)
    needsComma = false
    parts(of: sentence)
  }

  private mutating func parts(of sentence: Sentence) {
    open(UInt8(ascii: "["), nil)
    separate()
    quote(sentence.key)
    for argument in sentence.arguments {
      switch argument {
      case .text(let text):
        separate()
        quote(text)
      case .sentence(let sentence): parts(of: sentence)
      }
    }
    close(UInt8(ascii: "]"))
  }

  mutating func flag(_ name: StaticString, _ flag: Bool) {
    separate()
    key(name)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  mutating func number(_ name: StaticString, _ number: Int64) {
    separate()
    key(name)
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        for digit in [byte >> 4, byte & 15] {
          bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
