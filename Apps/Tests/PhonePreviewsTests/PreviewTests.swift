import AppState
import Foundation
import MarketModel
import PhoneApp
import PhoneStores
import PhoneAppFixtures
import PhoneStoresFixtures
import PhonePreviews
import Testing
import VenueCatalogue

@MainActor @Suite struct PreviewTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized
  private static let made = Task { try await PreviewBook.pages() }

  private func pages() async throws -> [PreviewPage] { try await Self.made.value }

  @Test func `every word of a screen's tree is on its page`() async throws {
    for page in try await pages() {
      #expect(page.texts.count > 2, "\(page.name)")
      for text in page.texts {
        #expect(
          page.html.contains(">\(PreviewBook.escaped(text))<"), "\(page.name) lacks “\(text)”")
      }
      if let title = page.title {
        // The view in the title's place has to show the title.
        let end = page.html.contains(#"<div class="row principal">"#) ? "<" : "</h1>"
        #expect(
          page.html.contains(">\(PreviewBook.escaped(title))\(end)"), "\(page.name): its title")
      }
    }
  }

  @Test func `every picture of the system is drawn, none is left as its name`() async throws {
    for page in try await pages() {
      #expect(!page.html.contains("symbol unknown"), "\(page.name): add it to Symbols")
    }
  }

  @Test func `no screen does what SwiftUI would complain about`() async throws {
    for page in try await pages() {
      #expect(page.complaints.isEmpty, "\(page.name)")
    }
  }

  @Test func `every screen is drawn for a phone in light and dark`() async throws {
    let names = Set(try await pages().map(\.name))
    for name in names where name.contains("-light") {
      #expect(names.contains(name.replacing("-light", with: "-dark")))
      #expect(names.contains(name.replacing("-pad-", with: "-phone-")))
    }
  }

  @Test func `every place that the app can go to is among the previews`() async throws {
    let places = Set(try await pages().compactMap(\.place))
    let router = Router()
    for route in try Self.routes() {
      router.go(to: route)
      guard !router.isLost else { continue }
      let place = PreviewBook.place(router)
      #expect(places.contains(place), "\(route): add a scene")
    }
    let tabs = Set(places.map(\.tab))
    for tab in Self.tabs { #expect(tabs.contains(tab), "\(tab): add a scene") }
    let titles = Set(try await pages().compactMap(\.title))
    for title in try Self.writtenTitles() { #expect(titles.contains(title), "\(title)") }
  }

  @Test func `every view with a title of its own is among the previews`() async throws {
    let views = try await pages().reduce(into: Set<String>()) { $0.formUnion($1.views) }
    let screens = try Self.sources().flatMap { text in
      text.matches(of: /\.navigationTitle\(/).compactMap { title in
        text[..<title.range.lowerBound].matches(of: /struct (\w+)[^{]*: View \{/).last
          .map { String($0.1) }
      }
    }
    #expect(screens.count >= 14)
    for screen in screens { #expect(views.contains(screen), "\(screen): add a scene") }
  }

  /// One of each kind; the switch makes a new kind an error here.
  private static func routes() throws -> [Route] {
    let symbol = try #require(Symbol("XBTUSD"))
    let routes: [Route] = [
      .feed, .symbol(symbol), .products, .product(symbol), .markets,
      .asset(try #require(Asset(base: "BTC", quote: "USDT"))), .book(symbol), .trades(symbol),
      .chart(symbol), .exchange, .orders, .stocks, .notFound,
    ]
    for route in routes {
      switch route {
      case .feed, .symbol, .products, .product, .markets, .asset, .book, .trades, .chart,
        .exchange, .orders, .stocks, .notFound:
        continue
      }
    }
    return routes
  }

  private static let tabs: [AppTab] = {
    let all: [AppTab] = [.tracker, .market, .exchange, .products, .settings]
    for tab in all {
      switch tab {
      case .tracker, .market, .exchange, .products, .settings: continue
      }
    }
    return all
  }()

  /// The text of each of the app's files.
  private static func sources() throws -> [String] {
    let folder = root.appending(path: "Apps/PhoneApp").path
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
    }
  }

  private static func writtenTitles() throws -> [String] {
    let titles = try sources().flatMap { text in
      text.matches(of: #/\.navigationTitle\("([^"\\]+)"\)/#).map { String($0.1) }
    }
    #expect(titles.count >= 5, "the source was not found")
    return titles
  }

  @Test(arguments: ["de", "nl"])
  func `no screen has an English text in another language`(language: String) async throws {
    let pages = try await PreviewBook.pages(in: Locale(identifier: language))
    // Names, and what the fixtures' venues say.
    let foreign: Set = [
      "Livetape", "VWAP", "No such text of {0}", "The connection was closed.",
      "The access token has expired.",
    ]
    #expect(AppTexts.missing.subtracting(foreign) == [])
    let own = Set(AppTexts.texts.values.compactMap { $0[language] })
    let english = Set(AppTexts.texts.keys).subtracting(own)
    // The watchlist follows the system's language.
    for page in pages where page.place != nil {
      #expect(english.intersection(page.texts) == [], "\(page.name)")
    }
  }

  @Test func `the same previews come out every time`() async throws {
    let again = try await PreviewBook.pages()
    for (first, second) in zip(try await pages(), again) where first.html != second.html {
      Issue.record("\(first.name) differs between two runs")
    }
  }

  @Test func `every file that the index names is there`() async throws {
    let files = try PreviewBook.files(try await pages())
    let folder = Self.root.appending(path: ".build/ios-previews")
    let index = try #require(files["index.html"])
    let names = index.matches(of: #/(?:src|href)="([^"#]+)"/#).map { String($0.1) }
    #expect(names.count > 200)
    let pictures = Set(try await pages().map { "pictures/\($0.name).png" })
    // `make screenshots` takes the page's pictures, of the screens that its script lists.
    let script = Self.root.appending(path: "Tests/BrowserTests/screenshots.py").path
    let screens = try String(contentsOfFile: script, encoding: .utf8)
    for name in Set(names) where files[name] == nil && !pictures.contains(name) {
      if let match = name.wholeMatch(of: #/\.\./screenshots/(.+)-(360|820)-(light|dark)\.png/#) {
        #expect(screens.contains("    \"\(match.1)\": (\""), "\(name)")
        continue
      }
      let path = folder.appending(path: name).standardized.path
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
    }
  }
}
