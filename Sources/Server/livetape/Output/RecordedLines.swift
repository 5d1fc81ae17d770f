import Foundation
import MarketModel

struct RecordedLine {
  /// From 1.
  let number: Int
  /// When it was received; that of the line before where the line has none.
  let time: Timestamp
  /// The requested address of a response over HTTP; nil for a message of the stream.
  let address: String?
  let message: ArraySlice<UInt8>
}

/// Reads a recording's lines in parts, so that its size does not matter.
///
/// A line is one of three: a time, a tab and a message; a time, a tab, `ws` or the requested
/// address, a tab and a message; or a bare JSON message.
struct RecordedLines {
  /// The maximum line length; a BitMEX snapshot has about 1 MB.
  static let maximumLineBytes = 64 << 20
  private static let partBytes = 1 << 20

  private let path: String
  private let file: FileHandle
  private var buffer: [UInt8] = []
  private var offset = 0
  private var number = 0
  private var isAtEnd = false
  private var latest = Timestamp(nanoseconds: 0)

  /// Opens a recording; throws a ``CommandFailure`` if it is unreadable.
  init(path: String) throws {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandFailure("\(path): no such file")
    }
    guard !isFolder.boolValue, let file = FileHandle(forReadingAtPath: path) else {
      throw CommandFailure("\(path) can't be read")
    }
    self.file = file
  }

  /// The next line; nil at the end.
  ///
  /// Throws a ``CommandFailure`` with the line's number if it is not a time, a tab and a message.
  /// Empty lines are skipped.
  mutating func next() throws -> RecordedLine? {
    while let line = try nextLine() {
      number += 1
      if line.isEmpty { continue }
      if let first = line.first, RecordedLines.beginsMessage(first) {
        return RecordedLine(number: number, time: latest, address: nil, message: line)
      }
      guard let tab = line.firstIndex(of: RecordedLines.tab),
        let time = RecordedLines.time(Array(line[..<tab]))
      else {
        throw CommandFailure(
          "\(path):\(number): expected a time in seconds, a tab and a message, or a JSON message")
      }
      latest = time
      let rest = line[(tab + 1)...]
      guard let end = rest.firstIndex(of: RecordedLines.tab),
        let source = RecordedLines.source(rest[..<end])
      else { return RecordedLine(number: number, time: time, address: nil, message: rest) }
      return RecordedLine(
        number: number, time: time, address: source.isEmpty ? nil : source,
        message: rest[(end + 1)...])
    }
    return nil
  }

  private mutating func nextLine() throws -> ArraySlice<UInt8>? {
    var searched = offset
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        var line = buffer[offset..<end]
        offset = end + 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
      }
      searched = buffer.count
      if isAtEnd {
        let rest = buffer[offset...]
        offset = buffer.count
        return rest.isEmpty ? nil : rest
      }
      try fill(&searched)
    }
  }

  private mutating func fill(_ searched: inout Int) throws {
    buffer.removeSubrange(..<offset)
    searched -= offset
    offset = 0
    guard buffer.count <= RecordedLines.maximumLineBytes else {
      throw CommandFailure("\(path):\(number + 1): the line is too long")
    }
    guard let part = try file.read(upToCount: RecordedLines.partBytes), !part.isEmpty else {
      isAtEnd = true
      return
    }
    buffer.append(contentsOf: part)
  }

  private static let tab = UInt8(ascii: "\t")

  private static func beginsMessage(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// The address in a line's second column, empty for the stream; nil where the column is part of
  /// the message.
  private static func source(_ column: ArraySlice<UInt8>) -> String? {
    if column.elementsEqual("ws".utf8) { return "" }
    let isAddress = ["http://", "https://", "/"].contains { column.starts(with: $0.utf8) }
    return isAddress ? String(decoding: column, as: UTF8.self) : nil
  }

  /// Seconds since 1970 with up to nine decimals.
  private static func time(_ text: [UInt8]) -> Timestamp? {
    guard let seconds = FixedDecimal(ascii: text.span), seconds.units >= 0,
      let nanoseconds = seconds.rounded(to: Scale(clamping: 9))
    else { return nil }
    return Timestamp(nanoseconds: nanoseconds.units)
  }
}
