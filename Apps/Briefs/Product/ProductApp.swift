import PhoneApp
import SwiftUI

/// A product with its live price.
@main struct ProductApp: App {
  var body: some Scene { LivetapeScene(.product) }
}
