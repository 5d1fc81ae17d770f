public import Dispatch

/// How long a test waits for an expected event, in seconds: ends a hang, never a measurement.
public let patienceSeconds = 240

extension DispatchSemaphore {
  /// Waits; false without a signal for ``patienceSeconds``.
  public func waitPatiently() -> Bool {
    wait(timeout: .now() + .seconds(patienceSeconds)) == .success
  }
}
