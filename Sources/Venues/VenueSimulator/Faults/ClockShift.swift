import MarketModel

/// Moves the times in messages, in any format, to simulate a venue's wrong clock.
///
/// A time is a text in ISO 8601, a whole number of milliseconds since 1970, also as a text, or one
/// of seconds at the start of a line, if it is within a year of now. A member of ten digits does
/// not count, because it may be a checksum.
struct ClockShift {
  private static let yearMilliseconds: Int64 = 366 * 86_400_000

  let milliseconds: Int64
  let now: Timestamp

  /// The same message with all its times moved; O(n).
  func shifted(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let end = numberEnd(bytes, from: index)
      if let (text, length) = dateText(bytes, at: index) {
        result += text
        index += length
      } else if end > index {
        result += shiftedNumber(bytes[index..<end], unit: unit(bytes, index, end))
        index = end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private func numberEnd(_ bytes: [UInt8], from index: Int) -> Int {
    var end = index
    while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    return end
  }

  /// Milliseconds per unit of a row of digits; nil when it is no time.
  private func unit(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int64? {
    let after = end < bytes.count ? bytes[end] : UInt8(ascii: ",")
    let before = start > 0 ? bytes[start - 1] : UInt8(ascii: "\n")
    if before == UInt8(ascii: "\""), after == before { return end - start == 13 ? 1 : nil }
    guard Array(",}]\n ".utf8).contains(after) else { return nil }
    return switch end - start {
    case 10: before == UInt8(ascii: "\n") ? 1000 : nil
    case 13: Array(":,[\n ".utf8).contains(before) ? 1 : nil
    default: nil
    }
  }

  private func shiftedNumber(_ digits: ArraySlice<UInt8>, unit: Int64?) -> [UInt8] {
    guard let unit, let number = Int64(String(decoding: digits, as: UTF8.self)),
      abs(number * unit - now.milliseconds) < ClockShift.yearMilliseconds
    else { return Array(digits) }
    return Array(String(number + milliseconds / unit).utf8)
  }

  /// "2026-11-24T01:02:03.123456Z" moved, and its length; nil for other text.
  ///
  /// Shifts are whole seconds, so the fraction stays as it is.
  private func dateText(_ bytes: [UInt8], at index: Int) -> ([UInt8], Int)? {
    guard bytes.count - index >= 20, isDigit(bytes[index]), bytes[index + 4] == 0x2d,
      bytes[index + 10] == UInt8(ascii: "T")
    else { return nil }
    let seconds = index + 19
    var end = seconds
    if bytes[end] == UInt8(ascii: ".") { end = numberEnd(bytes, from: end + 1) }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "Z"),
      let time = Timestamp(
        iso8601: String(decoding: bytes[index..<seconds], as: UTF8.self) + "Z")
    else { return nil }
    let whole = time.adding(milliseconds: milliseconds).description.utf8.prefix(19)
    return (Array(whole) + bytes[seconds...end], end + 1 - index)
  }
}
