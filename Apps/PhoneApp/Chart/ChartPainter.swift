// Paints a chart's draw list in the same order and with the same signs as the page: rising candles
// are hollow, falling ones full, interruptions shaded, fills arrows.

import ChartModel
import Foundation
import MarketModel
import PhoneStores
import SwiftUI

struct ChartPainter: Sendable {
  let picture: ChartPicture
  let colours: ChartColours

  /// Paints candles of a direction as one path, to keep the calls few.
  ///
  /// SwiftUI may call it on any thread; it reads only the picture, whose size counts.
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

  /// A short dash at the previous price for a span without trades.
  private func paintDashes(in context: inout GraphicsContext) {
    var dashes = Path()
    for mark in picture.list.candles where mark.isWithoutTrades {
      let width = max(1, min(width(of: mark), 7))
      dashes.addRect(
        CGRect(x: CGFloat(mark.x) - width / 2, y: CGFloat(mark.top), width: width, height: 1))
    }
    if !dashes.isEmpty { context.fill(dashes, with: .color(colours.muted)) }
  }

  /// A diamond above each candle that the venue's candle contradicts.
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

  /// A partly observed candle is hollow and dashed, whatever its direction.
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
        // A price between two interruptions is a point.
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

  /// The colour of the latest price; grey while it is not valid.
  private func liveColour(_ live: LiveMark) -> Color {
    picture.isDimmed ? colours.muted : live.isUp ? colours.rise : colours.fall
  }

  /// An arrow below the price of a buy, above that of a sell.
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

// MARK: - Axes and labels

extension ChartPainter {
  private func paintAxes(in context: inout GraphicsContext) {
    var edges = Path()
    edges.addRect(CGRect(x: picture.plot.width, y: 0, width: 0.5, height: picture.plot.height))
    edges.addRect(CGRect(x: 0, y: picture.plot.height, width: picture.size.width, height: 0.5))
    context.fill(edges, with: .color(colours.grid))
    for label in picture.times
    where label.at >= 26 * scale && label.at <= picture.plot.width - 26 * scale {
      // As with prices, leave out a label that the crosshair's would partly cover.
      if let time = crosshairTime,
        abs(label.at - time.middle) < time.half + halfWidth(label.text)
      {
        continue
      }
      write(label.text, at: CGPoint(x: label.at, y: axisY), colours.muted, in: &context)
    }
    let half = 8 * scale
    for label in picture.prices where label.at > half && label.at < picture.plot.height - half {
      // Leave out a label that the live or the crosshair's price would partly cover.
      if let y = livePriceY, abs(label.at - y) < 18 * scale { continue }
      if let place = picture.crosshair?.place, abs(label.at - place.y) < 18 * scale { continue }
      write(label.text, at: CGPoint(x: axisX, y: label.at), colours.muted, in: &context)
    }
    paintLivePrice(in: &context)
  }

  /// The live price's y position; nil without one.
  ///
  /// Beside its line, at the edge when out of view, or just above or below the crosshair's price,
  /// which would cover it.
  private var livePriceY: CGFloat? {
    guard let label = picture.live else { return nil }
    let half = 10 * scale
    let bottom = max(half, picture.plot.height - half)
    let y = min(max(half, label.at), bottom)
    guard let place = picture.crosshair?.place, abs(place.y - y) < 2 * half else { return y }
    let (above, below) = (place.y - 2 * half, place.y + 2 * half)
    if y < place.y { return above >= half ? above : below }
    return below <= bottom ? below : above
  }

  private func paintLivePrice(in context: inout GraphicsContext) {
    guard let mark = picture.list.live, let label = picture.live, let y = livePriceY else { return }
    pill(label.text, atY: y, liveColour(mark), in: &context)
  }

  private func paintCrosshair(in context: inout GraphicsContext) {
    guard let (place, price, time) = picture.crosshair else { return }
    var lines = Path()
    lines.addRect(CGRect(x: place.x.rounded(), y: 0, width: 1, height: picture.plot.height))
    lines.addRect(CGRect(x: 0, y: place.y.rounded(), width: picture.plot.width, height: 1))
    context.fill(lines, with: .color(colours.muted))
    pill(price, atY: place.y, colours.line, in: &context)
    guard let (x, half) = crosshairTime else { return }
    let area = CGRect(x: x - half, y: picture.plot.height + 1, width: 2 * half, height: 20 * scale)
    context.fill(Path(roundedRect: area, cornerRadius: 4), with: .color(colours.line))
    write(time, at: CGPoint(x: x, y: axisY), colours.ground, in: &context)
  }

  /// The crosshair time's position on its axis, inside the plot; nil without one.
  private var crosshairTime: (middle: CGFloat, half: CGFloat)? {
    guard let (place, _, time) = picture.crosshair else { return nil }
    let half = halfWidth(time) + 6 * scale
    return (min(max(half, place.x), max(half, picture.plot.width - half)), half)
  }

  /// About half the width of an axis label.
  private func halfWidth(_ text: String) -> CGFloat { CGFloat(text.count) * 3.5 * scale }

  private func pill(
    _ text: String, atY y: CGFloat, _ colour: Color, in context: inout GraphicsContext
  ) {
    let area = CGRect(
      x: picture.plot.width + 1, y: y - 10 * scale,
      width: picture.size.width - picture.plot.width - 3, height: 20 * scale)
    context.fill(Path(roundedRect: area, cornerRadius: 4), with: .color(colour))
    write(text, at: CGPoint(x: axisX, y: y), colours.ground, in: &context)
  }

  private func write(
    _ text: String, at place: CGPoint, _ colour: Color, in context: inout GraphicsContext
  ) {
    var words = context.resolve(Text(text).font(.caption2).monospacedDigit())
    words.shading = .color(colour)
    context.draw(words, at: place, anchor: .center)
  }

  private var axisX: CGFloat { (picture.plot.width + picture.size.width) / 2 }
  private var axisY: CGFloat { (picture.plot.height + picture.size.height) / 2 }
  private var scale: CGFloat { picture.wordScale }
}

struct ChartColours {
  let rise: Color
  let fall: Color
  let ground: Color
  let muted: Color
  let line: Color
  let grid: Color
  let gap: Color
  let gapEdge: Color
  let warning: Color

  init(_ scheme: ColorScheme) {
    let palette = Palette(scheme)
    (rise, fall) = (palette.rise, palette.fall)
    let isDark = scheme == .dark
    ground = isDark ? Color.black : Color.white
    muted =
      isDark
      ? Color(red: 0.66, green: 0.68, blue: 0.72) : Color(red: 0.36, green: 0.38, blue: 0.42)
    line =
      isDark
      ? Color(red: 0.45, green: 0.68, blue: 1.00) : Color(red: 0.05, green: 0.30, blue: 0.70)
    grid = muted.opacity(0.25)
    gap = muted.opacity(0.18)
    gapEdge = muted.opacity(0.6)
    warning =
      isDark
      ? Color(red: 0.95, green: 0.71, blue: 0.31) : Color(red: 0.54, green: 0.32, blue: 0.00)
  }
}
