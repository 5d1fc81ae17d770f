import AppState
import Foundation
@_spi(Host) import LinuxUIKit
import MarketModel
import StocksAppFixtures
import VenueCatalogue

struct WatchListScene: Sendable {
  let id: String
  let title: String
  let play: @MainActor @Sendable (TestList) throws -> Void

  static let all: [WatchListScene] = [
    WatchListScene(id: "stocks", title: "Watch list (UIKit): live") { list in
      list.feeds.connection(.live)
      try list.playPrices()
    },
    WatchListScene(id: "stocks-offline", title: "Watch list (UIKit): the feed is away") { list in
      list.feeds.connection(.live)
      try list.playPrices()
      list.feeds.advance(12_000)
      list.feeds.connection(
        .backingOff, reason: "The connection was closed by the server.", nextAttemptIn: 4000)
      try list.playPrices(.disconnected)
      list.feeds.advance(3000)
    },
  ]
}

extension TestList {
  /// All shares but two have a price.
  fileprivate func playPrices(_ state: FreshnessState = .live) throws {
    var chance = SplitMix64(seed: 11)
    for (index, share) in IsinCatalogue.shares.enumerated() where index % 14 != 9 {
      let cents = 4000 + chance.below(60_000)
      let confirmed = state == .live ? nil : ClockReading(milliseconds: 1000)
      try feeds.quote(share.isin.text, Stage.money(cents), state, confirmedAt: confirmed)
    }
  }
}

/// Draws the UIKit watch list: its view tree with texts, fonts and colours.
@MainActor struct WatchListPainter {
  let list: TestList
  var traits = UITraitCollection(userInterfaceStyle: .light)

  static func play(
    _ scene: WatchListScene
  ) throws -> (painter: WatchListPainter, texts: [String], title: String?) {
    let list = try TestList(rows: 0..<14)
    try scene.play(list)
    let title = list.screen.navigationItem.title
    let bars = [list.badge?.text, list.screen.navigationItem.rightBarButtonItem?.title, title]
    let texts = list.rows.flatMap { $0 } + (bars + [list.banner]).compactMap { $0 }
    return (WatchListPainter(list: list), texts, title)
  }

  func screen(isDark: Bool) -> Markup {
    var painter = self
    painter.traits = UITraitCollection(userInterfaceStyle: isDark ? .dark : .light)
    return painter.screen
  }

  private var screen: Markup {
    let item = list.screen.navigationItem
    let left = item.leftBarButtonItem?.customView.map { paint($0) } ?? Markup()
    let right =
      item.rightBarButtonItem.map { item in
        Markup.span("words", style: "color:var(--tint)", .text(item.title ?? ""))
      } ?? Markup()
    let bar = Markup.div(
      "navigation-bar",
      .div("row side", left) + .element("h1", [("class", "title")], .text(item.title ?? ""))
        + .div("row side end", right))
    return .div(
      "column screen",
      .div(
        "column navigation grow fill",
        bar + .div("column content grow fill", paint(list.screen.view))))
  }

  /// A view; in a row of the list it is as high as its text.
  private func paint(_ view: UIView, isInCell: Bool = false) -> Markup {
    if view.isHidden { return Markup() }
    if let label = view as? UILabel { return words(label) }
    if let rows = view as? UICollectionView { return list(rows) }
    let parts = (view as? UIStackView)?.arrangedSubviews ?? view.subviews
    let content = Markup.all(parts.map { paint($0, isInCell: isInCell) })
    let color = view.backgroundColor.flatMap { Styles.color($0.name) }
    let background = color.map { "background:\($0);" } ?? ""
    guard let stack = view as? UIStackView else {
      let isBand = view.backgroundColor?.name == "secondarySystemBackground"
      let room = isInCell ? "block" : isBand ? "column fill band" : "column grow fill"
      return .div(room, style: background + "gap:0;", content)
    }
    let isRow = stack.axis == .horizontal
    let holdsList = stack.first(UICollectionView.self) != nil
    // The list fills the screen below the banner; text is aligned to the start.
    let style =
      "gap:\(Styles.number(stack.spacing))px;align-items:"
      + (isRow ? "center;justify-content:space-between;" : "flex-start;")
    return .div(
      isRow ? "row fill" : holdsList ? "column grow fill" : "column", style: style, content)
  }

  private func list(_ rows: UICollectionView) -> Markup {
    let cells = rows.visibleCells.map { cell in
      Markup.div("cell row", .all(cell.subviews.map { paint($0, isInCell: true) })).onItsOwnLine
    }
    return .div("list plain grow fill", .div("card", .all(cells)))
  }

  private func words(_ label: UILabel) -> Markup {
    let color = Styles.color(label.textColor.resolvedColor(with: traits).name) ?? "var(--primary)"
    let name = label.font.name == "monospacedDigit" ? "body,monospacedDigit" : label.font.name
    return .span("words", style: Styles.font(name) + "color:\(color);", .text(label.text ?? ""))
  }
}
