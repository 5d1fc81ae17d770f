#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Whether the system may write this process's memory to disk when it crashes.
///
/// A core dump contains secrets and may be readable by others.
package enum CoreDumps {
  /// Forbids core dumps, also for child processes; false if the system refuses.
  ///
  /// The limit is one byte, which no dump fits: Linux ignores a limit of 0 before it passes a dump
  /// to a collecting program, but drops it at a limit of 1.
  package static func forbid() -> Bool {
    #if canImport(Darwin)
      let most: rlim_t = 0
    #else
      let most: rlim_t = 1
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return false }
    limit.rlim_max = min(limit.rlim_max, most)
    limit.rlim_cur = limit.rlim_max
    return setrlimit(resource, &limit) == 0
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
  #else
    private static let resource = RLIMIT_CORE
  #endif
}
