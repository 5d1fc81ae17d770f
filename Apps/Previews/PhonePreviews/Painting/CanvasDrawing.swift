import Foundation
@_spi(Host) import SwiftUI

/// Draws a Canvas's recorded steps as SVG, in painting order.
@MainActor struct CanvasDrawing {
  private let steps: [PaintStep]
  private let size: CGSize
  /// Clip areas, each defined once.
  private var clips: [Path] = []
  /// Separates the definitions of several drawings of a page.
  private let prefix: String

  init(_ node: ViewNode, prefix: String) {
    steps = node.painting
    size = node.size ?? .zero
    self.prefix = prefix
    for clip in steps.compactMap(\.clip) where !clips.contains(clip) { clips.append(clip) }
  }

  var markup: Markup {
    let definitions = clips.indices.map { index in
      Markup.element(
        "clipPath", [("id", name(index))],
        .element("path", [("d", CanvasDrawing.data(clips[index]))], Markup()))
    }
    let box = "0 0 \(Styles.number(size.width)) \(Styles.number(size.height))"
    let defs = definitions.isEmpty ? Markup() : .element("defs", [], .all(definitions))
    return .element(
      "svg", [("class", "canvas"), ("viewBox", box)],
      defs + .all(steps.map { draw($0).onItsOwnLine }))
  }

  private func name(_ index: Int) -> String { "\(prefix)-clip-\(index)" }

  private func draw(_ step: PaintStep) -> Markup {
    let color = Styles.color(step.style) ?? "currentColor"
    let clip = step.clip.flatMap(clips.firstIndex).map { "url(#\(name($0)))" }
    switch step.content {
    case .fill(let path):
      return .element(
        "path",
        [
          ("d", CanvasDrawing.data(path)), ("style", "fill:\(color)"), ("clip-path", clip),
        ], Markup())
    case .stroke(let path, let stroke):
      let dash = stroke.dash.map { Styles.number($0) }.joined(separator: " ")
      return .element(
        "path",
        [
          ("d", CanvasDrawing.data(path)),
          ("style", "fill:none;stroke:\(color);stroke-width:\(Styles.number(stroke.lineWidth))"),
          ("stroke-dasharray", dash), ("clip-path", clip),
        ], Markup())
    case .text(let text, let font, let place, let anchor):
      let side = anchor.x < 0.25 ? "start" : anchor.x > 0.75 ? "end" : "middle"
      let base = anchor.y < 0.25 ? "hanging" : anchor.y > 0.75 ? "auto" : "central"
      return .element(
        "text",
        [
          ("x", Styles.number(place.x)), ("y", Styles.number(place.y)),
          (
            "style",
            "\(Styles.font(font))fill:\(color);text-anchor:\(side);dominant-baseline:\(base)"
          ), ("clip-path", clip),
        ], .text(text))
    }
  }

  static func data(_ path: Path) -> String {
    var data = ""
    func at(_ point: CGPoint) -> String { "\(Styles.number(point.x)) \(Styles.number(point.y))" }
    path.forEach { element in
      switch element {
      case .move(let point): data += "M\(at(point))"
      case .line(let point): data += "L\(at(point))"
      case .quadCurve(let point, let control): data += "Q\(at(control)) \(at(point))"
      case .curve(let point, let first, let second):
        data += "C\(at(first)) \(at(second)) \(at(point))"
      case .closeSubpath: data += "Z"
      }
    }
    return data
  }
}
