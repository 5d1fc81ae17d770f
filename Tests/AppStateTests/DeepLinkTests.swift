// PT7: links into the app and paths of the page, valid and hostile.

import MarketModel
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct DeepLinkTests {
  @Test(arguments: [
    "stocks://symbol/AAPL", "STOCKS://Symbol/AAPL", "stocks://symbol/aapl", "stocks://symbol/AAPL/",
    "stocks://symbol/AAPL?from=mail", "stocks://symbol/%41APL", "livetape://symbol/AAPL",
  ])
  func `PT7 a link opens the details of its stock`(link: String) throws {
    #expect(DeepLink.route(link: link) == .symbol(try symbol("AAPL")))
  }

  @Test func `PT7 a link to an unknown symbol leads to a screen that shows it`() throws {
    let route = DeepLink.route(link: "stocks://symbol/NOPE")
    #expect(route == .symbol(try symbol("NOPE")))
    #expect(SymbolScreen(symbol: try symbol("NOPE")).state.details == nil)
  }

  @Test func `PT7 every path of the page leads to its place`() throws {
    let xbt = try symbol("XBTUSD")
    let expected: [(String, Route)] = [
      ("/", .feed), ("/feed", .feed), ("/feed/", .feed),
      ("/symbol/AAPL", .symbol(try symbol("AAPL"))),
      ("/stocks", .stocks), ("/products", .products), ("/markets", .markets),
      ("/product/sb26493", .product(try symbol("sb26493"))), ("/book/XBTUSD", .book(xbt)),
      ("/trades/xbtusd", .trades(xbt)), ("/chart/XBTUSD", .chart(xbt)), ("/exchange", .exchange),
      ("/book/BTC%2FUSD", .book(try symbol("BTC/USD"))),
      ("/trades/btc/usd", .trades(try symbol("BTC/USD"))),
      ("/chart/ETH/BTC/", .chart(try symbol("ETH/BTC"))), ("/book/BTC//USD", .notFound),
      ("/asset/btc/usd", .asset(try #require(Asset(base: "BTC", quote: "USD")))),
      ("/asset/BTC/US%20D", .notFound), ("/asset/BTC", .notFound),
      ("/exchange#top", .exchange), ("/symbol/BRK.B", .symbol(try symbol("BRK.B"))),
    ]
    for (path, route) in expected { #expect(DeepLink.route(path: path) == route, "\(path)") }
  }

  @Test(arguments: [
    "", "symbol/AAPL", "//", "/symbol", "/symbol/", "/symbol//AAPL", "/symbol/AAPL/x", "/nope",
    "/symbol/%", "/symbol/%4", "/symbol/%zz", "/symbol/%20", "/symbol/%00", "/symbol/%ff",
    "/symbol/A%22B", "/symbol/ß", "/symbol/💥", "/product/..", "/product/%2e%2e%2f", "/book/ ",
    "/feed/feed", "/symbol/" + String(repeating: "A", count: 49),
    "/symbol/" + String(repeating: "A", count: 100_000),
  ])
  func `PT7 any other path is not found`(path: String) {
    #expect(DeepLink.route(path: path) == .notFound)
  }

  @Test(arguments: [
    "", "stocks:", "stocks:/symbol/AAPL", "http://symbol/AAPL", "xstocks://symbol/AAPL",
    "stocks://symbol", "stocks://symbol/", "://symbol/AAPL", "javascript:alert(1)//stocks://",
    "stocks:///symbol/AAPL", "stocks://symbol/AAPL/../x",
  ])
  func `PT7 any other link is not found`(link: String) {
    #expect(DeepLink.route(link: link) == .notFound)
  }

  @Test func `PT7 every route's own path and link lead back to it`() throws {
    let odd = try symbol("A/B?C#D%E")
    let routes: [Route] = [
      .feed, .symbol(odd), .stocks, .products, .product(try symbol("sb26493")), .book(odd),
      .trades(odd), .chart(odd), .exchange, .asset(try #require(Asset(base: "BTC", quote: "USD"))),
    ]
    for route in routes {
      #expect(DeepLink.route(path: route.path) == route, "\(route.path)")
      #expect(DeepLink.route(link: route.link) == route, "\(route.link)")
    }
  }

  @Test func `PT7 no distortion of a link traps or yields an invalid symbol`() {
    for text in distortions(of: "stocks://symbol/%41APL?x=1#y") {
      switch DeepLink.route(link: text) {
      case .symbol(let symbol): #expect(symbol.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
      case .notFound, .feed: break
      case let other: Issue.record("\(text) led to \(other)")
      }
    }
  }
}

/// Token names end in a small x, which upper-casing would break.
@Suite struct TokenLinkTests {
  @Test(arguments: [
    ("/book/AAPLx%2FUSD", "AAPLx/USD"), ("/book/AAPLx/USD", "AAPLx/USD"),
    ("/book/Kraken:btc/usd", "kraken:BTC/USD"), ("/book/kraken:aaplx%2Fusd", "kraken:AAPLx/USD"),
    ("/book/aaplx/usd", "AAPLx/USD"), ("/book/NEWx/usd", "NEWx/USD"),
    ("/book/avax/usd", "AVAX/USD"), ("/book/btc/usd", "BTC/USD"), ("/book/x/usd", "X/USD"),
    ("/book/xbtusd", "XBTUSD"),
  ])
  func `a pair is found however it is typed`(_ path: String, _ name: String) throws {
    #expect(DeepLink.route(path: path) == .book(try symbol(name)))
  }
}
