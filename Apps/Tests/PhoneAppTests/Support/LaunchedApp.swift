import FeedConnections
import Foundation
import Logging
import MarketModel
import NIOCore
import NIOEmbedded
import NIOPosix
import PhoneAppFixtures
import PhoneStoresFixtures
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

/// An app as its shell launches it, on an event loop that can't open sockets.
@MainActor struct LaunchedApp {
  struct Shell: App {
    var scope = AppScope.full
    var environment = AppEnvironment.device

    var body: some Scene { LivetapeScene(scope, in: environment) }
  }

  let loop: NIOAsyncTestingEventLoop
  let host: ViewHost
  let preferences: MemoryPreferences
  let seed: UInt64

  init(
    _ scope: AppScope, folder: LedgerFolder, preferences: MemoryPreferences = MemoryPreferences(),
    loop: NIOAsyncTestingEventLoop = NIOAsyncTestingEventLoop(),
    seed: UInt64 = .random(in: .min ... .max)
  ) throws {
    (self.loop, self.preferences, self.seed) = (loop, preferences, seed)
    // 10 March 2025, 09:00 UTC.
    let start: Int64 = 1_741_597_200_000
    var environment = AppEnvironment(
      folder: URL(fileURLWithPath: folder.path), preferences: preferences,
      vault: MemoryTokenVault(), loop: loop,
      clock: HubClock {
        let passed = Int64(loop.now.uptimeNanoseconds)
        return ClockReading(
          monotonic: MonotonicTime(nanoseconds: passed),
          wall: Timestamp(nanoseconds: start * 1_000_000 + passed))
      })
    environment.seed = seed
    environment.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    try #require(ClientBootstrap(validatingGroup: loop) == nil, "this loop could open a socket")
    host = ViewHost(app: Shell(scope: scope, environment: environment))
    host.set(\.locale, Locale(identifier: "en_US"))
    host.set(\.timeZone, try #require(TimeZone(secondsFromGMT: 0)))
  }

  /// Lets virtual time pass until a condition holds; fails after two minutes.
  func wait(
    for what: String, _ location: SourceLocation = #_sourceLocation, until condition: () -> Bool
  ) async throws {
    for round in 0..<12 {
      for _ in 0..<100 {
        await pass(100)
        if condition() { return }
      }
      // Another thread, such as the disk's, may still be at work; what it does may need more time
      // to pass afterwards.
      await host.settle(within: .milliseconds(20 << round), until: condition)
      if condition() { return }
    }
    let problem = "no \(what) with seed \(seed) among \(host.texts)"
    try #require(Bool(false), "\(problem)", sourceLocation: location)
  }

  /// Lets virtual time pass and its results reach the screen.
  func pass(_ milliseconds: Int64) async {
    await loop.advanceTime(by: .milliseconds(milliseconds))
    for _ in 0..<5 { await Task.yield() }
  }

  func shows(_ text: String) -> Bool { host.texts.contains { $0.contains(text) } }
}
