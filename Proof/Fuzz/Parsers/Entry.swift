// The entry point of libFuzzer for single parsers: FUZZ_TARGET names one of the program's
// `targets`. No state is kept between inputs, so that an input alone reproduces a finding.

import Foundation

/// A parser with the invariants of its result.
typealias Target = @Sendable (Span<UInt8>) -> Void

private let run: Target = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = targets[name] else {
    fail("FUZZ_TARGET is one of \(targets.keys.sorted().joined(separator: " "))")
  }
  return target
}()

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  run(Span(_unsafeElements: UnsafeBufferPointer(start: data, count: data == nil ? 0 : count)))
  return 0
}

/// Calls for each message of an input; a zero byte separates them.
func forEachMessage(_ bytes: Span<UInt8>, _ take: (Span<UInt8>) -> Void) {
  var start = 0
  for index in 0...bytes.count where index == bytes.count || bytes[index] == 0 {
    if index > start { take(bytes.extracting(start..<index)) }
    start = index + 1
  }
}

/// The bytes as text; invalid UTF-8 is replaced.
func text(_ bytes: Span<UInt8>) -> String {
  bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}
