public import MarketModel

/// Order result as text, as far as this device has it.
///
/// Notices of the order service and the order's row in the history are more specific and take
/// precedence.
public struct OutcomeWords: Sendable {
  /// A button of the outcome.
  public enum Button: Hashable, Sendable {
    case insist
    case abandon
    case edit
    case next

    /// The button's label.
    public var label: Sentence {
      switch self {
      case .insist: "Resend"
      case .abandon: "Don’t resend"
      case .edit: "Edit"
      case .next: "New order"
      }
    }
  }

  /// The state, such as "SENT".
  public let status: Sentence
  /// The text to show when there is no notice of the order.
  public let text: Sentence
  /// Whether this text must be shown, because the order service has no confirmed state yet.
  public let isOwnWord: Bool
  /// An additional text if the order had already arrived.
  public let repeated: Sentence?
  /// The buttons, primary one first.
  public let buttons: [Button]
  /// Whether the user's attention is needed.
  public let isAlarming: Bool
}

extension Ticket {
  /// The order's result; nil if none was sent.
  public var outcome: OutcomeWords? {
    guard phase == .sent, let sent else { return nil }
    let buttons: [OutcomeWords.Button] =
      switch sent.state {
      case .waiting: []
      case .placed, .abandoned: [.next]
      case .rejected, .unsent: [.edit, .next]
      case .doubtful: [.insist, .abandon]
      }
    let isKnown = sent.state == .placed || sent.state == .rejected
    return OutcomeWords(
      status: status(of: sent.state), text: sentence(sent), isOwnWord: !isKnown,
      repeated: sent.isRepeated
        ? "It arrived the first time. No duplicate was placed." : nil,
      buttons: buttons,
      isAlarming: sent.state == .rejected || sent.state == .unsent || sent.state == .doubtful)
  }

  private func status(of state: SentOrder.State) -> Sentence {
    switch state {
    case .waiting: "SENT"
    case .placed: "PLACED"
    case .rejected: "REJECTED"
    case .unsent: "NOT SENT"
    case .doubtful: "NOT KNOWN"
    case .abandoned: "LEFT"
    }
  }

  private func sentence(_ sent: SentOrder) -> Sentence {
    switch sent.state {
    case .waiting where facts.isOnline: "Sent; waiting for the answer."
    case .waiting:
      """
      Sent; waiting for the answer. The connection is gone. It will be asked for under the same \
      name, so it can’t become two orders.
      """
    case .placed: sent.identifier.map { "Order \($0) is placed." } ?? "The order is placed."
    case .rejected: sent.message ?? "The order was rejected."
    case .unsent: "There was no connection, so nothing was sent."
    case .doubtful:
      """
      No answer came for two minutes, and the history does not show the order. The market has \
      moved. Send it again?
      """
    case .abandoned:
      "It will not be sent again. Should it have arrived after all, the history shows it."
    }
  }
}
