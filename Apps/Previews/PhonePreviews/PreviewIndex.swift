import Foundation
@_spi(Host) import SwiftUI

/// The page that shows every preview in the frame of its device, beside the web's screen.
@MainActor enum PreviewIndex {
  private struct Entry {
    let id: String
    let title: String
    let web: String?
    let devices: [PreviewDevice]
  }

  private static var entries: [Entry] {
    PreviewBook.scenes.map {
      Entry(id: $0.id, title: $0.title, web: $0.web, devices: $0.devices)
    }
      + WatchListScene.all.map {
        Entry(
          id: $0.id, title: $0.title, web: "stocks",
          devices: $0.id == "stocks" ? PreviewDevice.allCases : [.phone])
      }
  }

  static var html: String {
    let links = entries.map { entry in
      Markup.element("a", [("href", "#\(entry.id)")], .text(entry.title)).onItsOwnLine
    }
    let intro =
      "Every screen of the iOS apps, drawn from the view tree that the app’s own source makes on "
      + "Linux, beside the same screen of the web. Structure, words, order and colours are the "
      + "app’s; sizes and places are approximate, not Apple’s layout. The command “make "
      + "ios-previews” remakes this page."
    let body = Markup.element(
      "body", [],
      .element("h1", [], .text("Livetape on iOS")) + .element("p", [], .text(intro))
        + .element("nav", [], .all(links)) + .all(entries.map(section)))
    return PreviewBook.document("Livetape: previews of the iOS apps", style: "index.css", body)
  }

  private static func section(_ entry: Entry) -> Markup {
    let rows = entry.devices.map { device in
      Markup.div("figures", .all(figures(entry, device))).onItsOwnLine
    }
    return Markup.element(
      "section", [("id", entry.id)], .element("h2", [], .text(entry.title)) + .all(rows)
    ).onItsOwnLine
  }

  private static func figures(_ entry: Entry, _ device: PreviewDevice) -> [Markup] {
    var figures = ColorScheme.allCases.map { preview(entry, device, $0) }
    if let web = entry.web {
      figures += ColorScheme.allCases.map { self.web(web, device, $0) }
    }
    return figures
  }

  private static func preview(
    _ entry: Entry, _ device: PreviewDevice, _ scheme: ColorScheme
  ) -> Markup {
    let name = PreviewBook.name(entry.id, device, scheme)
    let frame = Markup.element(
      "iframe",
      [
        ("src", "pages/\(name).html"), ("loading", "lazy"), ("scrolling", "no"),
        ("title", "\(entry.title), \(device.name), \(scheme.word)"),
      ], Markup())
    let caption =
      Markup.text("\(device.name), \(scheme.word) · ")
      + .element("a", [("href", "pages/\(name).html")], .text("page"))
      + .text(" · ") + .element("a", [("href", "pictures/\(name).png")], .text("picture"))
    return Markup.element(
      "figure", [],
      .div("frame \(device.rawValue)", frame) + .element("figcaption", [], caption)
    ).onItsOwnLine
  }

  private static func web(
    _ name: String, _ device: PreviewDevice, _ scheme: ColorScheme
  ) -> Markup {
    let file = "../screenshots/\(name)-\(device.webWidth)-\(scheme.word).png"
    let picture = Markup.element(
      "img",
      [("src", file), ("loading", "lazy"), ("alt", "The web’s screen, \(scheme.word)")])
    let caption = Markup.text("Web, \(device.webWidth) px, \(scheme.word)")
    return Markup.element(
      "figure", [("class", "web")], picture + .element("figcaption", [], caption)
    ).onItsOwnLine
  }
}
