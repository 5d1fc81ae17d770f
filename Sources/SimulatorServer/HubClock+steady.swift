// Simulated markets move by a clock that never steps, even when the machine's wall clock is
// corrected.

import FeedConnections
import MarketModel

extension HubClock {
  /// The wall clock of this moment carried on by the monotonic clock.
  var steady: HubClock {
    let start = now()
    let read = now
    return HubClock {
      let monotonic = read().monotonic
      let elapsed = monotonic.nanoseconds - start.monotonic.nanoseconds
      return ClockReading(
        monotonic: monotonic, wall: Timestamp(nanoseconds: start.wall.nanoseconds + elapsed))
    }
  }
}
