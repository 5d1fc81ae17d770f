import Foundation
@_spi(Host) import SwiftUI

extension ScreenPainter {
  func navigation(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let outer = bar
    bar = Bar()
    bar.canGoBack = node.canGoBack
    let content = paint(node.children, look, .column)
    let top = navigationBar
    bar = outer
    return .div(
      "column navigation" + fit(node, flow), top + .div("column content grow fill", content))
  }

  private var navigationBar: Markup {
    let back = bar.canGoBack ? [Markup.span("back", Symbols.drawing("chevron.left"))] : []
    let title = Markup.text(bar.title ?? "")
    let isLarge = !bar.isInline && bar.title != nil
    let middle =
      bar.middle.isEmpty
      ? Markup.element("h1", [("class", "title")], isLarge ? Markup() : title)
      : .div("row principal", .all(bar.middle))
    let row = Markup.div(
      "navigation-bar",
      .div("row side", .all(back + bar.leading)) + middle
        + .div("row side end", .all(bar.trailing)))
    guard isLarge else { return row }
    return row + .element("h1", [("class", "large-title")], title)
  }

  func tabs(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let items = node.children.filter { $0.kind == .tab }
    let screens = node.children.filter { $0.kind != .tab }
    let content = paint(screens, look, .column)
    let bar = items.map { item in
      Markup.div(
        item.isOn == true ? "tab chosen" : "tab",
        paint(item.children, look.words(font: "caption2"), .column))
    }
    return .div(
      "column tabs" + fit(node, flow),
      .div("column grow fill", content) + Markup.div("tab-bar", .all(bar)).onItsOwnLine)
  }

  func sheet(_ node: ViewNode, _ look: Look) -> Markup {
    let outer = bar
    bar = Bar()
    let content = paint(node.children, Look(), .column)
    let top =
      bar.title == nil && bar.leading.isEmpty && bar.trailing.isEmpty
      ? Markup() : navigationBar
    bar = outer
    return .div(
      "overlay", .div("sheet column", .div("handle", Markup()) + top + content))
  }

  func alert(_ node: ViewNode, _ look: Look) -> Markup {
    let buttons = node.all.filter { $0.kind == .button }
    let title = node.children.first.map {
      Markup.element("h2", [], paint([$0], look.words(font: "headline"), .column))
    }
    let message = node.children.dropFirst().filter { part in
      !part.all.contains { $0.kind == .button }
    }
    let choices = buttons.map { Markup.div("choice", paint($0, look.inBar, .row)) }
    return .div(
      "overlay middle",
      .div(
        "alert column",
        (title ?? Markup())
          + .div("message column", paint(Array(message), look.words(font: "footnote"), .column))
          + .div("choices", .all(choices))))
  }
}
