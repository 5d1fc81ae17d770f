// Everything that happens, in order, as one number: equal for equal seeds on every machine.

import MarketModel

/// The hash of a course, and its latest lines for whoever looks for a mistake.
struct SimulationTrace {
  /// Lines that are kept.
  static let keptLines = 60

  private var hasher = FNV1a()
  private(set) var steps = 0
  private(set) var lines: [String] = []
  private let keepsLines: Bool

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  /// The hash so far.
  var hash: UInt64 { hasher.value }

  /// Notes a step: when, what, of whom, and what was said.
  mutating func note(
    _ milliseconds: Int64, _ what: String, _ number: Int = 0, _ bytes: [UInt8] = []
  ) {
    steps += 1
    hasher.combine(milliseconds)
    for byte in what.utf8 { hasher.combine(byte: byte) }
    hasher.combine(Int64(number))
    for byte in bytes { hasher.combine(byte: byte) }
    guard keepsLines else { return }
    if lines.count >= SimulationTrace.keptLines { lines.removeFirst() }
    let text = String(decoding: bytes.prefix(160), as: UTF8.self)
    lines.append("\(milliseconds) \(what) \(number) \(text)")
  }
}
