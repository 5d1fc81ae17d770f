import MarketModel
import OrderService

extension TopicServer {
  /// Rejects a viewer's change: an order as such, so that the ticket shows the reason, anything
  /// else with an error.
  func refuseChange(
    _ request: PageRequest, _ page: PageID
  ) throws(PageRequestError) -> [TopicEffect] {
    let sentence: Sentence = "This access token is for looking: changes need the other one."
    guard case .orders(let ask) = request else {
      throw PageRequestError(code: "view_only", message: sentence)
    }
    return answer(.refused(OrderResponse.Refusal(sentence)), ask, page)
  }
}

extension PageRequest {
  /// Whether it changes shared or stored state.
  var changesSomething: Bool {
    switch self {
    case .topics, .ping, .frames, .documents, .measured: return false
    case .orders(let ask):
      if case .preview = ask.command { return false }
      return true
    case .action, .lists, .alerts, .faults: return true
    }
  }
}

/// The share of a common limit that all viewers together may use.
enum ViewerShare {
  /// Three quarters; the rest is reserved for the access token, so that viewers can't block it.
  static func of(_ bound: Int) -> Int { bound - max(1, bound / 4) }
}
