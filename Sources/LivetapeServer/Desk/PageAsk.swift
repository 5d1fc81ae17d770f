// A page's wish about orders, with what its answer must carry so that the page knows it.

import OrderLedger
import PaperTrading

/// What a page asks of the trading desk.
struct PageAsk: Equatable, Sendable {
  /// What it wants.
  let wish: TradingWish
  /// The page's own number of a preview.
  var number: Int64?

  /// The action that asked, as the page protocol names it.
  var action: String {
    switch wish {
    case .place: "order.place"
    case .cancel: "order.cancel"
    case .cancelAll: "orders.cancelAll"
    case .preview: "order.preview"
    }
  }
}
