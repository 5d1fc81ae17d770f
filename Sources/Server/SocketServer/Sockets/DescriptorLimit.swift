#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The soft limit of open files and sockets.
///
/// Linux starts programs with 1,024, and libdispatch traps without a free descriptor.
package enum DescriptorLimit {
  static let maximum: UInt64 = 65_536

  /// Raises the soft limit to the hard one, at most 65,536; leaves it unchanged on failure.
  ///
  /// - Returns: the resulting limit; nil if it is unreadable.
  @discardableResult
  package static func raise() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    let wanted = wanted(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
    guard wanted > limit.rlim_cur else { return UInt64(limit.rlim_cur) }
    let before = limit.rlim_cur
    limit.rlim_cur = rlim_t(wanted)
    return setrlimit(resource, &limit) == 0 ? wanted : UInt64(before)
  }

  static func wanted(soft: UInt64, hard: UInt64) -> UInt64 { max(soft, min(hard, maximum)) }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
