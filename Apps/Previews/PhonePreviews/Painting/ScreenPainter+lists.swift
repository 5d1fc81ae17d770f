import Foundation
@_spi(Host) import SwiftUI

extension ScreenPainter {
  func list(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    if node.attributes[.layout] == "scroll" {
      return .div("column scroll" + fit(node, flow), paint(node.children, look, .column))
    }
    let isPlain = look.listStyle == "PlainListStyle"
    var inner = look
    inner.listStyle = nil
    // Rows outside of sections form a section.
    var content = Markup()
    var loose: [ViewNode] = []
    func flush() {
      if !loose.isEmpty { content = content + card(loose, inner) }
      loose = []
    }
    for child in node.children {
      if child.kind == .row {
        loose.append(child)
      } else {
        flush()
        content = content + paint(child, inner, .column)
      }
    }
    flush()
    // A reversed box starts at its end, without a script.
    let (end, all) = isAtEnd ? (" at-end", Markup.div("whole", content)) : ("", content)
    return .div((isPlain ? "list plain" : "list grouped") + end + fit(node, flow), all)
  }

  func section(_ node: ViewNode, _ look: Look) -> Markup {
    let first = node.children.firstIndex { $0.kind == .row } ?? node.children.endIndex
    let last = node.children.lastIndex { $0.kind == .row }.map { $0 + 1 } ?? first
    let header = Array(node.children[..<first])
    let rows = Array(node.children[first..<last])
    let footer = Array(node.children[last...])
    let notes = look.words(color: "secondary", font: "footnote")
    let head =
      header.isEmpty
      ? Markup()
      : .div(
        look.keepsCase ? "header as-written" : "header", paint(header, notes, .column))
    let foot = footer.isEmpty ? Markup() : .div("footer", paint(footer, notes, .column))
    return Markup.div("section", head + card(rows, look) + foot).onItsOwnLine
  }

  private func card(_ rows: [ViewNode], _ look: Look) -> Markup {
    let cells = rows.flatMap { $0.children.flatMap { parts(of: $0) } }
    return .div("card", .all(cells.map { cell($0, look.inCell) }))
  }

  /// The rows that SwiftUI creates for a part: one for each view in it.
  private func parts(of node: ViewNode) -> [ViewNode] {
    let isPlain =
      node.kind == .modified && node.parts.count == node.children.count && node.children.count > 1
      && node.attributes.keys.allSatisfy { $0 == .navigationTitle }
    return isPlain ? node.children.flatMap { parts(of: $0) } : [node]
  }

  private func cell(_ node: ViewNode, _ look: Look) -> Markup {
    Markup.div("cell row", paint(node, look, .row)).onItsOwnLine
  }

  func labeled(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let name = node.children.prefix(1).map { paint($0, look, .row) }
    let value = node.children.dropFirst().map { paint($0, look.words(color: "secondary"), .row) }
    return .div(
      "row labeled" + fit(node, flow),
      .all(name) + .div("spacer", Markup()) + .all(value))
  }

  func unavailable(_ node: ViewNode, _ look: Look, _ flow: Flow) -> Markup {
    let title = node.children.prefix(1).map { paint($0, look.words(font: "title2,bold"), .column) }
    let rest = node.children.dropFirst().map {
      paint($0, look.words(color: "secondary", font: "subheadline"), .column)
    }
    return .div(
      "column unavailable" + fit(node, flow), .all(title) + .all(rest))
  }
}
