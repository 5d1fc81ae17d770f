// How long tests wait.

public import Dispatch

/// How long a test waits for what must come, in seconds: the end of a hang, never a measurement.
public let patienceSeconds = 120

extension DispatchSemaphore {
  /// Waits; false when nobody has signalled for ``patienceSeconds``.
  public func waitPatiently() -> Bool {
    wait(timeout: .now() + .seconds(patienceSeconds)) == .success
  }
}
