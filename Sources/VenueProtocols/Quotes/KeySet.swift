// JSON allows a key twice and leaves the meaning open. A price must not depend on which one a
// reader happens to take, so the decoders refuse it.

/// The keys of one object that were seen, one bit each.
struct KeySet {
  private var bits: UInt8 = 0

  /// Notes a key by its bit; throws when it was there before.
  mutating func insert(_ bit: UInt8, at offset: Int) throws(JSONError) {
    guard bits & bit == 0 else { throw JSONError(.duplicateKey, at: offset) }
    bits |= bit
  }

  /// Whether all of these bits were seen.
  func holds(_ wanted: UInt8) -> Bool { bits & wanted == wanted }
}
