import Foundation

/// A whole number from the command line, as in `--passes 9`; `missing` is the default.
public func option(_ name: String, _ missing: Int) -> Int {
  let arguments = CommandLine.arguments
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
    return missing
  }
  return Int(arguments[index + 1]) ?? missing
}

/// Processor seconds that this process has used: other work on the machine does not count.
public func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
