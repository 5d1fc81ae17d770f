// Lines to stdout and stderr, written whole and at once, so that a script reading a pipe sees each
// line when it is made.

import MarketModel
import Foundation

/// Lines for people.
enum StandardError {
  /// Writes a line, or several.
  ///
  /// Arguments, names of files and what is in them are repeated in errors: what would steer a
  /// terminal is shown as a mark instead.
  static func write(_ line: String) {
    let line = String(
      String.UnicodeScalarView(
        line.unicodeScalars.map { scalar in
          ForeignText.showsItself(scalar) || scalar == "\n" || scalar == "\t"
            ? scalar : "\u{FFFD}"
        }))
    // Who has closed it hears nothing; that is no reason to trap.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// Lines for people and programs.
enum StandardOutput {
  /// Writes a line; throws when the reader has gone away or there is no room.
  static func write(_ line: [UInt8]) throws(CommandFailure) {
    var data = Data(line)
    data.append(UInt8(ascii: "\n"))
    try write(data)
  }

  /// Writes text that ends its own lines; throws as for a line.
  static func write(whole text: String) throws(CommandFailure) { try write(Data(text.utf8)) }

  /// Writes a line of text.
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
