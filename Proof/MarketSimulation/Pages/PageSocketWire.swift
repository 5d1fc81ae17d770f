import MarketModel

/// The socket between the server and one page: delays, a page that does not read, waiting bytes.
final class PageSocketWire {
  /// Waiting bytes at which the server counts the page as behind.
  let highWaterMark: Int
  private let time: SimulationTime
  private var queue: [[UInt8]] = []
  private(set) var waitingBytes = 0
  private var isWritable = true
  private(set) var framesWhileFull = 0
  private var isStalled = false
  private var isDraining = false
  /// A message's delay, in milliseconds.
  let latency: Int64
  var isNeverFull = false
  private let deliver: ([[UInt8]]) -> Void
  private let drained: () -> Void

  init(
    latency: Int64, highWaterMark: Int, time: SimulationTime,
    deliver: @escaping ([[UInt8]]) -> Void, drained: @escaping () -> Void
  ) {
    self.latency = latency
    self.highWaterMark = highWaterMark
    self.time = time
    self.deliver = deliver
    self.drained = drained
  }

  /// How topic frames begin.
  private static let frame = Array("{\"frame\"".utf8)

  func send(_ bytes: [UInt8]) -> Bool {
    if !isWritable, bytes.starts(with: PageSocketWire.frame) { framesWhileFull += 1 }
    queue.append(bytes)
    waitingBytes += bytes.count
    if waitingBytes > highWaterMark { isWritable = false }
    if !isStalled { drainLater() }
    return isWritable || isNeverFull
  }

  func stall(milliseconds: Int64) {
    isStalled = true
    time.after(milliseconds: milliseconds) { [weak self] in self?.resume() }
  }

  func resume() {
    isStalled = false
    drainLater()
  }

  private func drainLater() {
    guard !isDraining, !queue.isEmpty else { return }
    isDraining = true
    time.after(milliseconds: latency) { [weak self] in self?.drain() }
  }

  /// Delivers everything before anything is painted; later messages go with the next batch.
  private func drain() {
    isDraining = false
    guard !isStalled else { return }
    let messages = queue
    queue = []
    waitingBytes = 0
    deliver(messages)
    if !isWritable {
      isWritable = true
      drained()
    }
    drainLater()
  }
}
