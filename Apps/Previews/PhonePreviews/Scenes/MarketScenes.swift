import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

extension PreviewScene {
  private static let chartSizes: [PreviewDevice: CGSize] = [
    .phone: CGSize(width: 374, height: 537), .pad: CGSize(width: 1008, height: 497),
  ]

  private static let besideSizes: [PreviewDevice: CGSize] = [
    .pad: CGSize(width: 496, height: 497)
  ]

  /// The market's screens: chart, order book and recent trades.
  static let market: [PreviewScene] = [
    PreviewScene(
      id: "book", title: "Order book", web: "book", isForPad: true, chart: besideSizes
    ) { stage in
      try stage.host.tap("Market")
      try stage.playTrades()
      try stage.playBook()
    },
    PreviewScene(id: "markets", title: "All markets", isForPad: true) { stage in
      try stage.open("stocks://markets")
      try stage.playMarkets()
    },
    PreviewScene(id: "markets-search", title: "Markets found as it is typed") { stage in
      try stage.open("stocks://markets")
      try stage.playMarkets()
      try stage.host.search("bit")
      try stage.playMarkets()
    },
    PreviewScene(id: "book-resyncing", title: "Order book while it resyncs") { stage in
      try stage.host.tap("Market")
      try stage.playBook()
      stage.feeds.pass(5000)
      try stage.playBook(.resyncing)
      try stage.host.tap("Qty in XBT")
    },
    PreviewScene(
      id: "trades", title: "Recent trades", web: "trades", isForPad: true, chart: besideSizes
    ) { stage in
      try stage.host.tap("Market")
      try stage.playTrades()
      try stage.host.choose("Recent Trades", in: "List")
      try stage.playTape()
    },
    PreviewScene(
      id: "chart", title: "Chart with the crosshair", web: "chart", isForPad: true,
      chart: chartSizes
    ) { stage in
      let past = PlayedPast(about: stage.bitcoin)
      stage.feeds.connection(.kraken, .live)
      stage.feeds.openHistory(of: .kraken, answer: past.answer)
      try stage.open("stocks://chart/BTC/USD")
      try stage.feeds.begin(.kraken, "BTC/USD", of: past)
      try stage.feeds.play(150_000, .kraken, "BTC/USD", of: past)
      try stage.playDay("BTC/USD", last: past.price(at: stage.feeds.milliseconds / 10_000 * 10_000))
      stage.host.render()
      try stage.host.tap("chart", at: CGPoint(x: stage.host.size.width * 0.55, y: 150))
      let chart = stage.app.model.charts.chart(.kraken, try symbol("BTC/USD"))
      guard chart?.crosshair != nil else {
        throw SceneFailure(description: "a tap on the chart brings no crosshair")
      }
    },
    PreviewScene(
      id: "chart-line", title: "Chart as a line, with an interruption", chart: chartSizes
    ) { stage in
      try stage.host.tap("Market")
      try stage.host.choose("Chart", in: "List")
      try stage.host.choose("Line", in: "Style")
      try stage.playTrades(90)
      stage.feeds.connection(.bitmex, .backingOff)
      stage.feeds.pass(20_000)
      stage.feeds.connection(.bitmex, .live)
      try stage.playTrades(60)
    },
    PreviewScene(
      id: "chart-day", title: "A day of which minutes were seen", chart: chartSizes
    ) { stage in
      let past = PlayedPast(about: stage.bitcoin)
      stage.feeds.connection(.bitmex, .live)
      stage.feeds.openHistory(of: .bitmex) { _, _, _ in .failure(.unavailable("no answer")) }
      try stage.open("stocks://chart/XBTUSD")
      try stage.feeds.begin(.bitmex, "XBTUSD", of: past)
      try stage.feeds.play(190_000, .bitmex, "XBTUSD", of: past)
      try stage.host.choose("1d", in: "Interval")
      stage.feeds.pass(1000)
    },
    PreviewScene(id: "asset", title: "An asset at all venues", isForPad: true) { stage in
      for venue in [Venue.okx, .bybit, .binance] { stage.feeds.connection(venue, .live) }
      try stage.open("stocks://asset/BTC/USDT")
      try stage.feeds.pairBook(.okx, "BTC-USDT", bids: [(642_110, 16)], asks: [(642_111, 2121)])
      try stage.feeds.pairBook(.bybit, "BTCUSDT", bids: [(642_137, 1)], asks: [(642_146, 155)])
      try stage.feeds.pairBook(
        .binance, "BTCUSDT", bids: [(642_126, 6)], asks: [(642_127, 107)], .resyncing)
    },
    PreviewScene(
      id: "market-ticket", title: "A spot market's ticket over its chart", isForPad: true,
      chart: [.phone: CGSize(width: 374, height: 537), .pad: CGSize(width: 342, height: 440)]
    ) { stage in
      try await stage.openPair()
      try stage.host.tap("Buy BTC/USD")
      try stage.host.type("0.75", into: "Quantity")
      try await stage.wait(for: "0.75 × ")
    },
    PreviewScene(
      id: "market-orders", title: "Orders and positions of two markets", chart: chartSizes,
      isAtEnd: true
    ) { stage in
      try await stage.openExchange(ticks: 20)
      try await stage.place("preview-1", .buy, "100")
      try await stage.place("preview-2", .sell, "900", limit: "49.50")
      try await stage.openPair()
      try await stage.place("preview-3", .buy, "0.5", in: "kraken:BTC/USD")
      try await stage.place("preview-4", .buy, "0.25", limit: "65000", in: "kraken:BTC/USD")
      try stage.host.tap("Sell BTC/USD")
      try await stage.wait(for: "Open orders (2)")
    },
    PreviewScene(
      id: "market-alerts", title: "Price alerts, one of which has fired", isForPad: true,
      chart: chartSizes
    ) { stage in
      try await stage.openPair()
      try stage.host.tap("Price alerts")
      for price in ["65600", "66000"] {
        try stage.host.type(price, into: "Price")
        try stage.host.tap("Add alert")
      }
      try stage.playPair(65_580)
      try stage.playPair(65_610)
    },
    PreviewScene(id: "market-unknown", title: "A link to an instrument that does not exist") {
      try $0.open("stocks://book/NOPE")
    },
  ]
}

extension Stage {
  /// A Kraken pair's day figures, as the venue reports them; the price in tenths.
  func playDay(_ name: String, last: Int64) throws {
    let scale = Scale(clamping: 1)
    let change = last / 250 * (1 + step(5))
    try feeds.figures(.kraken, name) {
      $0.last = FixedDecimal(units: last, scale: scale)
      $0.change = FixedDecimal(units: change, scale: scale)
      $0.high = FixedDecimal(units: last + last / 90, scale: scale)
      $0.low = FixedDecimal(units: last - last / 60, scale: scale)
      $0.vwap = FixedDecimal(units: last - last / 700, scale: scale)
      $0.volume = FixedDecimal(units: 341_279_450_913, scale: Scale(clamping: 8))
      ($0.direction, $0.changes) = (change < 0 ? .down : .up, 1)
    }
  }

  /// Kraken's BTC/USD with a chart, a book and the orders loaded.
  func openPair() async throws {
    let past = PlayedPast(about: bitcoin)
    feeds.connection(.kraken, .live)
    feeds.openHistory(of: .kraken, answer: past.answer)
    try open("stocks://chart/BTC/USD")
    try feeds.begin(.kraken, "BTC/USD", of: past)
    try feeds.play(150_000, .kraken, "BTC/USD", of: past)
    let price = past.price(at: feeds.milliseconds / 10_000 * 10_000)
    try feeds.pairBook(
      .kraken, "BTC/USD", bids: [(price - 5, 350), (price - 10, 1200)],
      asks: [(price + 5, 400), (price + 10, 900)])
    try await wait(for: "orders") { app.model.trading.orders.isLoaded }
  }

  /// A trade of Kraken's BTC/USD at a price in dollars.
  func playPair(_ price: Int64) throws {
    traded += 1
    let trade = Trade(
      price: Price(units: price * 10), size: Quantity(units: 20), side: .buy,
      time: Timestamp(milliseconds: feeds.milliseconds),
      arrival: UInt64(feeds.milliseconds) + traded)
    feeds.happen(
      MarketKey(.kraken, .trades, try symbol("BTC/USD")),
      .trade(trade, priceScale: Scale(clamping: 1), quantityScale: Scale(clamping: 3)))
    host.render()
  }

  /// Kraken's listing, with prices for most rows.
  func playMarkets() throws {
    feeds.connection(.kraken, .live)
    try feeds.listing()
    for (name, price) in [
      ("BTC/USD", bitcoin), ("ETH/USD", 24_561), ("SOL/USD", 1387), ("BTC/EUR", 559_820),
    ] {
      try playDay(name, last: price)
      feeds.pass(400)
    }
  }

  /// A BitMEX book of 20 levels a side.
  func playBook(_ status: BookStatus = .synced) throws {
    feeds.connection(.bitmex, .live)
    func side(from price: Int64, by tick: Int64) -> [(Int64, Int64)] {
      var price = price
      return (0..<20).map { _ in
        defer { price += tick * (1 + chance.below(3)) }
        return (price, 100 * (1 + chance.below(60)) * (chance.below(6) == 0 ? 9 : 1))
      }
    }
    try feeds.book(bids: side(from: bitcoin, by: -5), asks: side(from: bitcoin + 5, by: 5), status)
  }

  /// The latest 30 trades, the newest of which has just arrived.
  func playTape() throws {
    feeds.connection(.bitmex, .live)
    var price = bitcoin
    let trades = (1...31).map { index in
      let isBuy = chance.below(2) == 0
      price += step(2) * 5
      return Trade(
        price: Price(units: price), size: Quantity(units: 100 * (1 + chance.below(80))),
        side: isBuy ? .buy : .sell,
        time: Timestamp(milliseconds: feeds.milliseconds - 40_000 + Int64(index) * 1300),
        arrival: traded + UInt64(index))
    }
    try feeds.tape(Array(trades.prefix(30).reversed()))
    host.render()
    // The flashes of those have ended when the newest arrives.
    feeds.pass(1000)
    try feeds.tape(Array(trades.suffix(30).reversed()))
  }

  /// Minutes of trades, one after the other.
  func playTrades(_ count: Int = 220) throws {
    feeds.connection(.bitmex, .live)
    let tape = MarketKey(.bitmex, .trades, try symbol("XBTUSD"))
    var price = bitcoin
    for _ in 0..<count {
      traded += 1
      price += step(40) * 5 + (traded % 70 < 38 ? 15 : -20)
      let trade = Trade(
        price: Price(units: price), size: Quantity(units: 100 * (1 + chance.below(40))),
        side: chance.below(2) == 0 ? .buy : .sell,
        time: Timestamp(milliseconds: feeds.milliseconds), arrival: traded)
      feeds.happen(
        tape, .trade(trade, priceScale: Scale(clamping: 1), quantityScale: .whole))
      try feeds.tape([trade])
      feeds.pass(1300)
    }
    bitcoin = price
  }
}
