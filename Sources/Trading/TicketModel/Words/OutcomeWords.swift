// What came of an order that was sent, as far as this device knows. News of the order service and
// the order's line in the history say more, and come first.

/// An outcome in words.
public struct OutcomeWords: Sendable {
  /// A button of the outcome.
  public enum Button: Hashable, Sendable {
    /// Send it again after all.
    case insist
    /// Leave it.
    case abandon
    /// Back to what was refused.
    case edit
    /// On to the next order.
    case next

    /// The word on it.
    public var label: String {
      switch self {
      case .insist: "Send it again"
      case .abandon: "Leave it"
      case .edit: "Edit"
      case .next: "New order"
      }
    }
  }

  /// The word of its state: "SENT".
  public let status: String
  /// What is to be said when there is no news of the order.
  public let text: String
  /// Whether nothing else may be said: the order service knows nothing of it yet.
  public let isOwnWord: Bool
  /// What is said as well when it had arrived before.
  public let repeated: String?
  /// Its buttons, the main one first.
  public let buttons: [Button]
  /// Whether the person has to look.
  public let isAlarming: Bool
}

extension Ticket {
  /// What came of the order; nil while none was sent.
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
        ? "It had arrived the first time; nothing was ordered twice." : nil,
      buttons: buttons,
      isAlarming: sent.state == .rejected || sent.state == .unsent || sent.state == .doubtful)
  }

  private func status(of state: SentOrder.State) -> String {
    switch state {
    case .waiting: "SENT"
    case .placed: "PLACED"
    case .rejected: "REJECTED"
    case .unsent: "NOT SENT"
    case .doubtful: "NOT KNOWN"
    case .abandoned: "LEFT"
    }
  }

  private func sentence(_ sent: SentOrder) -> String {
    switch sent.state {
    case .waiting where facts.isOnline: "Sent; waiting for the answer."
    case .waiting:
      "Sent; waiting for the answer. The connection is gone. It will be asked for under the same "
        + "name, so it can’t become two orders."
    case .placed: sent.identifier.map { "Order \($0) is placed." } ?? "The order is placed."
    case .rejected: sent.message ?? "The order was rejected."
    case .unsent: "There was no connection, so nothing was sent."
    case .doubtful:
      "No answer came for two minutes, and the history does not show the order. The market has "
        + "moved on, so it is not sent again without your word."
    case .abandoned:
      "It will not be sent again. Should it have arrived after all, the history shows it."
    }
  }
}
