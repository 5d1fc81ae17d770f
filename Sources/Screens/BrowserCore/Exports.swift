// Numbers arrive as Double, which holds JSON integers exactly up to 2^53; other values are
// rejected. Unknown handles are ignored.

import ChartModel
import MarketModel

/// Charts by handle: index plus one.
nonisolated(unsafe) private var charts: [BrowserChart?] = []
/// Buffer for incoming candles, `bulkFields` numbers each.
nonisolated(unsafe) private let bulk = UnsafeMutablePointer<Double>.allocate(
  capacity: bulkFields * bulkCandles)
private let bulkFields = 10
private let bulkCandles = 4096
private let maximumCharts = 64

func chart(_ handle: Int32) -> BrowserChart? {
  let index = Int(handle) - 1
  return charts.indices.contains(index) ? charts[index] : nil
}

/// An exact integer up to 2^53; nil for fractions, NaN and larger values.
func exact(_ value: Double) -> Int64? {
  guard abs(value) <= 9_007_199_254_740_991 else { return nil }
  let whole = Int64(value)
  return Double(whole) == value ? whole : nil
}

private func interval(_ milliseconds: Double) -> CandleInterval? {
  exact(milliseconds).flatMap { CandleInterval(milliseconds: $0) }
}

/// Creates a chart; 0 if the interval is unknown or there are too many charts.
@_expose(wasm, "chart_create") @_cdecl("chart_create")
public func chartCreate(_ intervalMilliseconds: Double) -> Int32 {
  guard let interval = interval(intervalMilliseconds) else { return 0 }
  for index in charts.indices where charts[index] == nil {
    charts[index] = BrowserChart(interval: interval)
    return Int32(index + 1)
  }
  guard charts.count < maximumCharts else { return 0 }
  charts.append(BrowserChart(interval: interval))
  return Int32(charts.count)
}

/// Destroys a chart.
@_expose(wasm, "chart_destroy") @_cdecl("chart_destroy")
public func chartDestroy(_ handle: Int32) {
  if chart(handle) != nil { charts[Int(handle) - 1] = nil }
}

/// Removes all candles; 0 if the interval is unknown.
@_expose(wasm, "chart_reset") @_cdecl("chart_reset")
public func chartReset(_ handle: Int32, _ intervalMilliseconds: Double) -> Int32 {
  guard let chart = chart(handle), let interval = interval(intervalMilliseconds) else { return 0 }
  chart.reset(interval: interval)
  return 1
}

/// Removes the candles from a time on, and all gaps, for a newer history of the same interval.
@_expose(wasm, "chart_forget") @_cdecl("chart_forget")
public func chartForget(_ handle: Int32, _ from: Double) {
  guard let chart = chart(handle), let from = exact(from) else { return }
  chart.scene.series.forget(notBefore: from)
}

/// The address that ``chartAppend(_:_:)`` reads from.
@_expose(wasm, "chart_bulk") @_cdecl("chart_bulk")
public func chartBulk() -> UInt32 { UInt32(UInt(bitPattern: bulk)) }

/// The number of candles that fit there.
@_expose(wasm, "chart_bulk_capacity") @_cdecl("chart_bulk_capacity")
public func chartBulkCapacity() -> Int32 { Int32(bulkCandles) }

/// A candle of the bulk: start, open, high, low, close, volume, count, missing, source, proof; nil
/// if invalid.
@inline(never) private func candle(_ index: Int) -> Candle? {
  let at = bulk + bulkFields * index
  guard let start = exact(at[0]), let open = exact(at[1]), let high = exact(at[2]),
    let low = exact(at[3]), let close = exact(at[4]), let volume = exact(at[5]),
    let count = exact(at[6]), let missing = exact(at[7]).flatMap({ Int32(exactly: $0) }),
    let source = exact(at[8]).flatMap({ UInt8(exactly: $0) }).flatMap(CandleSource.init),
    let proof = exact(at[9]).flatMap({ UInt8(exactly: $0) }).flatMap(CandleProof.init)
  else { return nil }
  return Candle(
    start: start, open: Price(units: open), high: Price(units: high), low: Price(units: low),
    close: Price(units: close), volume: Quantity(units: volume), count: Int32(clamping: count),
    missing: missing, source: source, proof: proof)
}

/// Appends candles from the bulk; returns how many were valid.
@_expose(wasm, "chart_append") @_cdecl("chart_append")
public func chartAppend(_ handle: Int32, _ count: Int32) -> Int32 {
  guard let chart = chart(handle) else { return 0 }
  let taken = chart.scene.series.append(count: min(max(0, Int(count)), bulkCandles)) { candle($0) }
  return Int32(taken)
}

/// Prepends older candles from the bulk; returns how many were valid.
@_expose(wasm, "chart_prepend") @_cdecl("chart_prepend")
public func chartPrepend(_ handle: Int32, _ count: Int32) -> Int32 {
  guard let chart = chart(handle) else { return 0 }
  let taken = chart.scene.series.prepend(count: min(max(0, Int(count)), bulkCandles)) { candle($0) }
  return Int32(taken)
}

/// Adds a tick; 0 if it is unusable.
@_expose(wasm, "chart_add_tick") @_cdecl("chart_add_tick")
public func chartAddTick(
  _ handle: Int32, _ milliseconds: Double, _ price: Double, _ quantity: Double
) -> Int32 {
  guard let chart = chart(handle), let time = exact(milliseconds), let units = exact(price),
    let size = exact(quantity), size >= 0
  else { return 0 }
  let taken = chart.scene.series.add(Price(units: units), volume: Quantity(units: size), at: time)
  return taken ? 1 : 0
}

/// Adds an interruption.
@_expose(wasm, "chart_note_gap") @_cdecl("chart_note_gap")
public func chartNoteGap(_ handle: Int32, _ start: Double, _ end: Double) {
  guard let start = exact(start), let end = exact(end) else { return }
  chart(handle)?.scene.series.note(SeriesGap(start: start, end: end))
}

/// Sets the start of complete data, apart from interruptions.
@_expose(wasm, "chart_seen_since") @_cdecl("chart_seen_since")
public func chartSeenSince(_ handle: Int32, _ milliseconds: Double) {
  guard let time = exact(milliseconds) else { return }
  chart(handle)?.scene.series.note(seenSince: time)
}

/// Sets the start of an ongoing outage, or NaN if the feed is up.
@_expose(wasm, "chart_interrupted") @_cdecl("chart_interrupted")
public func chartInterrupted(_ handle: Int32, _ since: Double) {
  chart(handle)?.scene.interruptedSince = exact(since)
}

/// Sets the size in screen pixels, and the height of each study's pane below it.
@_expose(wasm, "chart_resize") @_cdecl("chart_resize")
public func chartResize(
  _ handle: Int32, _ width: Double, _ height: Double, _ paneHeight: Double, _ ratio: Double
) {
  chart(handle)?.scene.resize(
    width: width, height: height, paneHeight: paneHeight, pixelRatio: ratio)
}

/// Pans by pixels, positive towards earlier times; 0 at the end.
@_expose(wasm, "chart_pan") @_cdecl("chart_pan")
public func chartPan(_ handle: Int32, _ pixels: Double) -> Int32 {
  guard let chart = chart(handle) else { return 0 }
  let before = chart.scene.viewport.rightTime
  chart.scene.pan(byPixels: pixels)
  return chart.scene.viewport.rightTime == before || chart.scene.viewport.followsLive ? 0 : 1
}

/// Zooms around pixel `x`.
@_expose(wasm, "chart_zoom") @_cdecl("chart_zoom")
public func chartZoom(_ handle: Int32, _ factor: Double, _ x: Double) {
  chart(handle)?.scene.zoom(by: factor, atX: x)
}

/// Shows another interval; 0 if the series is coarser.
@_expose(wasm, "chart_show") @_cdecl("chart_show")
public func chartShow(_ handle: Int32, _ milliseconds: Double, _ pixelsPerCandle: Double) -> Int32 {
  guard let chart = chart(handle), let interval = interval(milliseconds) else { return 0 }
  return chart.scene.show(interval, pixelsPerCandle: pixelsPerCandle) ? 1 : 0
}

/// Follows the newest tick again.
@_expose(wasm, "chart_live") @_cdecl("chart_live")
public func chartLive(_ handle: Int32) { chart(handle)?.scene.backToLive() }

/// Shows the oldest candles.
@_expose(wasm, "chart_oldest") @_cdecl("chart_oldest")
public func chartOldest(_ handle: Int32) { chart(handle)?.scene.showOldest() }

/// Scrolls the drawn candle at an index into view.
@_expose(wasm, "chart_reveal") @_cdecl("chart_reveal")
public func chartReveal(_ handle: Int32, _ index: Int32) { chart(handle)?.scene.reveal(Int(index)) }

/// Sets the style: 0 candles, 1 line.
@_expose(wasm, "chart_style") @_cdecl("chart_style")
public func chartStyle(_ handle: Int32, _ style: Int32) {
  chart(handle)?.scene.style = style == 1 ? .line : .candles
}

/// Sets the time zone's offset in milliseconds ahead of UTC, at most a day.
///
/// Later offset changes follow through ``chartZoneChange(_:_:_:)``.
@_expose(wasm, "chart_zone") @_cdecl("chart_zone")
public func chartZone(_ handle: Int32, _ offset: Double) {
  guard let offset = exact(offset) else { return }
  chart(handle)?.scene.zone = ZoneOffsets(offset)
}

/// Adds a zone offset from a time on; 0 if it is not after the last one.
@_expose(wasm, "chart_zone_change") @_cdecl("chart_zone_change")
public func chartZoneChange(_ handle: Int32, _ time: Double, _ offset: Double) -> Int32 {
  guard let chart = chart(handle), let time = exact(time), let offset = exact(offset)
  else { return 0 }
  return chart.scene.zone.append(from: time, offset: offset) ? 1 : 0
}

/// Draws the picture; returns the address of its 46 numbers, 0 without a chart.
@_expose(wasm, "chart_draw") @_cdecl("chart_draw")
public func chartDraw(_ handle: Int32, _ now: Double) -> UInt32 {
  guard let chart = chart(handle) else { return 0 }
  chart.scene.draw(at: exact(now) ?? 0)
  chart.publish()
  return UInt32(UInt(bitPattern: chart.picture))
}

/// The address of the integers that queries write; 0 without a chart.
@_expose(wasm, "chart_crosshair_at") @_cdecl("chart_crosshair_at")
public func chartCrosshairAt(_ handle: Int32) -> UInt32 {
  guard let chart = chart(handle) else { return 0 }
  return UInt32(UInt(bitPattern: chart.record))
}

/// Writes what is under a point; 0 nothing, 1 a time and a price, 2 a candle as well.
@_expose(wasm, "chart_crosshair") @_cdecl("chart_crosshair")
public func chartCrosshair(_ handle: Int32, _ x: Double, _ y: Double) -> Int32 {
  guard let chart = chart(handle) else { return 0 }
  return chart.publish(chart.scene.crosshair(x: x, y: y))
}

/// Writes the drawn candle at an index; 0 if it does not exist.
@_expose(wasm, "chart_candle") @_cdecl("chart_candle")
public func chartCandle(_ handle: Int32, _ index: Int32) -> Int32 {
  guard let chart = chart(handle) else { return 0 }
  return chart.publish(chart.scene.crosshair(atIndex: Int(index)))
}

// MARK: - Marks over the candles

/// Removes own fills.
@_expose(wasm, "chart_clear_fills") @_cdecl("chart_clear_fills")
public func chartClearFills(_ handle: Int32) { chart(handle)?.scene.fills = [] }

/// Adds an own fill; 0 if it can't be marked.
@_expose(wasm, "chart_add_fill") @_cdecl("chart_add_fill")
public func chartAddFill(
  _ handle: Int32, _ milliseconds: Double, _ price: Double, _ isBuy: Int32
) -> Int32 {
  guard let chart = chart(handle), let time = exact(milliseconds), let units = exact(price),
    chart.scene.fills.count < ChartScene.maximumFills
  else { return 0 }
  chart.scene.fills.append(
    ChartFill(time: time, price: Price(units: units), side: isBuy == 1 ? .buy : .sell))
  return 1
}

/// Removes open orders.
@_expose(wasm, "chart_clear_orders") @_cdecl("chart_clear_orders")
public func chartClearOrders(_ handle: Int32) { chart(handle)?.scene.orders = [] }

/// Adds an open order, with a tag of its own if `isSeparate`; 0 if it can't be drawn.
@_expose(wasm, "chart_add_order") @_cdecl("chart_add_order")
public func chartAddOrder(
  _ handle: Int32, _ price: Double, _ isBuy: Int32, _ isSeparate: Int32
) -> Int32 {
  guard let chart = chart(handle), let units = exact(price),
    chart.scene.orders.count < ChartScene.maximumOrders
  else { return 0 }
  chart.scene.orders.append(
    ChartOrder(
      price: Price(units: units), side: isBuy == 1 ? .buy : .sell, isSeparate: isSeparate == 1))
  return 1
}

/// Removes the alerts.
@_expose(wasm, "chart_clear_alerts") @_cdecl("chart_clear_alerts")
public func chartClearAlerts(_ handle: Int32) { chart(handle)?.scene.alerts = [] }

/// Adds an alert's price; 0 if it can't be drawn.
@_expose(wasm, "chart_add_alert") @_cdecl("chart_add_alert")
public func chartAddAlert(_ handle: Int32, _ price: Double) -> Int32 {
  guard let chart = chart(handle), let units = exact(price),
    chart.scene.alerts.count < ChartScene.maximumAlerts
  else { return 0 }
  chart.scene.alerts.append(Price(units: units))
  return 1
}

/// Marks the candles in which a level was crossed, or none for NaN.
@_expose(wasm, "chart_rehearse") @_cdecl("chart_rehearse")
public func chartRehearse(_ handle: Int32, _ price: Double) {
  chart(handle)?.scene.rehearsed = exact(price).map { Price(units: $0) }
}

/// Removes the drawings.
@_expose(wasm, "chart_clear_drawings") @_cdecl("chart_clear_drawings")
public func chartClearDrawings(_ handle: Int32) { chart(handle)?.scene.drawings = [] }

/// Adds a drawing, with a NaN `endTime` at a single point; returns 0 if it can't be drawn.
@_expose(wasm, "chart_add_drawing") @_cdecl("chart_add_drawing")
public func chartAddDrawing(
  _ handle: Int32, _ kind: Int32, _ startTime: Double, _ startPrice: Double, _ endTime: Double,
  _ endPrice: Double
) -> Int32 {
  guard let chart = chart(handle), let start = point(startTime, startPrice),
    let kind = UInt8(exactly: kind).flatMap(ChartDrawing.Kind.init),
    let drawing = ChartDrawing(kind, start: start, end: point(endTime, endPrice)),
    chart.scene.drawings.count < ChartScene.maximumDrawings
  else { return 0 }
  chart.scene.drawings.append(drawing)
  return 1
}

private func point(_ time: Double, _ price: Double) -> ChartPoint? {
  guard let time = exact(time), let units = exact(price) else { return nil }
  return ChartPoint(time: time, price: Price(units: units))
}

/// The drawing near a point, counted from 1; 0 without one.
@_expose(wasm, "chart_drawing_at") @_cdecl("chart_drawing_at")
public func chartDrawingAt(_ handle: Int32, _ x: Double, _ y: Double, _ pixels: Double) -> Int32 {
  Int32((chart(handle)?.scene.drawing(atX: x, y: y, within: pixels) ?? -1) + 1)
}

/// Moves a part of a drawing (0 whole, 1 start, 2 end) by pixels, and writes it.
@_expose(wasm, "chart_move_drawing") @_cdecl("chart_move_drawing")
public func chartMoveDrawing(
  _ handle: Int32, _ index: Int32, _ part: Int32, _ x: Double, _ y: Double
) -> Int32 {
  guard let chart = chart(handle), let part = drawingPart(part) else { return 0 }
  chart.scene.moveDrawing(Int(index), part, byX: x, y: y)
  return chart.publishDrawing(Int(index))
}

/// Moves a part of a drawing by drawn candles and ticks, and writes it.
@_expose(wasm, "chart_step_drawing") @_cdecl("chart_step_drawing")
public func chartStepDrawing(
  _ handle: Int32, _ index: Int32, _ part: Int32, _ candles: Int32, _ ticks: Int32
) -> Int32 {
  guard let chart = chart(handle), let part = drawingPart(part) else { return 0 }
  chart.scene.stepDrawing(Int(index), part, candles: candles, ticks: ticks)
  return chart.publishDrawing(Int(index))
}

private func drawingPart(_ part: Int32) -> ChartDrawing.Part? {
  UInt8(exactly: part).flatMap(ChartDrawing.Part.init)
}

// MARK: - Price scale and studies

/// Sets the price scale: 0 linear, 1 logarithmic, 2 percent.
@_expose(wasm, "chart_scale") @_cdecl("chart_scale")
public func chartScale(_ handle: Int32, _ scale: Int32) {
  guard let scale = UInt8(exactly: scale).flatMap(PriceScale.init) else { return }
  chart(handle)?.scene.scale = scale
}

/// Sets the tick size in units, at least 1.
@_expose(wasm, "chart_tick") @_cdecl("chart_tick")
public func chartTick(_ handle: Int32, _ units: Double) {
  guard let units = exact(units), units >= 1 else { return }
  chart(handle)?.scene.tick = units
}

/// Stretches the price scale around its middle.
@_expose(wasm, "chart_stretch") @_cdecl("chart_stretch")
public func chartStretch(_ handle: Int32, _ factor: Double) {
  chart(handle)?.scene.stretchPrices(by: factor)
}

/// Moves the prices by pixels if the scale is set manually.
@_expose(wasm, "chart_move_prices") @_cdecl("chart_move_prices")
public func chartMovePrices(_ handle: Int32, _ pixels: Double) {
  chart(handle)?.scene.movePrices(byPixels: pixels)
}

/// Fits the price scale to the candles again.
@_expose(wasm, "chart_fit") @_cdecl("chart_fit")
public func chartFit(_ handle: Int32) { chart(handle)?.scene.fitPrices() }

/// Selects studies: lengths in candles (0 for none), the bands' distance in tenths of a deviation,
/// VWAP and volume profile; the last five are those in panes.
@_expose(wasm, "chart_studies") @_cdecl("chart_studies")
public func chartStudies(
  _ handle: Int32, _ moving: Int32, _ exponential: Int32, _ bands: Int32, _ tenths: Int32,
  _ weighted: Int32, _ profile: Int32, _ strength: Int32, _ fast: Int32, _ slow: Int32,
  _ signal: Int32, _ range: Int32
) {
  chart(handle)?.scene.studies = StudyChoice(
    movingAverage: Int(moving), exponentialAverage: Int(exponential),
    hasVolumeWeighted: weighted == 1, hasProfile: profile == 1, bands: Int(bands),
    bandTenths: Int(tenths), relativeStrength: Int(strength),
    convergence: ConvergenceLengths(fast: Int(fast), slow: Int(slow), signal: Int(signal)),
    trueRange: Int(range))
}

/// Writes a study's value at a drawn candle; 0 nothing, 1 too little data, 2 a value.
@_expose(wasm, "chart_study") @_cdecl("chart_study")
public func chartStudy(_ handle: Int32, _ study: Int32, _ index: Int32) -> Int32 {
  guard let chart = chart(handle), let study = UInt8(exactly: study).flatMap(Study.init),
    let reading = chart.scene.reading(of: study, atIndex: Int(index))
  else { return 0 }
  return chart.publish(reading, of: study)
}

/// Writes the volume profile's time range and largest row; 0 without one.
@_expose(wasm, "chart_profile") @_cdecl("chart_profile")
public func chartProfile(_ handle: Int32) -> Int32 {
  guard let chart = chart(handle), let reading = chart.scene.profileReading else { return 0 }
  chart.record[0] = reading.since
  chart.record[1] = reading.until
  chart.record[2] = reading.range.low.units
  chart.record[3] = reading.range.high.units
  return 1
}
