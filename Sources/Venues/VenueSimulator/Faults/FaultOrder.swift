public import MarketModel

/// One fault on demand, requested by a user or a test, with its strength and its end.
public struct FaultOrder: Sendable, Equatable {
  /// The messages that a fault affects.
  public enum Reach: Sendable, Equatable {
    /// The next one that it can affect, on any connection; then the fault is over.
    case next
    /// The one with this number on each connection, from 1.
    case number(Int)
    /// This many of a million, 1 to 1,000,000.
    case chance(perMillion: Int64)
  }

  /// The fault.
  public enum Kind: Sendable, Equatable {
    /// A message is lost, doubled, late by one, cut or changed.
    case message(FaultPlan.Fault, Reach)
    /// This many messages in a row are lost: the next ones, or each connection's from a number on.
    case gap(messages: Int, from: Int?)
    /// Every message comes this many milliseconds later, in order.
    case delay(milliseconds: Int64)
    /// Only pongs come, once a connection has sent this many messages.
    case stall(after: Int)
    /// Nothing comes, and nothing that the client sends is read, so there are no pongs either.
    case halfOpen(after: Int)
    /// Connections are refused with this status: the next ones, or all without a count.
    case refuse(status: Int, count: Int?)
    /// Connections are closed with this code: now, or each once it has sent this many messages.
    case close(code: UInt16, after: Int?)
    /// Connections are cut without a close frame: now, or each once it has sent this many messages.
    case cut(after: Int?)
    /// The times in the venue's messages are wrong by this many milliseconds.
    case clock(milliseconds: Int64)
    /// Each connection gets its latest short message again, this many times a second.
    case flood(perSecond: Int)
  }

  /// The fault.
  public let kind: Kind
  /// The duration in milliseconds; nil until it is over by itself or cleared.
  public let milliseconds: Int64?

  /// Creates an order; ``FaultSpec`` has the bounds.
  public init(_ kind: Kind, milliseconds: Int64? = nil) {
    self.kind = kind
    self.milliseconds = milliseconds
  }

  /// Whether it lasts until a time or until it is cleared; others are over once they happened.
  var lasts: Bool {
    switch kind {
    case .message(_, .chance), .delay, .stall, .halfOpen, .clock, .flood: true
    case .refuse(_, let count): count == nil
    case .message, .gap, .close, .cut: false
    }
  }
}

/// An order in effect.
public struct RunningFault: Sendable, Equatable {
  /// The order as it was given.
  public let order: FaultOrder
  /// When it ends; nil where that is unknown.
  public let end: Timestamp?

  /// Creates a running fault.
  public init(_ order: FaultOrder, end: Timestamp?) { (self.order, self.end) = (order, end) }
}

/// Damages messages; recognises only pongs, heartbeats and checksums in them.
enum MessageDamage {
  private static let checksumKey = Array(#""checksum":"#.utf8)

  /// Whether a message is a pong of a venue that sends these as messages.
  static func isPong(_ bytes: [UInt8]) -> Bool {
    bytes == Array("pong".utf8) || bytes.starts(with: Array(#"{"method":"pong""#.utf8))
  }

  /// Whether a message only proves that the connection is alive.
  static func isIdle(_ bytes: [UInt8]) -> Bool {
    isPong(bytes) || bytes.starts(with: Array(#"{"channel":"heartbeat""#.utf8))
  }

  static func hasChecksum(_ bytes: [UInt8]) -> Bool { checksumEnd(bytes) != nil }

  /// A message after a fault; O(n).
  static func damaged(
    _ bytes: [UInt8], _ fault: FaultPlan.Fault, _ random: inout SplitMix64
  ) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    if fault == .checksum {
      if let end = checksumEnd(bytes) {
        bytes[end] = bytes[end] > UInt8(ascii: "4") ? bytes[end] - 1 : bytes[end] + 1
      }
      return bytes
    }
    let place = Int(random.below(Int64(bytes.count)))
    if fault == .truncate {
      bytes.removeSubrange(place...)
    } else {
      let other = UInt8(truncatingIfNeeded: random.within(0x21...0x7d))
      bytes[place] = other >= bytes[place] ? other + 1 : other
    }
    return bytes
  }

  /// The index of the last digit of the last checksum in a message; a snapshot has one.
  private static func checksumEnd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > checksumKey.count else { return nil }
    var index = bytes.count - checksumKey.count
    while index > 0 {
      if bytes[index] == checksumKey[0], bytes[index...].starts(with: checksumKey) {
        var end = index + checksumKey.count
        while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) {
          end += 1
        }
        return end > index + checksumKey.count ? end - 1 : nil
      }
      index -= 1
    }
    return nil
  }
}

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
      let time = Timestamp(iso8601: String(decoding: bytes[index..<seconds], as: UTF8.self) + "Z")
    else { return nil }
    let whole = time.adding(milliseconds: milliseconds).description.utf8.prefix(19)
    return (Array(whole) + bytes[seconds...end], end + 1 - index)
  }
}
