// Lines to stdout and stderr, written whole and at once, so that a script reading a pipe sees each
// line when it is made.

import Foundation

/// Lines for people.
enum StandardError {
  static func write(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}

/// Lines for people and programs.
enum StandardOutput {
  /// Writes a line; throws when the reader has gone away.
  static func write(_ line: [UInt8]) throws {
    var data = Data(line)
    data.append(UInt8(ascii: "\n"))
    try FileHandle.standardOutput.write(contentsOf: data)
  }

  /// Writes text that ends its own lines; throws when the reader has gone away.
  static func write(whole text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Writes a line of text.
  static func write(_ line: String) throws { try write(Array(line.utf8)) }
}
