// The sum of what venues send: a flood of absurd sizes may be shown as the largest, never as a
// crash.

/// The sum, or the nearest number that fits.
@inlinable
public func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (left < 0 ? .min : .max) : sum
}
