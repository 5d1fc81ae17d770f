import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// PD1: the product list and its details.
struct ProductsTab: View {
  let feeds: FeedClient
  @ObservedObject var router: Router

  var body: some View {
    NavigationStack(path: $router.products) {
      ProductChooser(router: router)
        .navigationDestination(for: Route.self) { route in
          if case .product(let identifier) = route {
            // Gives another product a new screen, also when it replaces this one.
            ProductView(identifier: identifier, feeds: feeds).id(identifier)
          }
        }
    }
  }
}

struct ProductChooser: View {
  @ObservedObject var router: Router
  @State private var typed = ""
  @State private var isWrong = false

  var body: some View {
    List {
      Section("Products") {
        ForEach(ProductCatalogue.choices, id: \.identifier) { choice in
          NavigationLink(value: Route.product(choice.identifier)) {
            LabeledContent {
              Text(choice.identifier.text).foregroundStyle(.secondary)
            } label: {
              Text(choice.name)
            }
          }
        }
      }
      .textCase(nil)
      Section("Another product") {
        TextField("Product identifier", text: $typed)
          .typedAsItIs()
          .onSubmit { open() }
        if isWrong {
          Text("This is not a product identifier. They look like sb26493.")
            .foregroundStyle(.secondary)
        }
        Button("Show product") { open() }.disabled(typed.isEmpty)
      }
      .textCase(nil)
    }
    .navigationTitle("Products")
    .onChange(of: typed) { isWrong = false }
  }

  private func open() {
    guard let identifier = ProductCatalogue.identifier(typed) else {
      isWrong = true
      return
    }
    router.products = [.product(identifier)]
  }
}
