// What the bar and the banner say about the connection: pure, so that a test can tell the times.

import AppState
import MarketModel

/// The connection as it is shown.
struct ConnectionSummary {
  /// An outage is spoken of once it lasts this long; at the start at once, for there is nothing
  /// else to see.
  static let bannerAfterMilliseconds: Int64 = 2000

  private var status: ConnectionStatus?
  private var wasEverConnected = false
  private var lostAt: ClockReading?

  /// Takes a status.
  mutating func update(_ status: ConnectionStatus, at now: ClockReading) {
    let wasConnected = self.status?.phase.isConnected ?? false
    self.status = status
    if status.phase.isConnected {
      wasEverConnected = true
      lostAt = nil
    } else if wasConnected || lostAt == nil {
      lostAt = now
    }
  }

  /// The connection in one word.
  var word: ConnectionWord { status.map { ConnectionWord($0.phase) } ?? .disconnected }

  /// Whether a person can hurry the next attempt.
  var canRetry: Bool {
    switch status?.phase {
    case .backingOff, .stale, .refused: true
    default: false
    }
  }

  /// What stopped and what happens next; nil while there is nothing to say.
  func message(at now: ClockReading) -> String? {
    guard let status, !status.phase.isConnected, let reason = status.reason else { return nil }
    if wasEverConnected, let lostAt,
      now.monotonic.milliseconds(since: lostAt.monotonic) < Self.bannerAfterMilliseconds
    {
      return nil
    }
    guard let next = nextStep(status, at: now) else { return reason }
    return "\(reason) \(next)"
  }

  private func nextStep(_ status: ConnectionStatus, at now: ClockReading) -> String? {
    switch status.phase {
    case .connecting, .handshaking, .awaitingReady: return "Trying again…"
    case .backingOff:
      guard let next = status.nextAttempt else { return nil }
      let milliseconds = max(0, next.monotonic.milliseconds(since: now.monotonic))
      let seconds = (milliseconds + 999) / 1000
      return seconds == 0 ? "Trying again…" : "Next try in \(seconds) s."
    default: return nil
    }
  }
}
