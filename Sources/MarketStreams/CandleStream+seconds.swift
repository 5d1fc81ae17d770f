// Seconds between the recorder and the disk: each goes there once it is over, and again when a late
// tick changes it.

public import ChartModel
public import MarketModel

extension CandleStream {
  /// How long after its end a second waits for ticks on their way, in milliseconds.
  static let secondsGrace: Int64 = 2000
  /// How far back a late tick makes seconds be written again, in milliseconds.
  static let secondsReopened: Int64 = 60_000

  /// The seconds that are over, or different, since this was asked last, and the edges of gaps
  /// between them: for the disk.
  ///
  /// What is heard of the last two seconds is not in it, and is lost with the process.
  public mutating func takeClosedSeconds(at now: ClockReading) -> [Candle] {
    let until = CandleInterval.second.start(
      of: now.wall.milliseconds - CandleStream.secondsGrace)
    var closed = recorder.seconds(from: secondsSaved, until: until)
    if let last = closed.last {
      secondsSaved = last.start + CandleInterval.second.milliseconds
    }
    for gap in recorder.series.gaps where gap.end <= until && !gapsSaved.contains(gap) {
      closed += recorder.edges(of: gap)
      gapsSaved.append(gap)
    }
    if gapsSaved.count > CandleSeries.maximumGaps { gapsSaved.removeFirst() }
    return closed
  }

  /// Takes the seconds that the disk has kept.
  public mutating func restore(_ kept: KeptSeconds) {
    recorder.restore(kept)
    gapsSaved = kept.gaps
    if secondsSaved == .min, let last = kept.rows.last {
      secondsSaved = last.start + CandleInterval.second.milliseconds
    }
  }

  /// A tick of a second that is on disk makes it be written again.
  mutating func reopenSecond(of tick: ChartTick) {
    guard tick.time < secondsSaved, tick.time >= recorder.keptUntil,
      tick.time >= secondsSaved - CandleStream.secondsReopened
    else { return }
    secondsSaved = CandleInterval.second.start(of: tick.time)
  }
}
