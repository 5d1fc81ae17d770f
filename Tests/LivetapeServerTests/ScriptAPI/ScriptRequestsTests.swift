// The limits of scripts' HTTP requests, with a manual clock.

import MarketModel
import NIOCore
import NIOEmbedded
import Testing

@testable import LivetapeServer

@Suite struct ScriptRequestsTests {
  private func time(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  /// How many of a number of simultaneous requests are accepted.
  private func accepted(
    _ scripts: inout ScriptRequests, _ budget: ScriptRequests.Budget = .reads, of count: Int,
    at milliseconds: Int64
  ) -> Int {
    (0..<count).filter { _ in scripts.countRequest(budget, at: time(milliseconds)) }.count
  }

  @Test func `viewers, reads and orders use up no requests of each other`() {
    var scripts = ScriptRequests()
    #expect(accepted(&scripts, .viewers, of: 1000, at: 0) == 150)
    #expect(accepted(&scripts, .reads, of: 1000, at: 0) == 200)
    #expect(accepted(&scripts, .orders, of: 1000, at: 0) == 200)
    #expect(accepted(&scripts, .viewers, of: 1000, at: 1000) == 150)
  }

  @Test func `viewers' waiting reads leave a quarter of the places to the access token`() {
    let loop = EmbeddedEventLoop()
    var scripts = ScriptRequests()
    func add(isViewer: Bool) {
      let promise = loop.makePromise(of: Result<ScriptReading, ScriptProblem>.self)
      promise.succeed(.failure(.unavailable))
      scripts.waiters.append(
        ScriptRequests.Waiter(
          number: scripts.waiters.count, subject: .orders, isViewer: isViewer, promise: promise))
    }
    for _ in 0..<48 {
      #expect(scripts.hasRoom(forViewer: true))
      add(isViewer: true)
    }
    #expect(!scripts.hasRoom(forViewer: true))
    for _ in 0..<16 {
      #expect(scripts.hasRoom(forViewer: false))
      add(isViewer: false)
    }
    #expect(!scripts.hasRoom(forViewer: false))
  }

  @Test func `two hundred requests a second are taken, and not one more`() {
    var scripts = ScriptRequests()
    #expect(accepted(&scripts, of: 150, at: 5000) == 150)
    #expect(accepted(&scripts, of: 51, at: 5999) == 50)
    #expect(accepted(&scripts, of: 10, at: 5999) == 0)
  }

  @Test func `the next second starts a new budget, also for a constant sender`() {
    var scripts = ScriptRequests()
    #expect(accepted(&scripts, of: 1000, at: 0) == 200)
    #expect(accepted(&scripts, of: 1000, at: 999) == 0)
    #expect(accepted(&scripts, of: 1000, at: 1000) == 200)
    #expect(accepted(&scripts, of: 1000, at: 1999) == 0)
    #expect(accepted(&scripts, of: 1, at: 60_000) == 1)
  }

  @Test func `a second begins with its first request, not with the clock's`() {
    var scripts = ScriptRequests()
    #expect(accepted(&scripts, of: 200, at: 1700) == 200)
    #expect(accepted(&scripts, of: 1, at: 2000) == 0)
    #expect(accepted(&scripts, of: 1, at: 2700) == 1)
  }

  @Test func `a subscription without requests for ten seconds is idle`() {
    var scripts = ScriptRequests()
    scripts.askedAt = [.orders: time(0), .connections: time(1), .positions: time(5000)]
    #expect(scripts.idle(at: time(9999)).isEmpty)
    #expect(scripts.idle(at: time(10_000)) == [.orders])
    #expect(scripts.idle(at: time(10_001)) == [.connections, .orders])
    #expect(scripts.idle(at: time(15_000)) == [.connections, .orders, .positions])
  }

  @Test func `a subscription with a pending request is not idle, however long it takes`() {
    let loop = EmbeddedEventLoop()
    var scripts = ScriptRequests()
    scripts.askedAt = [.orders: time(0), .connections: time(0)]
    let promise = loop.makePromise(of: Result<ScriptReading, ScriptProblem>.self)
    scripts.waiters = [ScriptRequests.Waiter(number: 1, subject: .orders, promise: promise)]
    #expect(scripts.idle(at: time(60_000)) == [.connections])
    scripts.waiters = []
    promise.succeed(.failure(.unavailable))
    #expect(scripts.idle(at: time(60_000)) == [.connections, .orders])
  }
}
