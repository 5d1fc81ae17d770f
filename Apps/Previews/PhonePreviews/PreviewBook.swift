import AppState
package import Foundation
import PhoneAppFixtures
import PhoneStoresFixtures

@testable package import PhoneApp
@_spi(Host) import SwiftUI

/// A page of a screen.
package struct PreviewPage {
  /// The file's name without extension: "feed-phone-dark".
  package let name: String
  /// The page's HTML.
  package let html: String
  /// All texts of the screen's tree, including those of drawings.
  package let texts: [String]
  /// The title in the screen's bar.
  package let title: String?
  /// The types of the app's views on it.
  package let views: Set<String>
  /// The place in the app; nil without one.
  package let place: PreviewPlace?
  /// Mistakes that SwiftUI would report.
  package let complaints: [String]
}

/// A screen's place, as in the app's router.
package struct PreviewPlace: Hashable {
  package let tab: AppTab
  package let market: MarketTab
  /// The kind of the screen on top; nil for a tab's root.
  package let top: String?
}

/// Builds all previews: a page for each screen, device and theme, the index that compares them with
/// the web's screens, and the style sheets.
///
/// The result depends only on the source.
@MainActor package enum PreviewBook {
  static let scenes =
    PreviewScene.tracker + PreviewScene.market + PreviewScene.exchange + PreviewScene.products
    + PreviewScene.settings

  static let note = "Drawn from the view tree; sizes are approximate, not Apple’s layout."

  /// Every screen on every device in both themes, in the language of a locale.
  package static func pages(
    in locale: Locale = Locale(identifier: "en_US")
  ) async throws -> [PreviewPage] {
    try AppTexts.load()
    var pages: [PreviewPage] = []
    for scene in scenes {
      for device in scene.devices {
        pages += try await PreviewBook.pages(of: scene, on: device, in: locale)
      }
    }
    for scene in WatchListScene.all {
      for device in PreviewDevice.allCases where device == .phone || scene.id == "stocks" {
        pages += try watchList(scene, device)
      }
    }
    return pages
  }

  /// The files by their paths in the folder of previews.
  package static func files(_ pages: [PreviewPage]) throws -> [String: String] {
    var files: [String: String] = [:]
    for page in pages { files["pages/\(page.name).html"] = page.html }
    files["preview.css"] = try resource("preview.css")
    files["index.css"] = try resource("index.css")
    files["index.html"] = PreviewIndex.html
    return files
  }

  private static func resource(_ name: String) throws -> String {
    guard let folder = Bundle.module.url(forResource: "Page", withExtension: nil) else {
      throw SceneFailure(description: "the style sheets are missing")
    }
    return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  static func name(_ id: String, _ device: PreviewDevice, _ scheme: ColorScheme) -> String {
    "\(id)-\(device.rawValue)-\(scheme.word)"
  }

  private static func pages(
    of scene: PreviewScene, on device: PreviewDevice, in locale: Locale
  ) async throws -> [PreviewPage] {
    let stage = Stage(device, chart: scene.chart[device])
    do {
      try await scene.play(stage)
    } catch { throw SceneFailure(description: "\(scene.id): \(error)") }
    // Played in English.
    stage.host.set(\.locale, locale)
    let pages = ColorScheme.allCases.map { scheme in
      stage.host.set(\.colorScheme, scheme)
      let name = name(scene.id, device, scheme)
      let nodes = stage.host.nodes
      let screen = ScreenPainter(name: name, isAtEnd: scene.isAtEnd).screen(nodes)
      return PreviewPage(
        name: name, html: html(scene.title, screen, device, scheme, at: stage.feeds.milliseconds),
        texts: nodes.flatMap(\.all).flatMap(words), title: stage.host.navigationTitle,
        views: stage.host.viewTypes, place: place(stage.app.model.router),
        complaints: stage.host.complaints)
    }
    await stage.close()
    return pages
  }

  private static func words(_ node: ViewNode) -> [String] {
    let drawn = node.drawing.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
    let own = node.kind == .text || node.kind == .field ? [node.text] : []
    return (own + drawn).filter { !$0.isEmpty }
  }

  private static func watchList(
    _ scene: WatchListScene, _ device: PreviewDevice
  ) throws -> [PreviewPage] {
    let (painter, texts, title) = try WatchListPainter.play(scene)
    return ColorScheme.allCases.map { scheme in
      PreviewPage(
        name: name(scene.id, device, scheme),
        html: html(scene.title, painter.screen(isDark: scheme == .dark), device, scheme),
        texts: texts, title: title,
        views: [], place: nil, complaints: [])
    }
  }

  private static func html(
    _ title: String, _ screen: Markup, _ device: PreviewDevice, _ scheme: ColorScheme,
    at milliseconds: Int64 = Stage.start
  ) -> String {
    let minutes = milliseconds / 60_000 % 1440
    let clock = "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    let bar = Markup.div(
      "status-bar", .span("", .text(clock)) + .span("battery", Markup()))
    let home = device == .phone ? Markup.div("home", Markup()) : Markup()
    let body = Markup.element(
      "body", [("class", "\(device.rawValue) \(scheme.word)")],
      .div("device", bar + screen + home).onItsOwnLine
        + Markup.element("p", [("class", "note")], .text(note)).onItsOwnLine)
    return document("\(title) · \(device.name)", style: "../preview.css", body)
  }

  static func document(_ title: String, style: String, _ body: Markup) -> String {
    let head = Markup.element(
      "head", [],
      .element("meta", [("charset", "utf-8")])
        + .element("meta", [("name", "viewport"), ("content", "width=device-width")])
        + .element("title", [], .text(title))
        + .element("link", [("rel", "stylesheet"), ("href", style)]))
    let page = Markup.element("html", [("lang", "en")], head.onItsOwnLine + body.onItsOwnLine)
    return "<!doctype html>\n\(page.html)\n"
  }
}

extension PreviewBook {
  /// A text escaped for a page.
  package static func escaped(_ text: String) -> String { Markup.escape(text) }

  /// The app's current place.
  package static func place(_ router: Router) -> PreviewPlace {
    let top: (any Sendable)? =
      switch router.tab {
      case .tracker: router.tracker.last
      case .exchange: router.exchange.last
      case .products: router.products.last
      case .market: router.markets.last
      case .settings: nil
      }
    let kind = top.map { "\($0)".prefix { $0.isLetter } }
    let market = router.tab == .market ? router.market : .book
    return PreviewPlace(tab: router.tab, market: market, top: kind.map(String.init))
  }
}

extension Stage {
  func close() async {
    app.model.trading.close()
    await app.model.trading.closed()
  }
}
