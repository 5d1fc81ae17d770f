import Foundation
@_spi(Host) import SwiftUI

extension ScreenPainter {
  func button(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let role = node.attributes[.other("role")]
    let style = look.buttonStyle ?? ""
    var classes = "button"
    var color = role == "destructive" ? "red" : "tint"
    if style.hasPrefix("BorderedProminent") {
      classes += role == "destructive" ? " prominent destructive" : " prominent"
      color = "white"
    } else if style.hasPrefix("Bordered") {
      classes += " bordered"
    } else if style.hasPrefix("Plain") {
      classes += " plain"
      color = look.color ?? "primary"
    }
    if !node.isEnabled { classes += " disabled" }
    let isTinted = node.isEnabled && style.hasPrefix("BorderedProminent") && role == nil
    let fill = isTinted ? look.tint.flatMap(Styles.color).map { "background:\($0);" } : nil
    return .element(
      "div",
      [("class", "\(classes) depth" + fit(node, flow))] + (fill.map { [("style", $0)] } ?? []),
      paint(node.children, look.words(color: color), .depth))
  }

  func link(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let inner = look.place == .bar ? look.words(color: "tint") : look
    let content = paint(node.children, inner, .row)
    guard look.place == .cell else {
      return .div("row" + (node.isEnabled ? "" : " disabled"), content)
    }
    return .div(
      "row link fill" + (flow == .column ? "" : " grow"),
      content + .span("chevron", Symbols.drawing("chevron.right")))
  }

  func field(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let name = node.attributes[.accessibilityLabel] ?? ""
    let prompt = node.attributes[.other("prompt")] ?? name
    let isSearch = node.attributes[.layout] == "search"
    let style = look.textAlignment == "trailing" ? "text-align:right;" : ""
    let content =
      node.text.isEmpty
      ? Markup.span("placeholder", .text(prompt)) : Markup.span("words", .text(node.text))
    let picture = isSearch ? Symbols.drawing("magnifyingglass") : Markup()
    return .element(
      "div",
      [
        ("class", (isSearch ? "field search" : "field") + fit(node, flow)), ("style", style),
        ("title", name),
      ], picture + content)
  }

  func toggle(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let isOn = node.isOn == true
    if look.place == .bar {
      let color = isOn ? "white" : "tint"
      return .div(
        isOn ? "button prominent depth" : "button depth",
        paint(node.children, look.words(color: color), .depth))
    }
    let label = look.hidesLabels ? Markup() : paint(node.children, look, .row)
    let handle = Markup.span(isOn ? "switch on" : "switch", .span("knob", Markup()))
    return .div("row" + fit(node, flow), label + .div("spacer", Markup()) + handle)
  }

  func stepper(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let label = look.hidesLabels ? Markup() : paint(node.children, look, .row)
    func half(_ sign: String, _ isUsable: Bool) -> Markup {
      .span(isUsable && node.isEnabled ? "half" : "half disabled", .text(sign))
    }
    let control = Markup.div("stepper", half("−", node.canDecrement) + half("+", node.canIncrement))
    return .div("row" + fit(node, flow), .div("row grow", label) + control)
  }

  func picker(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let name = node.attributes[.accessibilityLabel] ?? ""
    let options = node.children.filter { $0.kind == .option }
    let disabled = node.isEnabled ? "" : " disabled"
    if look.pickerStyle == "SegmentedPickerStyle" {
      let parts = options.map { option in
        Markup.div(
          option.isOn == true ? "segment chosen" : "segment",
          paint(option.children, look.words(font: "footnote"), .row))
      }
      let classes = flow == .row ? "segmented grow" : "segmented fill wide"
      return .element("div", [("class", classes + disabled), ("title", name)], .all(parts))
    }
    let isCell = look.place == .cell
    let color = isCell ? "secondary" : "tint"
    let chosen = options.filter { $0.isOn == true }.flatMap(\.children)
    let value = Markup.div(
      "row menu",
      paint(chosen, look.words(color: color), .row)
        + .span("updown", Symbols.drawing("chevron.up.chevron.down")))
    // The options are part of the screen, though they show only after a tap.
    let others = options.map { Markup.element("li", [], paint($0.children, look, .row)) }
    let menu = Markup.element("ul", [("class", "options")], .all(others))
    let label =
      isCell && !look.hidesLabels
      ? Markup.span("words", .text(name)) + .div("spacer", Markup()) : Markup()
    return .element(
      "div", [("class", "row picker" + (isCell ? " fill grow" : "") + disabled), ("title", name)],
      label + value + menu)
  }

  /// The buttons of a menu: written, but not visible.
  func menu(_ node: ViewNode, _ look: Look) -> Markup {
    let items = node.layers("on demand").flatMap(\.children).map { item in
      Markup.element("li", [], paint(item, look, .row))
    }
    return .div(
      "row picker",
      .div("row", paint(node.parts, look.words(color: "tint"), .row))
        + .element("ul", [("class", "options")], .all(items)))
  }

  func progress(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    .div(
      "column progress",
      .div("spinner", Markup()) + paint(node.children, look.words(color: "secondary"), .column))
  }
}
