/// A set of integers in 0...2^24-1 with four levels of 64-way summary bits.
///
/// A neighbour takes one word read nearly always and at most seven.
struct PriceBitmap: ~Copyable {
  /// The members' words come last, so that their number follows the highest price in use.
  private static let leaves = 1 + 64 + 4096
  private let words: Slab<UInt64>
  private let leafWords: Int

  /// `maximum` is at most 2^24 - 1.
  init(maximum: Int) {
    leafWords = (maximum >> 6) + 1
    words = Slab(repeating: 0, count: PriceBitmap.leaves + leafWords)
  }

  init(copying other: borrowing PriceBitmap) {
    leafWords = other.leafWords
    words = Slab(copying: other.words)
  }

  @inline(__always)
  func insert(_ member: Int) {
    let leaf = PriceBitmap.leaves + (member >> 6)
    let before = words[leaf]
    words[leaf] = before | bit(member)
    if before == 0 { markOccupied(member >> 6) }
  }

  /// Removes a member; true when it was the last of its 64 neighbours.
  @inline(__always)
  func remove(_ member: Int) -> Bool {
    let leaf = PriceBitmap.leaves + (member >> 6)
    let after = words[leaf] & ~bit(member)
    words[leaf] = after
    if after == 0 { markEmpty(member >> 6) }
    return after == 0
  }

  @inline(__always)
  func first(atOrAbove start: Int) -> Int? {
    let word = start >> 6
    guard word < leafWords else { return nil }
    let bits = words[PriceBitmap.leaves + word] & (~0 << UInt64(start & 63))
    if bits != 0 { return word << 6 | bits.trailingZeroBitCount }
    return firstFar(above: word)
  }

  @inline(__always)
  func last(atOrBelow start: Int) -> Int? {
    guard start >= 0 else { return nil }
    let word = start >> 6
    let bits = words[PriceBitmap.leaves + word] & (~0 >> UInt64(63 - (start & 63)))
    if bits != 0 { return word << 6 | (63 - bits.leadingZeroBitCount) }
    return lastFar(below: word)
  }

  @inline(__always)
  private func bit(_ position: Int) -> UInt64 { 1 << UInt64(position & 63) }

  /// Where a summary level's words begin: 1 is above the leaves, 3 is the top.
  private func offset(_ level: Int) -> Int { level == 1 ? 65 : level == 2 ? 1 : 0 }

  @inline(never)
  private func markOccupied(_ leafWord: Int) {
    var position = leafWord
    for level in 1...3 {
      words[offset(level) + (position >> 6)] |= bit(position)
      position >>= 6
    }
  }

  @inline(never)
  private func markEmpty(_ leafWord: Int) {
    var position = leafWord
    for level in 1...3 {
      let word = offset(level) + (position >> 6)
      words[word] &= ~bit(position)
      if words[word] != 0 { return }
      position >>= 6
    }
  }

  @inline(never)
  private func firstFar(above leafWord: Int) -> Int? {
    var position = leafWord + 1
    for level in 1...3 {
      let word = position >> 6
      guard word < 1 << (6 * (3 - level)) else { return nil }
      let bits = words[offset(level) + word] & (~0 << UInt64(position & 63))
      if bits != 0 {
        var found = word << 6 | bits.trailingZeroBitCount
        for below in (0..<level).reversed() {
          found = found << 6 | words[start(below) + found].trailingZeroBitCount
        }
        return found
      }
      position = word + 1
    }
    return nil
  }

  @inline(never)
  private func lastFar(below leafWord: Int) -> Int? {
    var position = leafWord - 1
    for level in 1...3 {
      guard position >= 0 else { return nil }
      let word = position >> 6
      let bits = words[offset(level) + word] & (~0 >> UInt64(63 - (position & 63)))
      if bits != 0 {
        var found = word << 6 | (63 - bits.leadingZeroBitCount)
        for below in (0..<level).reversed() {
          found = found << 6 | (63 - words[start(below) + found].leadingZeroBitCount)
        }
        return found
      }
      position = word - 1
    }
    return nil
  }

  private func start(_ level: Int) -> Int { level == 0 ? PriceBitmap.leaves : offset(level) }
}
