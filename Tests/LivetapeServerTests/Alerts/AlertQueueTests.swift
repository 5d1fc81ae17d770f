// Deliveries outside the page, on a manually driven loop.

import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import PriceAlerts
import Testing

@testable import LivetapeServer

/// A receiver whose answers a test gives.
private final class HeldReceiver: AlertReceiver {
  private let state = NIOLockedValueBox(
    (bodies: [String](), waiting: [EventLoopPromise<AlertAttempt>]()))

  var numbers: [String] {
    state.withLockedValue { $0.bodies.map { String($0.prefix { $0 != "," }) } }
  }

  func deliver(_ body: [UInt8], on loop: any EventLoop) -> EventLoopFuture<AlertAttempt> {
    let promise = loop.makePromise(of: AlertAttempt.self)
    state.withLockedValue {
      $0.bodies.append(String(decoding: body, as: UTF8.self))
      $0.waiting.append(promise)
    }
    return promise.futureResult
  }

  func answer(_ attempt: AlertAttempt) {
    state.withLockedValue { $0.waiting.removeFirst() }.succeed(attempt)
  }
}

@Suite struct AlertQueueTests {
  private let loop = EmbeddedEventLoop()
  private let receiver = HeldReceiver()
  private let failures = NIOLockedValueBox<[String]>([])
  private let down = AlertAttempt.failed("down", mayRecover: true)

  /// As many firings of one alert.
  private func firings(_ count: Int) throws -> [AlertFiring] {
    var book = AlertBook()
    let stock = InstrumentKey(.exchange, Symbol(known: "TROAD"))
    let level = try #require(FixedDecimal("100"))
    try book.add(stock, .price(level), repeats: true, at: Timestamp(milliseconds: 0))
    return try (0...count).flatMap { index in
      let price = try #require(FixedDecimal(index % 2 == 0 ? "99" : "101"))
      let now = Timestamp(milliseconds: Int64(index))
      return book.receive(AlertTrade(last: price, at: now), of: stock, at: now)
    }
  }

  private func deliver(_ firings: [AlertFiring], to queue: AlertQueue) {
    for firing in firings {
      queue.deliver(firing) { reason in
        self.failures.withLockedValue { $0.append("\(firing.number): \(reason)") }
      }
    }
    loop.run()
  }

  @Test func `firings are delivered in their order, one at a time`() throws {
    let queue = AlertQueue(receiver, on: loop)
    deliver(try firings(3), to: queue)
    #expect(receiver.numbers == [#"{"number":1"#])
    receiver.answer(.delivered)
    receiver.answer(.failed("refused", mayRecover: false))
    receiver.answer(.delivered)
    #expect(receiver.numbers.count == 3 && failures.withLockedValue { $0 } == ["2: refused"])
  }

  @Test func `what may recover is tried again after 2, 10 and 60 seconds, and then has failed`()
    throws
  {
    let queue = AlertQueue(receiver, on: loop)
    deliver(try firings(2), to: queue)
    for seconds in [Int64(2), 10, 60] {
      receiver.answer(down)
      let count = receiver.numbers.count
      loop.advanceTime(by: .milliseconds(seconds * 1000 - 1))
      #expect(receiver.numbers.count == count)
      loop.advanceTime(by: .milliseconds(1))
      #expect(receiver.numbers.count == count + 1)
    }
    #expect(failures.withLockedValue { $0.isEmpty })
    receiver.answer(down)
    #expect(failures.withLockedValue { $0 } == ["1: down"])
    // The next one begins with all its retries.
    #expect(receiver.numbers.last == #"{"number":2"#)
    receiver.answer(down)
    loop.advanceTime(by: .seconds(2))
    receiver.answer(.delivered)
    #expect(receiver.numbers.count == 6 && failures.withLockedValue { $0.count } == 1)
  }

  @Test func `more than a hundred that wait fail at once, and none is delivered after the end`()
    throws
  {
    let queue = AlertQueue(receiver, on: loop)
    deliver(try firings(102), to: queue)
    #expect(
      failures.withLockedValue { $0 }
        == ["101", "102"].map { "\($0): too many alerts wait for delivery" })
    receiver.answer(down)
    queue.close()
    loop.advanceTime(by: .hours(1))
    deliver(try firings(1), to: queue)
    #expect(receiver.numbers.count == 1)
  }

  @Test(arguments: [
    (200, true, false), (204, true, false), (301, false, false), (404, false, false),
    (408, false, true), (429, false, true), (500, false, true), (503, false, true),
  ])
  func `a status of 2xx is a delivery, and those of a busy server may recover`(
    _ status: Int, _ isDelivered: Bool, _ mayRecover: Bool
  ) {
    let failure = AlertAttempt.failed("the webhook answered \(status)", mayRecover: mayRecover)
    #expect(AlertWebhook.attempt(status: status) == (isDelivered ? .delivered : failure))
  }
}
