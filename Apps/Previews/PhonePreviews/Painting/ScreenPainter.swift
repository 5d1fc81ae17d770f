import Foundation
@_spi(Host) import SwiftUI

/// Draws a tree of views as HTML: containers as flex boxes, modifiers as boxes around, bars and
/// overlays collected on the way.
///
/// Approximate on purpose: nothing is measured.
@MainActor final class ScreenPainter {
  /// The bar of the navigation that is being drawn.
  struct Bar {
    var title: String?
    var isInline = false
    var leading: [Markup] = []
    var trailing: [Markup] = []
    var middle: [Markup] = []
    var canGoBack = false
  }

  var bar = Bar()
  /// Sheets and alerts.
  private var overlays: [Markup] = []
  private let name: String
  let isAtEnd: Bool
  private var drawings = 0

  /// The name separates the drawings of several screens.
  init(name: String, isAtEnd: Bool = false) {
    self.name = name
    self.isAtEnd = isAtEnd
  }

  func screen(_ nodes: [ViewNode]) -> Markup {
    let content = paint(nodes, Look(), .column)
    return .div("column screen", content) + .all(overlays)
  }

  func paint(_ nodes: [ViewNode], _ look: Look, _ flow: Flow) -> Markup {
    .all(nodes.map { paint($0, look, flow) })
  }

  func paint(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    switch node.kind {
    case .modified: return modified(node, look, flow)
    case .text: return words(node, look, flow)
    case .image: return picture(node, look)
    case .button: return button(node, look, flow)
    case .link: return link(node, look, flow)
    case .stack, .row: return stack(node, look, flow)
    case .list: return list(node, look, flow)
    case .section: return section(node, look)
    case .field: return field(node, look, flow)
    case .toggle: return toggle(node, look, flow)
    case .picker: return picker(node, look, flow)
    case .option: return paint(node.children, look, flow)
    case .stepper: return stepper(node, look, flow)
    case .progress: return progress(node, look, flow)
    case .spacer: return .div("spacer", Markup())
    case .canvas: return canvas(node, flow)
    case .shape: return shape(node, flow)
    case .navigation: return navigation(node, look, flow)
    case .tabs: return tabs(node, look, flow)
    case .tab: return Markup()
    case .toolbar:
      note(toolbar: node, look)
      return Markup()
    case .sheet:
      overlays.append(sheet(node, look))
      return Markup()
    case .alert:
      overlays.append(alert(node, look))
      return Markup()
    }
  }

  /// The classes that give a view the space that it takes.
  func fit(_ node: ViewNode, _ flow: Flow) -> String {
    let greed = node.greed
    var classes = ""
    switch flow {
    case .row: classes = (greed.across ? " grow" : "") + (greed.down ? " fill" : "")
    case .column: classes = (greed.down ? " grow" : "") + (greed.across ? " fill" : "")
    case .depth: classes = (greed.across ? " wide" : "") + (greed.down ? " tall" : "")
    }
    return classes
  }

  // MARK: Text and images

  private func words(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    guard !node.text.isEmpty else { return .span("words", Markup()) }
    let said = node.attributes
    var style = Styles.font(
      said[.font] ?? look.font, weight: said[.fontWeight],
      hasEqualDigits: said[.monospacedDigit] != nil)
    if let color = (said[.foregroundStyle] ?? look.color).flatMap(Styles.color) {
      style += "color:\(color);"
    }
    if said[.other("italic")] != nil { style += "font-style:italic;" }
    let lines = said[.lineLimit] == "1" ? " one" : ""
    let redacted = said[.redacted] == nil ? "" : " redacted"
    return .span("words\(lines)\(redacted)", style: style, .text(node.text))
  }

  private func picture(_ node: ViewNode, _ look: Look) -> Markup {
    let said = node.attributes
    var style = Styles.font(said[.font] ?? look.font, weight: said[.fontWeight])
    if let color = (said[.foregroundStyle] ?? look.color).flatMap(Styles.color) {
      style += "color:\(color);"
    }
    let name = node.text.hasPrefix("system:") ? String(node.text.dropFirst(7)) : node.text
    return Symbols.drawing(name, style: style)
  }

  private func canvas(_ node: ViewNode, _ flow: Flow) -> Markup {
    drawings += 1
    let drawing = CanvasDrawing(node, prefix: "\(name)-\(drawings)")
    return .div("drawing" + fit(node, flow), drawing.markup)
  }

  private func shape(_ node: ViewNode, _ flow: Flow) -> Markup {
    if node.attributes[.layout] == "divider" { return .div("divider", Markup()) }
    let color = node.attributes[.foregroundStyle].flatMap(Styles.color) ?? "var(--primary)"
    let name = node.attributes[.other("shape")] ?? ""
    let round = ScreenPainter.corners(name)
    let paint = name.hasSuffix("border") ? "border:1px solid \(color);" : "background:\(color);"
    return .div("shape" + fit(node, flow), style: paint + round, Markup())
  }

  static func corners(_ shape: String) -> String {
    if shape.hasPrefix("Capsule") || shape.hasPrefix("Circle") { return "border-radius:999px;" }
    return shape.hasPrefix("RoundedRectangle") ? "border-radius:8px;" : ""
  }

  // MARK: Containers

  private func stack(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let layout = node.attributes[.layout]
    if layout == "unavailable" { return unavailable(node, look, flow) }
    if layout == "labeled" { return labeled(node, look, flow) }
    if layout == "menu" { return menu(node, look) }
    let inner = node.flow
    var style = ""
    if let spacing = node.attributes[.spacing].flatMap(Double.init) {
      style += "gap:\(Styles.number(spacing))px;"
    }
    style += alignment(node, inner)
    let name = layout == "label" ? "label" : ""
    let classes = "\(ScreenPainter.name(inner)) \(name)"
    return .div(
      classes.trimmingCharacters(in: .whitespaces) + fit(node, flow), style: style,
      paint(node.children, look.following(node), inner))
  }

  static func name(_ flow: Flow) -> String {
    switch flow {
    case .row: "row"
    case .column: "column"
    case .depth: "depth"
    }
  }

  /// The alignment of parts across their container, or of a view in its frame.
  private func alignment(_ node: ViewNode, _ flow: Flow) -> String {
    guard let said = node.attributes[.alignment] else { return "" }
    func place(_ word: Substring) -> String {
      switch word {
      case "leading", "top": "start"
      case "trailing", "bottom": "end"
      case "firstTextBaseline", "lastTextBaseline": "baseline"
      default: "center"
      }
    }
    let parts = said.split(separator: " ").map(place)
    guard flow == .depth, parts.count == 2 else {
      return parts.first.map { "align-items:\($0);" } ?? ""
    }
    return "justify-items:\(parts[0]);align-items:\(parts[1]);"
  }

  private func modified(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let inner = look.following(node)
    note(node)
    for child in node.children where child.kind == .toolbar { note(toolbar: child, inner) }
    // Overlays of this view are above those of its parts.
    defer {
      for child in node.children where [.sheet, .alert].contains(child.kind) {
        _ = paint(child, inner, flow)
      }
    }
    let behind = node.layers("behind"), onTop = node.layers("on top")
    let (above, below) = (node.layers("above"), node.layers("below"))
    if !above.isEmpty || !below.isEmpty {
      let content = above.flatMap(\.children) + node.parts + below.flatMap(\.children)
      return .div("column" + fit(node, flow), paint(content, inner, .column))
    }
    let style = box(node, look)
    if style.isEmpty, behind.isEmpty, onTop.isEmpty, node.attributes[.layout] != "geometry" {
      return paint(node.parts, inner, flow)
    }
    let parts = node.parts
    let content =
      parts.count == 1
      ? paint(parts, inner, .depth)
      : .div("column wide", paint(parts, inner, .column))
    return .div(
      "depth" + fit(node, flow), style: style,
      layer(behind, inner, "behind") + content + layer(onTop, inner, "on-top"))
  }

  private func layer(_ nodes: [ViewNode], _ look: Look, _ name: String) -> Markup {
    .all(
      nodes.map { node in
        .div(
          "layer depth \(name)", style: alignment(node, .depth),
          paint(node.children, look, .depth))
      })
  }

  /// The box that a view's modifiers need.
  private func box(_ node: ViewNode, _ look: Look) -> String {
    let said = node.attributes
    var style = frame(node, look) + padding(said[.padding])
    if let color = said[.background].flatMap(Styles.color), color != "transparent" {
      style += "background:\(color);border-radius:4px;"
    }
    if let clip = said[.other("clipShape")] {
      style += ScreenPainter.corners(clip) + "overflow:hidden;"
    }
    if let opacity = said[.opacity].flatMap(Double.init), opacity < 1 {
      style += "opacity:\(Styles.number(opacity));"
    }
    if said[.other("fixedSize")] != nil { style += "flex-shrink:0;" }
    return style
  }

  private func frame(_ node: ViewNode, _ look: Look) -> String {
    guard let frame = node.attributes[.frame] else { return "" }
    var style = alignment(node, .depth)
    if frame == "flexible" {
      let sides = (node.attributes[.frameLimits] ?? "").split(separator: " ").map { Double($0) }
      let names = ["min-width", "max-width", "min-height", "max-height"]
      for (name, side) in zip(names, sides) {
        if let side, side.isFinite { style += "\(name):\(Styles.number(side))px;" }
      }
      return style
    }
    let sides = frame.split(separator: "x").map { Double($0) }
    guard sides.count == 2 else { return style }
    if let width = sides[0] {
      // A share of a given size stays a share.
      if let whole = look.geometry?.width, whole > 0 {
        style += "width:\(Styles.number(width / whole * 100))%;height:100%;flex:none;"
      } else {
        style += "width:\(Styles.number(width))px;flex-shrink:0;"
      }
    }
    if let height = sides[1] { style += "height:\(Styles.number(height))px;flex-shrink:0;" }
    return style
  }

  private func padding(_ said: String?) -> String {
    let parts = (said ?? "").split(separator: " ")
    guard parts.count == 2, let bits = Int(parts[0]) else { return "" }
    let length = Styles.number(Double(parts[1]) ?? 16)
    let sides = [(1, "top"), (2, "left"), (4, "bottom"), (8, "right")]
    return sides.filter { bits & $0.0 != 0 }.map { "padding-\($0.1):\(length)px;" }.joined()
  }

  private func note(_ node: ViewNode) {
    if let title = node.attributes[.navigationTitle] { bar.title = title }
    if node.attributes[.other("titleDisplayMode")] == "inline" { bar.isInline = true }
  }

  private func note(toolbar node: ViewNode, _ look: Look) {
    for item in node.children {
      let content = Markup.div("row item", paint(item.children, look.inBar, .row))
      switch item.attributes[.placement] {
      case "topBarLeading", "cancellationAction": bar.leading.append(content)
      case "principal": bar.middle.append(content)
      default: bar.trailing.append(content)
      }
    }
  }
}
