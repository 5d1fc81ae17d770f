import MarketModel
import OrderMatching

/// A flow's results; equal for engines that agree.
struct Outcome: Equatable {
  var fills = 0
  var filledLots: Int64 = 0
  var refused = 0
  var fillHash: UInt64 = 0
  var bookHash: UInt64 = 0
  var queueHash: UInt64 = 0
  var stateHash: UInt64 = 0
}

struct Replay<Engine: MatchingEngine> {
  private var engine = Engine()
  private var fills: [Fill] = []
  private var hash = MatchingHash()
  private var outcome = Outcome()

  init() { fills.reserveCapacity(1 << 16) }

  mutating func check(_ commands: [OrderCommand]) {
    for command in commands {
      fills.removeAll(keepingCapacity: true)
      if case .rejected = engine.submit(command, fills: &fills).standing { outcome.refused += 1 }
      for fill in fills {
        hash.combine(fill)
        outcome.filledLots += fill.quantity.units
      }
      outcome.fills += fills.count
    }
  }

  func result() -> Outcome {
    var result = outcome
    result.fillHash = hash.value
    result.bookHash = engine.bookHash
    result.queueHash = engine.queueHash
    result.stateHash = engine.stateHash
    return result
  }
}

/// Plays the timed part of a flow; returns seconds and the fills, which prevent dead-code
/// elimination.
///
/// The engine is concrete here, as in the exchange, so that calls need no witness table.
@inline(never)
func timePlain(
  _ engine: inout PlainMatchingEngine, _ commands: [OrderCommand], _ fills: inout [Fill]
) -> (seconds: Double, fills: Int) {
  var count = 0
  let time = ContinuousClock().measure {
    for command in commands {
      _ = engine.submit(command, fills: &fills)
      if fills.isEmpty { continue }
      count &+= fills.count
      fills.removeAll(keepingCapacity: true)
    }
  }
  return (time / .seconds(1), count)
}

/// As ``timePlain(_:_:_:)``, for the fast engine.
@inline(never)
func timeFast(
  _ engine: inout FastMatchingEngine, _ commands: [OrderCommand], _ fills: inout [Fill]
) -> (seconds: Double, fills: Int) {
  var count = 0
  let time = ContinuousClock().measure {
    for command in commands {
      _ = engine.submit(command, fills: &fills)
      if fills.isEmpty { continue }
      count &+= fills.count
      fills.removeAll(keepingCapacity: true)
    }
  }
  return (time / .seconds(1), count)
}
