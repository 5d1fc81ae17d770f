import Combine
import Foundation

/// One timer for all screens; it runs only while there is one to update.
@MainActor final class MainClock {
  typealias Start = (@escaping @MainActor () -> Void) -> AnyCancellable

  private let start: Start
  private var handlers: [Int: @MainActor () -> Void] = [:]
  private var timer: AnyCancellable?
  private var last = 0

  /// `start` calls until its result is cancelled.
  init(start: @escaping Start) { self.start = start }

  /// Calls at each tick, until the result is released.
  func observe(_ handler: @escaping @MainActor () -> Void) -> AnyCancellable {
    last += 1
    let number = last
    handlers[number] = handler
    if timer == nil {
      timer = start { [weak self] in self?.tick() }
    }
    return AnyCancellable { [weak self] in MainActor.assumeIsolated { self?.end(number) } }
  }

  private func tick() {
    for number in handlers.keys.sorted() { handlers[number]?() }
  }

  private func end(_ number: Int) {
    handlers[number] = nil
    if handlers.isEmpty { timer = nil }
  }

  /// A timer of the main queue.
  static func timer(milliseconds: Int) -> Start {
    { handler in
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(
        deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds),
        // Leeway, so that the system can combine wake-ups.
        leeway: .milliseconds(milliseconds / 5))
      timer.setEventHandler { MainActor.assumeIsolated(handler) }
      timer.activate()
      return AnyCancellable { timer.cancel() }
    }
  }
}
