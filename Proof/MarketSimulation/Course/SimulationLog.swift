/// Receives all events: for the trace, and for the first broken rule.
final class SimulationLog {
  private(set) var trace: SimulationTrace
  private(set) var finding: SimulationFinding?

  init(keepsLines: Bool) { trace = SimulationTrace(keepsLines: keepsLines) }

  /// Only the first broken rule counts.
  func take(_ event: SimulationEvent, at milliseconds: Int64) {
    switch event {
    case .step(let what, let number, let bytes): trace.note(milliseconds, what, number, bytes)
    case .finding(let invariant, let evidence):
      finding =
        finding
        ?? SimulationFinding(invariant: invariant, evidence: evidence, milliseconds: milliseconds)
    }
  }
}

struct SimulationTrace {
  static let keptLines = 60

  private(set) var steps = 0
  private(set) var lines: [String] = []
  private let keepsLines: Bool

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Records a step: time, kind, subject and bytes.
  mutating func note(
    _ milliseconds: Int64, _ what: String, _ number: Int = 0, _ bytes: [UInt8] = []
  ) {
    steps += 1
    mix(UInt64(bitPattern: milliseconds))
    for byte in what.utf8 { mix(UInt64(byte)) }
    mix(UInt64(bitPattern: Int64(number)))
    mix(bytes)
    guard keepsLines else { return }
    if lines.count >= SimulationTrace.keptLines { lines.removeFirst() }
    let text = String(decoding: bytes.prefix(160), as: UTF8.self)
    lines.append("\(milliseconds) \(what) \(number) \(text)")
  }

  /// FNV-1a by words instead of bytes, which takes an eighth of the time; the shift carries high
  /// bits down.
  private mutating func mix(_ word: UInt64) {
    hash = (hash ^ word) &* 0x100_0000_01b3
    hash ^= hash >> 29
  }

  private mutating func mix(_ bytes: [UInt8]) {
    mix(UInt64(bytes.count))
    var index = 0
    while index < bytes.count {
      var word: UInt64 = 0
      let end = min(index + 8, bytes.count)
      for place in index..<end { word = word << 8 | UInt64(bytes[place]) }
      mix(word)
      index = end
    }
  }
}
