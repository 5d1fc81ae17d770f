import MarketModel
import MarketStreams
import Testing

/// A moment, in milliseconds from the start; both clocks agree.
func at(_ milliseconds: Int64) -> ClockReading { ClockReading(milliseconds: milliseconds) }

func symbol(_ text: String) throws -> Symbol { try #require(Symbol(text)) }

func decimal(_ text: String) throws -> FixedDecimal { try #require(FixedDecimal(text)) }

func fresh(_ state: FreshnessState, _ confirmed: Int64 = 0) -> Freshness {
  Freshness(state: state, origin: .simulated, confirmedAt: at(confirmed))
}

func connection(_ venue: Venue, _ phase: ConnectionPhase, since: Int64 = 0) -> ConnectionStatus {
  var status = ConnectionStatus(venue: venue, origin: .simulated, since: at(since))
  status.phase = phase
  return status
}
