/// The keys seen in one object, one bit each, so that duplicates can be rejected.
@frozen
public struct KeySet: Sendable {
  @usableFromInline var bits: UInt16 = 0

  /// Creates an empty set.
  @inlinable public init() {}

  /// Adds a key's bit; throws if it is already set.
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
