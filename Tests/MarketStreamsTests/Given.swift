// The vocabulary of these tests: short ways to say what happened to a stream, on a clock that the
// test moves by hand.

import MarketModel
import MarketStreams
import Testing

/// A moment, in milliseconds from the start; both clocks agree.
func at(_ milliseconds: Int64) -> ClockReading { ClockReading(milliseconds: milliseconds) }

/// A symbol that the test knows to be one.
func symbol(_ text: String) throws -> Symbol { try #require(Symbol(text)) }

/// A decimal that the test knows to be one.
func decimal(_ text: String) throws -> FixedDecimal { try #require(FixedDecimal(text)) }

/// A freshness confirmed at a moment.
func fresh(_ state: FreshnessState, _ confirmed: Int64 = 0) -> Freshness {
  Freshness(state: state, origin: .simulated, confirmedAt: at(confirmed))
}

/// A venue's connection in a phase.
func connection(
  _ venue: Venue, _ phase: ConnectionPhase, since: Int64 = 0
) -> ConnectionStatus {
  var status = ConnectionStatus(venue: venue, origin: .simulated, since: at(since))
  status.phase = phase
  return status
}
