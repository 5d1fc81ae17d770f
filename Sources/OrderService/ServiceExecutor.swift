// A dispatch queue of its own for the order service: waiting for the disk must not block the
// threads that everything else runs on.

import Dispatch

/// Runs an actor's work on one serial queue.
final class ServiceExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "livetape.order-service", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
