// The words around the plot: the axes, the label of the live price, and the crosshair.

import ChartModel
import Foundation
import SwiftUI

extension ChartPainter {
  func paintAxes(in context: inout GraphicsContext) {
    var edges = Path()
    edges.addRect(CGRect(x: picture.plot.width, y: 0, width: 0.5, height: picture.plot.height))
    edges.addRect(CGRect(x: 0, y: picture.plot.height, width: picture.size.width, height: 0.5))
    context.fill(edges, with: .color(colours.grid))
    for label in picture.times
    where label.at >= 26 * scale && label.at <= picture.plot.width - 26 * scale {
      // As with prices: better none than half of one beside the crosshair's.
      if let time = crosshairTime,
        abs(label.at - time.middle) < time.half + halfWidth(label.text)
      {
        continue
      }
      write(label.text, at: CGPoint(x: label.at, y: axisY), colours.muted, in: &context)
    }
    let half = 8 * scale
    for label in picture.prices where label.at > half && label.at < picture.plot.height - half {
      // The live price stands over the labels next to it: better none than half of one.
      if let y = livePriceY, abs(label.at - y) < 18 * scale { continue }
      if let place = picture.crosshair?.place, abs(label.at - place.y) < 18 * scale { continue }
      write(label.text, at: CGPoint(x: axisX, y: label.at), colours.muted, in: &context)
    }
    paintLivePrice(in: &context)
  }

  /// Where the live price stands; nil without one.
  ///
  /// Beside its line, at the edge towards which it is out of view, or right above or below the
  /// crosshair's price, which would cover it.
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

  func paintCrosshair(in context: inout GraphicsContext) {
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

  /// Where the crosshair's time stands on its axis, inside the plot; nil without one.
  private var crosshairTime: (middle: CGFloat, half: CGFloat)? {
    guard let (place, _, time) = picture.crosshair else { return nil }
    let half = halfWidth(time) + 6 * scale
    return (min(max(half, place.x), max(half, picture.plot.width - half)), half)
  }

  /// Half of the room that words on an axis take, about.
  private func halfWidth(_ text: String) -> CGFloat { CGFloat(text.count) * 3.5 * scale }

  /// A label on the price axis.
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

/// The colours of a chart in a theme.
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
