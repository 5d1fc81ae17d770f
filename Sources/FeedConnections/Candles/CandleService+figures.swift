// The figures of the candle streams that are open, for who surveys all markets.

import MarketModel
import MarketStreams
import NIOCore

extension CandleService {
  /// The present figures of every open stream whose venue states none; on the loop.
  var openFigures: [(InstrumentKey, DayFigures)] {
    box.value.streams.open.compactMap { instrument in
      box.value.streams[instrument]?.state.figures.map { (instrument, $0) }
    }
  }
}
