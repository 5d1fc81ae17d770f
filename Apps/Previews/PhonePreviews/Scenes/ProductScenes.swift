import AppState
import Foundation
import MarketModel
import PhoneAppFixtures
import PhoneStoresFixtures
import VenueProtocols

@_spi(Host) import SwiftUI

extension PreviewScene {
  /// The products' screens: chosen, loading, live, stale, rejected.
  static let products: [PreviewScene] = [
    PreviewScene(
      id: "products", title: "Choosing a product", web: "products", isForPad: true
    ) { stage in try stage.host.tap("Products") },
    PreviewScene(id: "products-wrong", title: "What was typed is no identifier") { stage in
      try stage.host.tap("Products")
      try stage.host.type("no/product", into: "Product identifier")
      try stage.host.submit("Product identifier")
    },
    PreviewScene(id: "product-loading", title: "A product while it loads") { stage in
      try stage.host.tap("Products")
      try stage.host.tap("Germany 30")
    },
    PreviewScene(id: "product", title: "A product, live", web: "product", isForPad: true) { stage in
      try await stage.openProduct()
      stage.feeds.pass(1500)
      try stage.feeds.quote(.bux, "sb26493", "18263.5", .up, changes: 2)
    },
    PreviewScene(id: "product-stale", title: "A product after the socket dropped") { stage in
      try await stage.openProduct()
      stage.feeds.pass(5000)
      stage.feeds.connection(
        .bux, .backingOff, reason: "The connection was closed.", nextAttemptIn: 9000)
      // An outage is shown after two seconds.
      stage.feeds.pass(3000)
    },
    PreviewScene(id: "product-refused", title: "A product with an expired token") { stage in
      try await stage.failProduct("AUTH_008")
    },
    PreviewScene(id: "product-error", title: "An error that trying again may cure") { stage in
      try await stage.failProduct("TRADING_002")
    },
  ]
}

extension Stage {
  /// Germany 30 with its first quote.
  func openProduct() async throws {
    let germany = try symbol("sb26493")
    feeds.answer(
      germany,
      .success(
        Product(
          identifier: germany, symbol: "GERMANY30", displayName: "Germany 30", currency: "EUR",
          decimals: Scale(clamping: 1), currentPrice: try PhoneStoresFixtures.decimal("18245.0"),
          closingPrice: try PhoneStoresFixtures.decimal("18172.5"), isMarketOpen: true)))
    feeds.connection(.bux, .live)
    try host.tap("Products")
    try host.tap("Germany 30")
    try await wait(for: "GERMANY30")
    try feeds.quote(.bux, "sb26493", "18251.0", .up, changes: 1)
  }

  func failProduct(_ code: String) async throws {
    guard let failure = BuxErrorResponse.known(code) else {
      throw SceneFailure(description: "BUX has no code \(code)")
    }
    feeds.answer(try symbol("sb26493"), .failure(failure))
    try host.tap("Products")
    try host.tap("Germany 30")
    try await wait(for: "No product")
  }
}
