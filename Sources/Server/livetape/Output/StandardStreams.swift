// Lines to stdout and stderr, written whole and at once, so that a script reading a pipe sees each
// line when it is made.

import MarketModel
import Foundation

/// Lines written whole and at once, so that a script reading a pipe gets each line immediately.
enum StandardError {
  /// Writes one or more lines.
  ///
  /// Errors quote arguments, file names and contents, so terminal control characters are replaced
  /// by a mark.
  static func write(_ line: String) {
    let line = String(
      String.UnicodeScalarView(
        line.unicodeScalars.map { scalar in
          ForeignText.showsItself(scalar) || scalar == "\n" || scalar == "\t"
            ? scalar : "\u{FFFD}"
        }))
    // A closed stderr is ignored instead of trapping.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// Lines written whole and at once, for users and programs.
enum StandardOutput {
  /// Writes a line; throws if the output is closed or full.
  static func write(_ line: [UInt8]) throws(CommandFailure) {
    var data = Data(line)
    data.append(UInt8(ascii: "\n"))
    try write(data)
  }

  /// Writes text with line ends; throws like ``write(_:)``.
  static func write(whole text: String) throws(CommandFailure) { try write(Data(text.utf8)) }

  static func write(_ line: String) throws(CommandFailure) { try write(Array(line.utf8)) }

  private static func write(_ data: Data) throws(CommandFailure) {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      guard let code = cause?.code else {
        throw CommandFailure("can't write the output: \(error.localizedDescription)")
      }
      if code == Int(EPIPE) { throw .outputClosed }
      throw CommandFailure("can't write the output: \(String(cString: strerror(Int32(code))))")
    }
  }
}
