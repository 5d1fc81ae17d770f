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
    .phone: CGSize(width: 374, height: 158), .pad: CGSize(width: 486, height: 462),
  ]

  /// The exchange's screens: price, chart, ticket, orders, history.
  static let exchange: [PreviewScene] = [
    PreviewScene(
      id: "exchange", title: "Exchange with chart and ticket", web: "exchange", isForPad: true,
      chart: chartSizes
    ) { stage in
      try await stage.openExchange()
      try stage.host.type("100", into: "Quantity")
      try await stage.wait(for: "60 × ")
    },
    PreviewScene(
      id: "ticket", title: "A limit order with a slip in it", web: "ticket", chart: chartSizes
    ) { stage in
      try await stage.openExchange()
      try stage.host.choose("Sell", in: "Side")
      try stage.host.choose("Limit", in: "Kind of order")
      try stage.host.type("1.5", into: "Quantity")
      try stage.host.type("46.10", into: "Limit price")
      try await stage.wait(for: "must be a multiple of 1")
    },
    PreviewScene(
      id: "ticket-review", title: "The review of an order; the market has moved since",
      web: "ticket", isForPad: true, chart: chartSizes
    ) { stage in
      try await stage.review("100")
      try stage.tick(askSize: 12)
    },
    PreviewScene(
      id: "receipt", title: "What came of the order", web: "ticket", chart: chartSizes
    ) { stage in
      try await stage.review("100")
      try stage.host.tap("Place buy order")
      try await stage.wait(for: "PARTIALLY FILLED · 60 of 100")
      try await stage.wait(for: "the position") {
        stage.app.model.trading.positions.quantity == FixedDecimal("60")
      }
    },
    PreviewScene(
      id: "open-orders", title: "Open orders, and news of others", web: "exchange",
      isForPad: true, chart: chartSizes, isAtEnd: true
    ) { stage in
      try await stage.openExchange()
      try await stage.placeOrders()
      try await stage.wait(for: "Open orders (2)")
    },
    PreviewScene(
      id: "exchange-offline", title: "Exchange: the feed is away",
      chart: [.phone: CGSize(width: 374, height: 110)]
    ) { stage in
      try await stage.openExchange()
      stage.feeds.pass(9000)
      stage.feeds.connection(
        .exchange, .backingOff, reason: "The connection was closed.", nextAttemptIn: 8000)
      stage.feeds.pass(3000)
    },
    PreviewScene(
      id: "orders", title: "Order history", web: "orders", isForPad: true
    ) { stage in
      try await stage.openExchange(ticks: 20)
      try await stage.placeOrders()
      try stage.host.tap("Order history")
      try await stage.wait(for: "Ledger intact")
    },
    PreviewScene(id: "order", title: "An order’s receipt") { stage in
      try await stage.openExchange(ticks: 20)
      try await stage.placeOrders()
      try stage.host.tap("Order history")
      try await stage.wait(for: "Ledger intact")
      let names = stage.host.all.compactMap { $0.attributes[.accessibilityLabel] }
      guard let first = names.first(where: { $0.hasPrefix("Order 1:") }) else {
        throw SceneFailure(description: "the history has no order 1: \(names)")
      }
      try stage.host.tap(first)
    },
    PreviewScene(id: "orders-none", title: "Order history before the first order") { stage in
      try await stage.openExchange(ticks: 2)
      try stage.host.tap("Order history")
      try await stage.wait(for: "Ledger intact")
    },
  ]

  static let settings: [PreviewScene] = [
    PreviewScene(id: "first-launch", title: "First launch") { stage in
      stage.app.session.model = nil
    },
    PreviewScene(id: "markets", title: "Market data: an own server") { stage in
      try stage.host.tap("Settings")
      try stage.host.tap("Market data")
      try stage.host.type("http://192.168.1.2:8090", into: "Server address")
    },
    PreviewScene(id: "settings", title: "Settings", isForPad: true) { stage in
      for venue in [Venue.echo, .kraken, .exchange] { stage.feeds.connection(venue, .live) }
      stage.feeds.connection(.bux, .refused, reason: "The access token has expired.")
      try stage.host.tap("Settings")
    },
    PreviewScene(id: "settings-token", title: "Settings: a token was saved") { stage in
      try stage.host.tap("Settings")
      try stage.host.type("preview.token", into: "Access token")
      try stage.host.tap("Save token")
    },
  ]
}

extension Stage {
  func review(_ quantity: String) async throws {
    try await openExchange()
    try host.type(quantity, into: "Quantity")
    try await wait(for: "60 × ")
    try host.tap("Review buy order")
    feeds.pass(400)
  }

  /// A partly cancelled fill, two open orders, and a cancelled one.
  func placeOrders() async throws {
    try await place("preview-1", .buy, "100")
    try await next()
    try await place("preview-2", .buy, "20")
    try await next()
    try await place("preview-3", .sell, "900", limit: "30.00")
    try await next()
    try await place("preview-4", .sell, "150", limit: "49.50")
    try await next()
    try await place("preview-5", .buy, "8", limit: "40.00")
    guard let last = app.model.trading.orders.rows.first?.id else {
      throw SceneFailure(description: "no orders")
    }
    app.model.trading.cancel(last)
    try await wait(for: "the cancellation") {
      app.model.trading.orders.rows.first?.isOpen == false
    }
  }

  /// Half a minute later, with a tick.
  private func next() async throws {
    feeds.pass(30_000)
    try tick()
    try await settleOrders()
  }
}
