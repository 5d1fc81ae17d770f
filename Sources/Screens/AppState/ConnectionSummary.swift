public import MarketModel
import VenueCatalogue

/// A venue's connection as a screen shows it: what is wrong, what happens next, and the remedy.
///
/// Pure, with times as input, and shared by both apps.
public struct ConnectionSummary: Sendable {
  /// An outage is reported once it lasts this long; at the start immediately.
  public static let outageMilliseconds: Int64 = 2000
  /// A missing response is reported after this long.
  public static let patienceMilliseconds: Int64 = 3000
  /// The silence of an open connection is reported after this long.
  public static let silenceMilliseconds: Int64 = 8000

  private let venue: Venue
  private var status: ConnectionStatus?
  private var wasEverConnected = false
  /// When the connection was lost; initially when the screen opened.
  private var lostAt: ClockReading
  private var connectedAt: ClockReading?

  /// Creates the summary for a screen that was just opened.
  public init(_ venue: Venue, at now: ClockReading) { (self.venue, lostAt) = (venue, now) }

  /// Applies a status; ignores other venues.
  public mutating func update(_ status: ConnectionStatus, at now: ClockReading) {
    guard status.venue == venue else { return }
    let wasConnected = self.status?.phase.isConnected ?? false
    self.status = status
    if status.phase.isConnected {
      wasEverConnected = true
      if !wasConnected { connectedAt = now }
    } else if wasConnected {
      (lostAt, connectedAt) = (now, nil)
    }
  }

  /// The connection's indicator.
  public var word: ConnectionIndicator {
    status.map { ConnectionIndicator($0.phase) } ?? .disconnected
  }

  /// What is wrong; nil if nothing is.
  ///
  /// `isWaiting`: the screen has no value yet.
  public func notice(isWaiting: Bool, at now: ClockReading) -> ConnectionNotice? {
    if let closure = venue.closure, status == nil || status?.origin == .venue,
      status?.phase.isConnected != true
    {
      return ConnectionNotice(closure, .none)
    }
    guard let status else {
      let text: Sentence =
        "\(venue.displayName) has no address in this app, so nothing can come from it."
      return passed(since: lostAt, now) >= Self.patienceMilliseconds
        ? ConnectionNotice(text, .setUp) : nil
    }
    if status.phase.isConnected { return isWaiting ? silence(at: now) : nil }
    if wasEverConnected, passed(since: lostAt, now) < Self.outageMilliseconds { return nil }
    return outage(status, at: now)
  }

  private func outage(_ status: ConnectionStatus, at now: ClockReading) -> ConnectionNotice? {
    let name = venue.displayName
    switch status.phase {
    case .connecting, .handshaking, .awaitingReady:
      if let reason = status.reason { return ConnectionNotice("\(reason) Trying again…", .none) }
      let waited = passed(since: lostAt, now)
      guard waited >= Self.patienceMilliseconds else { return nil }
      return ConnectionNotice(
        """
        Connecting to \(name): no answer for \(waited / 1000) s. \
        The attempt ends by itself, and the next one follows.
        """, .none)
    case .backingOff:
      let reason = status.reason ?? "\(name) is not connected."
      return ConnectionNotice(Sentence(joining: [reason, nextTry(status, at: now)]), .retry)
    case .stale:
      return ConnectionNotice("\(name) is silent; its connection is being checked.", .retry)
    case .refused:
      let reason = status.reason ?? "\(name) refused the connection."
      return ConnectionNotice("\(reason) It is not tried again by itself.", .retry)
    case .stopped: return ConnectionNotice("\(name) is stopped.", .start)
    case .idle: return ConnectionNotice("\(name) is not connected.", .start)
    case .subscribing, .live: return nil
    }
  }

  private func silence(at now: ClockReading) -> ConnectionNotice? {
    guard let connectedAt else { return nil }
    let waited = passed(since: connectedAt, now)
    guard waited >= Self.silenceMilliseconds else { return nil }
    return ConnectionNotice(
      """
      Connected to \(venue.displayName), but nothing has come for this screen in \
      \(waited / 1000) s. It may just be quiet there.
      """, .reconnect)
  }

  private func nextTry(_ status: ConnectionStatus, at now: ClockReading) -> Sentence {
    guard let next = status.nextAttempt else { return "Trying again soon." }
    let milliseconds = max(0, next.monotonic.milliseconds(since: now.monotonic))
    let seconds = (milliseconds + 999) / 1000
    return seconds == 0 ? "Trying again…" : "Next try in \(seconds) s."
  }

  private func passed(since earlier: ClockReading, _ now: ClockReading) -> Int64 {
    now.monotonic.milliseconds(since: earlier.monotonic)
  }
}
