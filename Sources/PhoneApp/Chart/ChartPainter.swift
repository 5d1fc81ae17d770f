// Paints a chart's draw list into a drawing, in the same order and with the same signs as the page:
// rising candles are hollow and falling ones full, interruptions are shaded, fills are arrows.

import ChartModel
import Foundation
import MarketModel
import SwiftUI

/// Paints one picture.
struct ChartPainter: Sendable {
  let picture: ChartPicture
  let colours: ChartColours

  /// Paints everything; candles of a direction as one area, so that the calls stay few.
  ///
  /// SwiftUI may call it on any thread: all that it needs is in the picture, whose size counts.
  func paint(in context: inout GraphicsContext, _: CGSize) {
    context.fill(
      Path(CGRect(origin: .zero, size: picture.size)), with: .color(colours.ground))
    context.drawLayer { layer in
      layer.clip(to: Path(CGRect(origin: .zero, size: picture.plot)))
      paintGrid(in: &layer)
      if picture.style == .line { paintLine(in: &layer) }
      paintVolumes(in: &layer)
      paintGaps(in: &layer)
      if picture.style == .candles { paintCandles(in: &layer) }
      paintLiveLine(in: &layer)
      paintFills(in: &layer)
    }
    paintAxes(in: &context)
    paintCrosshair(in: &context)
  }

  private func paintGrid(in context: inout GraphicsContext) {
    var lines = Path()
    for label in picture.prices {
      lines.addRect(CGRect(x: 0, y: label.at.rounded(), width: picture.plot.width, height: 0.5))
    }
    for label in picture.times {
      lines.addRect(CGRect(x: label.at.rounded(), y: 0, width: 0.5, height: picture.plot.height))
    }
    context.fill(lines, with: .color(colours.grid))
  }

  private func paintVolumes(in context: inout GraphicsContext) {
    for isUp in [false, true] {
      var bars = Path()
      for mark in picture.list.candles where mark.isUp == isUp && mark.volumeHeight > 0 {
        let height = CGFloat(mark.volumeHeight)
        bars.addRect(
          CGRect(
            x: left(of: mark), y: picture.plot.height - height, width: width(of: mark),
            height: height))
      }
      guard !bars.isEmpty else { continue }
      context.fill(bars, with: .color((isUp ? colours.rise : colours.fall).opacity(0.3)))
    }
  }

  private func paintGaps(in context: inout GraphicsContext) {
    for gap in picture.list.gaps {
      let left = CGFloat(gap.left)
      let area = CGRect(
        x: left, y: 0, width: max(1, CGFloat(gap.right) - left), height: picture.plot.height)
      context.fill(Path(area), with: .color(colours.gap))
      var edges = Path()
      edges.addRect(CGRect(x: area.minX, y: 0, width: 1, height: area.height))
      edges.addRect(CGRect(x: area.maxX - 1, y: 0, width: 1, height: area.height))
      context.fill(edges, with: .color(colours.gapEdge))
    }
  }

  private func paintCandles(in context: inout GraphicsContext) {
    paintDashes(in: &context)
    for isUp in [false, true] {
      var areas = Path()
      var hollows = Path()
      var dashes = Path()
      for mark in picture.list.candles where mark.isUp == isUp && !mark.isWithoutTrades {
        let body = body(of: mark)
        if mark.isPartial {
          addOutline(of: mark, body, to: &dashes)
          continue
        }
        areas.addRect(body)
        let (top, bottom) = (CGFloat(mark.wickTop), CGFloat(mark.wickBottom))
        areas.addRect(CGRect(x: CGFloat(mark.x) - 0.5, y: top, width: 1, height: bottom - top))
        if isUp, body.width >= 4, body.height > 2 { hollows.addRect(body.insetBy(dx: 1, dy: 1)) }
      }
      let colour = isUp ? colours.rise : colours.fall
      if !areas.isEmpty { context.fill(areas, with: .color(colour)) }
      if !hollows.isEmpty { context.fill(hollows, with: .color(colours.ground)) }
      guard !dashes.isEmpty else { continue }
      context.stroke(
        dashes, with: .color(colour), style: StrokeStyle(lineWidth: 1, dash: [3, 2]))
    }
    paintContradictions(in: &context)
  }

  /// A short dash where nobody traded: the price before it, and no candle.
  private func paintDashes(in context: inout GraphicsContext) {
    var dashes = Path()
    for mark in picture.list.candles where mark.isWithoutTrades {
      let width = max(1, min(width(of: mark), 7))
      dashes.addRect(
        CGRect(x: CGFloat(mark.x) - width / 2, y: CGFloat(mark.top), width: width, height: 1))
    }
    if !dashes.isEmpty { context.fill(dashes, with: .color(colours.muted)) }
  }

  /// A diamond above each candle of which the venue says otherwise.
  private func paintContradictions(in context: inout GraphicsContext) {
    var diamonds = Path()
    for mark in picture.list.candles where mark.isContradicted {
      let (x, y) = (CGFloat(mark.x), CGFloat(mark.wickTop) - 8)
      diamonds.addLines(
        [(0, -4), (4, 0), (0, 4), (-4, 0)].map { CGPoint(x: x + $0.0, y: y + $0.1) })
      diamonds.closeSubpath()
    }
    if !diamonds.isEmpty { context.fill(diamonds, with: .color(colours.warning)) }
  }

  /// A candle whose span was seen in part only is hollow and dashed, whichever way it went.
  private func addOutline(of mark: CandleMark, _ body: CGRect, to dashes: inout Path) {
    dashes.addRect(body)
    for (from, to) in [(CGFloat(mark.wickTop), body.minY), (body.maxY, CGFloat(mark.wickBottom))]
    where to > from {
      dashes.move(to: CGPoint(x: CGFloat(mark.x), y: from))
      dashes.addLine(to: CGPoint(x: CGFloat(mark.x), y: to))
    }
  }

  private func paintLine(in context: inout GraphicsContext) {
    var line = Path()
    for (index, mark) in picture.list.line.enumerated() {
      let place = CGPoint(x: CGFloat(mark.x), y: CGFloat(mark.y))
      let isAlone = index + 1 >= picture.list.line.count || picture.list.line[index + 1].startsNew
      if mark.startsNew || index == 0 {
        line.move(to: place)
        // A price between two interruptions is a point, not nothing.
        if isAlone { line.addLine(to: CGPoint(x: place.x + 1, y: place.y)) }
      } else {
        line.addLine(to: place)
      }
    }
    guard !line.isEmpty else { return }
    context.stroke(
      line, with: .color(picture.isDimmed ? colours.muted : colours.line), lineWidth: 1.75)
  }

  private func paintLiveLine(in context: inout GraphicsContext) {
    guard let live = picture.list.live, live.y >= 0,
      CGFloat(live.y) <= picture.plot.height
    else { return }
    var dashes = Path()
    dashes.move(to: CGPoint(x: 0, y: CGFloat(live.y).rounded()))
    dashes.addLine(to: CGPoint(x: picture.plot.width, y: CGFloat(live.y).rounded()))
    context.stroke(
      dashes, with: .color(liveColour(live)), style: StrokeStyle(lineWidth: 1, dash: [3, 3]))
  }

  /// The colour of the latest price: grey while it can't be believed.
  func liveColour(_ live: LiveMark) -> Color {
    picture.isDimmed ? colours.muted : live.isUp ? colours.rise : colours.fall
  }

  /// An arrow below its price for what was bought, above it for what was sold.
  private func paintFills(in context: inout GraphicsContext) {
    for mark in picture.list.fills {
      let sign: CGFloat = mark.side == .buy ? 1 : -1
      let (x, y) = (CGFloat(mark.x), CGFloat(mark.y))
      var arrow = Path()
      arrow.addLines(
        [(0, 2), (6, 8), (2.3, 8), (2.3, 18), (-2.3, 18), (-2.3, 8), (-6, 8)].map {
          CGPoint(x: x + $0.0, y: y + sign * $0.1)
        })
      arrow.closeSubpath()
      context.stroke(arrow, with: .color(colours.ground), lineWidth: 3)
      context.fill(arrow, with: .color(mark.side == .buy ? colours.rise : colours.fall))
    }
  }

  private func width(of mark: CandleMark) -> CGFloat { max(1, CGFloat(mark.width).rounded()) }

  private func left(of mark: CandleMark) -> CGFloat { CGFloat(mark.x) - width(of: mark) / 2 }

  private func body(of mark: CandleMark) -> CGRect {
    CGRect(
      x: left(of: mark), y: CGFloat(mark.top), width: width(of: mark),
      height: max(1, CGFloat(mark.bottom - mark.top)))
  }
}
