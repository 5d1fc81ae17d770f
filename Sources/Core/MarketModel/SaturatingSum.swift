/// The sum, clamped to the range of `Int64`, because venues may send absurd sizes.
@inlinable
public func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (left < 0 ? .min : .max) : sum
}
