import Foundation

@_silgen_name("abort") func abortProcess() -> Never

/// Ends the run; libFuzzer keeps the input.
func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data((reason + "\n").utf8))
  abortProcess()
}
