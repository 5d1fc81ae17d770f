// Pages of people who may see everything and change nothing.

import OrderService

extension TopicServer {
  /// Answers a viewer who asks to change something: an order is refused as such, so that the ticket
  /// says why, and everything else by an error.
  func refuseChange(
    _ request: PageRequest, _ page: PageID
  ) throws(PageRequestError) -> [TopicEffect] {
    let sentence = "This access token is for looking: changes need the other one."
    guard case .orders(let ask) = request else {
      throw PageRequestError(code: "view_only", message: sentence)
    }
    return [.answer(page, ask, .refused(OrderResponse.Refusal(sentence)))]
  }
}

extension PageRequest {
  /// Whether it changes what others see or what is kept.
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

/// The share of a common bound that all viewers together may take.
enum ViewerShare {
  /// Three quarters: the rest is reserved for the access token, so that viewers can't keep it out.
  static func of(_ bound: Int) -> Int { bound - max(1, bound / 4) }
}
