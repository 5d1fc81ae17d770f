// A queue of its own for the desk: waiting for the disk must not hold up the threads that
// everything else runs on.

import Dispatch

/// Runs an actor's work on one serial queue.
final class LedgerExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "livetape.order-ledger", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
