import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import VenueCatalogue

@_spi(Host) import SwiftUI

extension PreviewScene {
  /// The price tracker's screens, and links into the app.
  static let tracker: [PreviewScene] = [
    PreviewScene(
      id: "feed", title: "Price tracker: running, some prices have just changed", web: "tracker",
      isForPad: true
    ) { try $0.playPrices() },
    PreviewScene(
      id: "feed-offline", title: "Price tracker: the connection was lost", web: "connections"
    ) { stage in
      try stage.playPrices()
      stage.feeds.pass(12_000)
      stage.feeds.connection(
        .echo, .backingOff, reason: "The connection was closed.", nextAttemptIn: 9000)
      // An outage is shown after two seconds.
      stage.feeds.pass(3000)
    },
    PreviewScene(id: "feed-start", title: "Price tracker: stopped, before the first price") {
      $0.feeds.connection(.echo, .stopped)
    },
    PreviewScene(
      id: "symbol", title: "Stock details", web: "symbol", isForPad: true
    ) { stage in
      try stage.playPrices()
      try stage.host.tap("AAPL")
      stage.feeds.pass(1000)
      try stage.feeds.quote(.echo, "AAPL", "190.06", .up, changes: 3)
    },
    PreviewScene(id: "symbol-unknown", title: "A link to a stock that does not exist") { stage in
      try stage.playPrices()
      try stage.open("stocks://symbol/NOPE")
    },
    PreviewScene(id: "link-lost", title: "A link that leads nowhere") { stage in
      try stage.playPrices()
      try stage.open("stocks://nowhere")
    },
  ]
}

extension Stage {
  /// Every stock has a price, and eight have just changed.
  func playPrices() throws {
    feeds.connection(.echo, .live)
    for stock in StockCatalogue.stocks {
      let move = step(stock.startPriceCents / 60)
      try feeds.quote(
        .echo, stock.symbol.text, Stage.money(stock.startPriceCents + move),
        move > 0 ? .up : .down, changes: 1)
    }
    feeds.pass(1500)
    for (index, stock) in StockCatalogue.stocks.enumerated() where index % 3 == 0 {
      let isUp = index % 2 == 0
      let move = 5 + chance.below(stock.startPriceCents / 90)
      try feeds.quote(
        .echo, stock.symbol.text, Stage.money(stock.startPriceCents + (isUp ? move : -move)),
        isUp ? .up : .down, changes: 2)
    }
  }

  func open(_ link: String) throws {
    guard let url = URL(string: link) else { throw SceneFailure(description: "no link: \(link)") }
    host.open(url)
  }
}
