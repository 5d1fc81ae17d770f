// A page's command about orders, with what its response must carry so that the page knows it.

package import OrderService
import PaperTrading

/// What a page asks of the order service.
package struct PageAsk: Equatable, Sendable {
  /// What it asks for.
  package let command: ClientCommand
  /// The page's own number of a preview.
  var number: Int64?
  /// Whether the page may have sent it before: nobody can say that nothing was ordered then.
  package var isRepeat = false

  /// The action that asked, as the page protocol names it.
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
