// A page's socket is worth its place only while somebody is at its other end. Browsers answer pings
// by themselves, also for pages in the background.

import NIOCore

/// Watches one page's socket; used on its event loop.
final class PageLiveness {
  /// Why a page's socket is given up.
  enum End {
    /// Nobody is there.
    case silent
    /// It takes what it is sent too slowly.
    case behind
  }

  /// Time between pings.
  static let pingInterval = TimeAmount.seconds(20)
  /// Pings without any sign of life after which the page is gone.
  static let maximumUnansweredPings = 3
  /// How long a page may stay behind, from when its socket is full until it has caught up.
  static let maximumTimeBehind = TimeAmount.seconds(30)

  private let loop: any EventLoop
  private let ping: () -> Void
  private let drop: (End) -> Void
  private var unanswered = 0
  private var next: Scheduled<Void>?
  private var behind: Scheduled<Void>?

  /// Watches from ``start()`` on; calls `ping` to ask for a sign of life and `drop` to end it.
  init(loop: any EventLoop, ping: @escaping () -> Void, drop: @escaping (End) -> Void) {
    self.loop = loop
    self.ping = ping
    self.drop = drop
  }

  /// Begins.
  func start() {
    let here = NIOLoopBound(self, eventLoop: loop)
    next = loop.scheduleTask(in: Self.pingInterval) { here.value.ask() }
  }

  /// Something has come from the page.
  func heard() { unanswered = 0 }

  /// The page's socket has caught up, or is full.
  func writable(_ isWritable: Bool) {
    behind?.cancel()
    behind = nil
    guard !isWritable else { return }
    let here = NIOLoopBound(self, eventLoop: loop)
    behind = loop.scheduleTask(in: Self.maximumTimeBehind) { here.value.drop(.behind) }
  }

  /// Ends.
  func stop() {
    next?.cancel()
    behind?.cancel()
  }

  /// Counts pings, not time: after a pause of the whole process a page is asked first.
  private func ask() {
    guard unanswered < Self.maximumUnansweredPings else { return drop(.silent) }
    unanswered += 1
    ping()
    start()
  }
}
