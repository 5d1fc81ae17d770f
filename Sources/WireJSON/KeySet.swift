// JSON allows a key twice and leaves the meaning open. A price must not depend on which one a
// reader happens to take, so the decoders refuse it.

/// The keys of one object that were seen, one bit each.
public struct KeySet: Sendable {
  @usableFromInline var bits: UInt8 = 0

  /// No key was seen.
  @inlinable public init() {}

  /// Notes a key by its bit; throws when it was there before.
  @inlinable
  public mutating func insert(_ bit: UInt8, at offset: Int) throws(JSONError) {
    guard bits & bit == 0 else { throw JSONError(.duplicateKey, at: offset) }
    bits |= bit
  }

  /// Whether all of these bits were seen.
  @inlinable public func holds(_ wanted: UInt8) -> Bool { bits & wanted == wanted }
}
