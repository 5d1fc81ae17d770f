import Foundation

/// The sequence number and hash of the latest event, in a file beside the database.
///
/// SQLite silently drops the end of a torn write-ahead log; the anchor reveals that events are
/// missing.
///
/// The file has two slots of one line each, written in place in turn. A torn write spoils one slot;
/// the other is at most one commit older. The file is not synced: after a power cut it may be old,
/// but never ahead.
struct LedgerAnchor: Sendable {
  struct Note: Hashable {
    let sequence: UInt64
    let hash: ChainHash
  }

  enum Reading: Hashable {
    case missing
    case unreadable
    case note(Note)
  }

  private static let slotBytes = 128

  let path: String

  func read() -> Reading {
    guard let data = FileManager.default.contents(atPath: path) else { return .missing }
    guard !data.isEmpty else { return .missing }
    let bytes = Array(data.prefix(2 * LedgerAnchor.slotBytes))
    let slots = [bytes.prefix(LedgerAnchor.slotBytes), bytes.dropFirst(LedgerAnchor.slotBytes)]
    let notes = slots.compactMap { LedgerAnchor.note(in: String(decoding: $0, as: UTF8.self)) }
    return notes.max { $0.sequence < $1.sequence }.map { .note($0) } ?? .unreadable
  }

  /// Overwrites the older slot.
  func write(_ note: Note) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.seek(toOffset: note.sequence % 2 * UInt64(LedgerAnchor.slotBytes))
    try handle.write(contentsOf: Data(LedgerAnchor.line(for: note).utf8))
  }

  private static func line(for note: Note) -> String {
    let body = "livetape-anchor 1 \(note.sequence) \(note.hash)"
    let line = body + " " + String(ChainHash(genesis: body).description.prefix(12))
    return line.padding(toLength: slotBytes - 1, withPad: " ", startingAt: 0) + "\n"
  }

  private static func note(in slot: String) -> Note? {
    let fields = slot.split { $0 == " " || $0 == "\n" }
    guard fields.count == 5, let sequence = UInt64(fields[2]),
      let hash = ChainHash(String(fields[3]))
    else { return nil }
    let note = Note(sequence: sequence, hash: hash)
    return line(for: note) == slot ? note : nil
  }
}
