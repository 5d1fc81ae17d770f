/// The 64-bit FNV-1a hash: equal on every platform and run, but not for secrets.
public struct FNV1a: Hashable, Sendable {
  @usableFromInline var state: UInt64

  /// The hash so far.
  @inlinable public var value: UInt64 { state }

  /// Starts a hash; seed 0 is the standard's start.
  @inlinable
  public init(seed: UInt64 = 0) { state = 0xcbf2_9ce4_8422_2325 ^ seed }

  /// Adds a byte.
  @inlinable
  public mutating func combine(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

  /// Adds eight bytes, lowest first.
  @inlinable
  public mutating func combine(_ number: UInt64) {
    var rest = number
    for _ in 0..<8 {
      combine(byte: UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Adds a signed number by its bit pattern.
  @inlinable
  public mutating func combine(_ number: Int64) { combine(UInt64(bitPattern: number)) }
}
