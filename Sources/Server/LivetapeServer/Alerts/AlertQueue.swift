import MarketModel
import NIOCore
import PriceAlerts

/// One attempt to deliver a firing.
enum AlertAttempt: Hashable, Sendable {
  case delivered
  /// The reason, and whether the same may succeed later.
  case failed(Sentence, mayRecover: Bool)
}

/// A receiver of firings outside the page.
protocol AlertReceiver: Sendable {
  /// Delivers a firing as JSON, once and within a bounded time.
  func deliver(_ body: [UInt8], on loop: any EventLoop) -> EventLoopFuture<AlertAttempt>
}

/// Delivers firings to one receiver, one at a time and in their order, with a few retries.
///
/// What waits is not stored: it is lost when the server ends.
final class AlertQueue: Sendable {
  /// The most firings that wait; further ones fail.
  static let maximumWaiting = 100
  /// The pauses before each retry.
  static let pauses: [TimeAmount] = [.seconds(2), .seconds(10), .seconds(60)]

  private typealias Entry = (body: [UInt8], failed: @Sendable (Sentence) -> Void)

  private struct State {
    var waiting: [Entry] = []
    var retries = 0
    var isBusy = false
    var isClosed = false
    var timer: Scheduled<Void>?
  }

  private let receiver: any AlertReceiver
  private let loop: any EventLoop
  private let box: NIOLoopBoundBox<State>

  init(_ receiver: any AlertReceiver, on loop: any EventLoop) {
    (self.receiver, self.loop) = (receiver, loop)
    box = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
  }

  /// Delivers a firing, or reports why not; from any thread.
  func deliver(_ firing: AlertFiring, failed: @escaping @Sendable (Sentence) -> Void) {
    let body = firing.json
    loop.execute {
      guard !self.box.value.isClosed else { return }
      guard self.box.value.waiting.count < AlertQueue.maximumWaiting else {
        return failed("too many alerts wait for delivery")
      }
      self.box.value.waiting.append((body, failed))
      self.work()
    }
  }

  /// Drops what waits; from any thread.
  func close() {
    loop.execute {
      self.box.value.isClosed = true
      self.box.value.waiting = []
      self.box.value.timer?.cancel()
    }
  }

  // MARK: On the loop

  private func work() {
    guard !box.value.isBusy, let (body, _) = box.value.waiting.first else { return }
    box.value.isBusy = true
    receiver.deliver(body, on: loop).hop(to: loop).whenComplete { result in
      switch result {
      case .success(let attempt): self.finish(attempt)
      case .failure(let error):
        self.finish(.failed(Sentence(verbatim: String(describing: error)), mayRecover: false))
      }
    }
  }

  private func finish(_ attempt: AlertAttempt) {
    guard let (_, failed) = box.value.waiting.first else { return }
    if case .failed(let reason, let mayRecover) = attempt {
      if mayRecover, box.value.retries < AlertQueue.pauses.count {
        let pause = AlertQueue.pauses[box.value.retries]
        box.value.retries += 1
        box.value.timer = loop.scheduleTask(in: pause) { self.next() }
        return
      }
      failed(reason)
    }
    box.value.waiting.removeFirst()
    box.value.retries = 0
    next()
  }

  private func next() {
    box.value.isBusy = false
    work()
  }
}
