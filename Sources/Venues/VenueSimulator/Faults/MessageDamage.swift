import MarketModel

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
