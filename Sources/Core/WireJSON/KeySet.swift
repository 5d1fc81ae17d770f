// JSON allows a key twice and leaves the meaning open. A price must not depend on which one a
// reader happens to take, so the decoders refuse it.

/// The keys of one object that were seen, one bit each.
@frozen
public struct KeySet: Sendable {
  @usableFromInline var bits: UInt16 = 0

  /// No key was seen.
  @inlinable public init() {}

  /// Notes a key by its bit; throws when it was there before.
  @inlinable @inline(__always)
  public mutating func insert(_ bit: UInt16, at offset: Int) throws(JSONError) {
    guard bits & bit == 0 else { throw JSONError(.duplicateKey, at: offset) }
    bits |= bit
  }

  /// Whether all of these bits were seen.
  @inlinable @inline(__always)
  public func holds(_ wanted: UInt16) -> Bool { bits & wanted == wanted }

  /// Whether any of these bits was seen.
  @inlinable @inline(__always)
  public func holdsAny(of some: UInt16) -> Bool { bits & some != 0 }

  /// Throws unless all of these bits were seen.
  @inlinable @inline(__always)
  public func require(_ wanted: UInt16, at offset: Int) throws(JSONError) {
    guard holds(wanted) else { throw JSONError(.missingKey, at: offset) }
  }
}
