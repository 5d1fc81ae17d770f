/// Writes 128 bits as "17e8f50a-1265-11e8-9f79-9d052b3e1a24".
enum GUIDText {
  private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

  static func text(_ high: UInt64, _ low: UInt64) -> String {
    var bytes: [UInt8] = []
    append(high, low, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func append(_ high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
    for position in 0..<32 {
      if position == 8 || position == 12 || position == 16 || position == 20 {
        bytes.append(UInt8(ascii: "-"))
      }
      let word = position < 16 ? high : low
      bytes.append(digits[Int(word >> UInt64(60 - 4 * (position % 16)) & 15)])
    }
  }
}
