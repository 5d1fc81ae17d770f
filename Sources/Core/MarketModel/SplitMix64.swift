/// Sebastiano Vigna's SplitMix64 (public domain), equal on every platform; accepts any seed.
public struct SplitMix64: RandomNumberGenerator, Sendable, Equatable {
  private var state: UInt64

  /// Starts a sequence; equal seeds give equal sequences.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// An integer in 0..<`bound`, uniform to within 2^-64; `bound` must be positive.
  public mutating func below(_ bound: Int64) -> Int64 {
    Int64(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
