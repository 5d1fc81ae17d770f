// What the page puts over the candles: own fills, waiting orders, alerts and drawn lines.

import ChartModel
import MarketModel

/// Forgets the own fills.
@_expose(wasm, "chart_clear_fills") @_cdecl("chart_clear_fills")
public func chartClearFills(_ handle: Int32) { chart(handle)?.scene.fills = [] }

/// Adds an own fill; 0 when it can't be marked.
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

/// Forgets the waiting orders.
@_expose(wasm, "chart_clear_orders") @_cdecl("chart_clear_orders")
public func chartClearOrders(_ handle: Int32) { chart(handle)?.scene.orders = [] }

/// Adds a waiting order; 0 when it can't be drawn.
@_expose(wasm, "chart_add_order") @_cdecl("chart_add_order")
public func chartAddOrder(_ handle: Int32, _ price: Double, _ isBuy: Int32) -> Int32 {
  guard let chart = chart(handle), let units = exact(price),
    chart.scene.orders.count < ChartScene.maximumOrders
  else { return 0 }
  chart.scene.orders.append(
    ChartOrder(price: Price(units: units), side: isBuy == 1 ? .buy : .sell))
  return 1
}

/// Forgets the alerts.
@_expose(wasm, "chart_clear_alerts") @_cdecl("chart_clear_alerts")
public func chartClearAlerts(_ handle: Int32) { chart(handle)?.scene.alerts = [] }

/// Adds the price of an alert; 0 when it can't be drawn.
@_expose(wasm, "chart_add_alert") @_cdecl("chart_add_alert")
public func chartAddAlert(_ handle: Int32, _ price: Double) -> Int32 {
  guard let chart = chart(handle), let units = exact(price),
    chart.scene.alerts.count < ChartScene.maximumAlerts
  else { return 0 }
  chart.scene.alerts.append(Price(units: units))
  return 1
}

/// Forgets the drawn lines.
@_expose(wasm, "chart_clear_drawings") @_cdecl("chart_clear_drawings")
public func chartClearDrawings(_ handle: Int32) { chart(handle)?.scene.drawings = [] }

/// Adds a line at a price, of which `endTime` is NaN, or between two points; 0 when it can't be
/// drawn.
@_expose(wasm, "chart_add_drawing") @_cdecl("chart_add_drawing")
public func chartAddDrawing(
  _ handle: Int32, _ startTime: Double, _ startPrice: Double, _ endTime: Double, _ endPrice: Double
) -> Int32 {
  guard let chart = chart(handle), let time = exact(startTime), let units = exact(startPrice),
    chart.scene.drawings.count < ChartScene.maximumDrawings
  else { return 0 }
  var end: ChartPoint?
  if let time = exact(endTime) {
    guard let units = exact(endPrice) else { return 0 }
    end = ChartPoint(time: time, price: Price(units: units))
  }
  chart.scene.drawings.append(
    ChartDrawing(start: ChartPoint(time: time, price: Price(units: units)), end: end))
  return 1
}

/// The drawn line near a point, counted from 1; 0 where there is none.
@_expose(wasm, "chart_drawing_at") @_cdecl("chart_drawing_at")
public func chartDrawingAt(
  _ handle: Int32, _ x: Double, _ y: Double, _ pixels: Double
) -> Int32 {
  Int32((chart(handle)?.scene.drawing(atX: x, y: y, within: pixels) ?? -1) + 1)
}

/// Moves a part of a drawn line (0 whole, 1 start, 2 end) by pixels, and writes it.
@_expose(wasm, "chart_move_drawing") @_cdecl("chart_move_drawing")
public func chartMoveDrawing(
  _ handle: Int32, _ index: Int32, _ part: Int32, _ x: Double, _ y: Double
) -> Int32 {
  guard let chart = chart(handle), let part = drawingPart(part) else { return 0 }
  chart.scene.moveDrawing(Int(index), part, byX: x, y: y)
  return chart.publishDrawing(Int(index))
}

/// Moves a part of a drawn line by drawn candles and ticks, and writes it.
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
