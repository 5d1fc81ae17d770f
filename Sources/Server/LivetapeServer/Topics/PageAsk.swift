package import OrderService
import PaperTrading

/// A page's command about orders, with what its response must contain for the page to match it.
package struct PageAsk: Equatable, Sendable {
  /// The command.
  package let command: ClientCommand
  /// The page's number of a preview.
  var number: Int64?
  /// Whether the page may have sent it before, so that it may already have been executed.
  package var isRepeat = false

  var action: String {
    switch command {
    case .place: "order.place"
    case .amend: "order.amend"
    case .cancel: "order.cancel"
    case .cancelAll: "orders.cancelAll"
    case .preview: "order.preview"
    }
  }
}
