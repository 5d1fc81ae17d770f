// The vertical scale and the studies, as the page chooses them.

import ChartModel
import MarketModel

/// 0 linear, 1 logarithmic, 2 percent.
@_expose(wasm, "chart_scale") @_cdecl("chart_scale")
public func chartScale(_ handle: Int32, _ scale: Int32) {
  guard let scale = UInt8(exactly: scale).flatMap(PriceScale.init) else { return }
  chart(handle)?.scene.scale = scale
}

/// The smallest step of a price in units, at least 1.
@_expose(wasm, "chart_tick") @_cdecl("chart_tick")
public func chartTick(_ handle: Int32, _ units: Double) {
  guard let units = exact(units), units >= 1 else { return }
  chart(handle)?.scene.tick = units
}

/// Stretches the prices around the middle.
@_expose(wasm, "chart_stretch") @_cdecl("chart_stretch")
public func chartStretch(_ handle: Int32, _ factor: Double) {
  chart(handle)?.scene.stretchPrices(by: factor)
}

/// Moves the prices by pixels, where the scale is the person's own.
@_expose(wasm, "chart_move_prices") @_cdecl("chart_move_prices")
public func chartMovePrices(_ handle: Int32, _ pixels: Double) {
  chart(handle)?.scene.movePrices(byPixels: pixels)
}

/// Lets the candles choose the prices again.
@_expose(wasm, "chart_fit") @_cdecl("chart_fit")
public func chartFit(_ handle: Int32) { chart(handle)?.scene.fitPrices() }

/// The candles of both averages, 0 for none; whether volume weighs a price, and is drawn by price.
@_expose(wasm, "chart_studies") @_cdecl("chart_studies")
public func chartStudies(
  _ handle: Int32, _ moving: Int32, _ exponential: Int32, _ weighted: Int32, _ profile: Int32
) {
  chart(handle)?.scene.studies = StudyChoice(
    movingAverage: Int(moving), exponentialAverage: Int(exponential),
    hasVolumeWeighted: weighted == 1, hasProfile: profile == 1)
}

/// Writes what a study says at a drawn candle; 0 nothing, 1 that too little is known, 2 a value.
@_expose(wasm, "chart_study") @_cdecl("chart_study")
public func chartStudy(_ handle: Int32, _ study: Int32, _ index: Int32) -> Int32 {
  guard let chart = chart(handle), let study = UInt8(exactly: study).flatMap(Study.init),
    let reading = chart.scene.reading(of: study, atIndex: Int(index))
  else { return 0 }
  return chart.publish(reading)
}

/// Writes what the volume by price is of, and its fullest row; 0 without any.
@_expose(wasm, "chart_profile") @_cdecl("chart_profile")
public func chartProfile(_ handle: Int32) -> Int32 {
  guard let chart = chart(handle), let reading = chart.scene.profileReading else { return 0 }
  chart.record[0] = reading.since
  chart.record[1] = reading.until
  chart.record[2] = reading.range.low.units
  chart.record[3] = reading.range.high.units
  return 1
}
