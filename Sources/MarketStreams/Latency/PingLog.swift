// Pings that wait for their answers, and how long answers take: what else comes over the same
// connection has been on its way as long, however evenly it comes.

import MarketModel

/// One connection's pings, oldest first.
struct PingLog: Sendable {
  /// An answer that takes this long makes all that its venue says late, in milliseconds.
  static let slowMilliseconds: Int64 = 2000
  /// One that takes less than this ends that, in milliseconds.
  static let promptMilliseconds: Int64 = 1500
  /// Who has not answered for this long does not answer pings: it is not judged by them any more,
  /// in milliseconds.
  static let deafMilliseconds: Int64 = 60_000
  /// Answers waited for at most: one a second for as long as one is waited for, and some.
  static let maximumWaiting = 64

  private struct Ping {
    let number: Int64
    let sent: MonotonicTime
  }

  private var waiting: [Ping] = []
  /// How long the latest answer took, in milliseconds; nil before the first.
  private var latest: Int64?
  private(set) var isSlow = false

  /// A ping is sent.
  mutating func ask(_ number: Int64, at now: MonotonicTime) {
    if waiting.count == PingLog.maximumWaiting { waiting.removeFirst() }
    waiting.append(Ping(number: number, sent: now))
  }

  /// An answer has come; answers come in order, so that earlier pings are waited for no more.
  ///
  /// - Returns: when its ping was sent; nil when it answers none that is waited for.
  mutating func answer(_ number: Int64, at now: MonotonicTime) -> MonotonicTime? {
    guard let place = waiting.firstIndex(where: { $0.number == number }) else { return nil }
    let sent = waiting[place].sent
    waiting.removeFirst(place + 1)
    latest = now.milliseconds(since: sent)
    return sent
  }

  /// How long answers take, in milliseconds, while that is too long; nil otherwise, and while the
  /// venue has answered none.
  mutating func delay(at now: MonotonicTime) -> Int64? {
    while let first = waiting.first,
      now.milliseconds(since: first.sent) > PingLog.deafMilliseconds
    {
      waiting.removeFirst()
      latest = nil
    }
    let pending = waiting.first.map { now.milliseconds(since: $0.sent) } ?? 0
    let time = latest.map { max($0, pending) } ?? 0
    isSlow = time >= (isSlow ? PingLog.promptMilliseconds : PingLog.slowMilliseconds)
    return isSlow ? time : nil
  }
}
