/// A histogram of durations in nanoseconds, with percentiles at most 3.2 % too long.
///
/// 32 buckets per power of two, up to 137 s; ``max`` is exact. Recording is O(1), a percentile
/// O(buckets); 4 KiB once used.
struct LatencyHistogram: Equatable, Sendable {
  private static let bucketBits = 5
  private static let valueBits = 37
  private static let bucketCount = (valueBits - bucketBits + 1) << bucketBits

  private var counts: [UInt32] = []
  private(set) var count = 0
  /// The longest; 0 when empty.
  private(set) var max: Int64 = 0

  /// Records a duration; a negative one as 0.
  mutating func record(_ nanoseconds: Int64) {
    let value = Swift.max(0, nanoseconds)
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.bucketCount) }
    let index = Self.index(of: value)
    if counts[index] < .max { counts[index] += 1 }
    count += 1
    max = Swift.max(max, value)
  }

  mutating func add(_ other: LatencyHistogram) {
    guard other.count > 0 else { return }
    if counts.isEmpty {
      self = other
      return
    }
    for index in counts.indices {
      let (sum, isTooLarge) = counts[index].addingReportingOverflow(other.counts[index])
      counts[index] = isTooLarge ? .max : sum
    }
    count += other.count
    max = Swift.max(max, other.max)
  }

  /// The duration that this many per mille do not exceed; 0 when empty.
  func percentile(perMille: Int) -> Int64 {
    let rank = Swift.max(1, (count * perMille + 999) / 1000)
    var seen = 0
    for (index, number) in counts.enumerated() where number > 0 {
      seen += Int(number)
      if seen >= rank { return Swift.min(Self.longest(in: index), max) }
    }
    return max
  }

  private static func index(of value: Int64) -> Int {
    let bits = Int64.bitWidth - value.leadingZeroBitCount
    if bits > valueBits { return bucketCount - 1 }
    let shift = Swift.max(0, bits - bucketBits - 1)
    return shift << bucketBits + Int(value >> Int64(shift))
  }

  private static func longest(in index: Int) -> Int64 {
    let shift = Swift.max(0, index >> bucketBits - 1)
    return Int64(index - shift << bucketBits + 1) << Int64(shift) - 1
  }
}

struct RollingHistogram: Equatable, Sendable {
  private static let slotNanoseconds: Int64 = 10_000_000_000
  private static let slotCount = 6

  private(set) var total = LatencyHistogram()
  private var slots = Array(repeating: LatencyHistogram(), count: slotCount)
  /// The newest slot's number, in units of ten seconds.
  private var newest: Int64 = 0

  mutating func record(_ nanoseconds: Int64, at time: Int64) {
    total.record(nanoseconds)
    advance(to: time)
    slots[Self.place(newest)].record(nanoseconds)
  }

  /// The durations of the last 50 to 60 seconds.
  func lastMinute(at time: Int64) -> LatencyHistogram {
    var copy = self
    copy.advance(to: time)
    return copy.slots.reduce(into: LatencyHistogram()) { $0.add($1) }
  }

  private mutating func advance(to time: Int64) {
    let slot = time / Self.slotNanoseconds
    guard slot > newest else { return }
    let passed = Swift.min(slot - newest, Int64(Self.slotCount))
    for number in (slot - passed + 1)...slot { slots[Self.place(number)] = LatencyHistogram() }
    newest = slot
  }

  private static func place(_ slot: Int64) -> Int { Int(slot % Int64(slotCount)) }
}
