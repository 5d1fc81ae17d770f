public import MarketModel

/// One fault on demand, requested by a user or a test, with its strength and its end.
public struct FaultOrder: Sendable, Equatable {
  /// The messages that a fault affects.
  public enum Reach: Sendable, Equatable {
    /// The next one that it can affect, on any connection; then the fault is over.
    case next
    /// The one with this number on each connection, from 1.
    case number(Int)
    /// This many of a million, 1 to 1,000,000.
    case chance(perMillion: Int64)
  }

  /// The fault.
  public enum Kind: Sendable, Equatable {
    /// A message is lost, doubled, late by one, cut or changed.
    case message(FaultPlan.Fault, Reach)
    /// This many messages in a row are lost: the next ones, or each connection's from a number on.
    case gap(messages: Int, from: Int?)
    /// Every message comes this many milliseconds later, in order.
    case delay(milliseconds: Int64)
    /// Only pongs come, once a connection has sent this many messages.
    case stall(after: Int)
    /// Nothing comes, and nothing that the client sends is read, so there are no pongs either.
    case halfOpen(after: Int)
    /// Connections are refused with this status: the next ones, or all without a count.
    case refuse(status: Int, count: Int?)
    /// Connections are closed with this code: now, or each once it has sent this many messages.
    case close(code: UInt16, after: Int?)
    /// Connections are cut without a close frame: now, or each once it has sent this many messages.
    case cut(after: Int?)
    /// The times in the venue's messages are wrong by this many milliseconds.
    case clock(milliseconds: Int64)
    /// Each connection gets its latest short message again, this many times a second.
    case flood(perSecond: Int)
  }

  /// The fault.
  public let kind: Kind
  /// The duration in milliseconds; nil until it is over by itself or cleared.
  public let milliseconds: Int64?

  /// Creates an order; ``FaultSpec`` has the bounds.
  public init(_ kind: Kind, milliseconds: Int64? = nil) {
    self.kind = kind
    self.milliseconds = milliseconds
  }

  /// Whether it lasts until a time or until it is cleared; others are over once they happened.
  var lasts: Bool {
    switch kind {
    case .message(_, .chance), .delay, .stall, .halfOpen, .clock, .flood: true
    case .refuse(_, let count): count == nil
    case .message, .gap, .close, .cut: false
    }
  }
}

/// An order in effect.
public struct RunningFault: Sendable, Equatable {
  /// The order as it was given.
  public let order: FaultOrder
  /// When it ends; nil where that is unknown.
  public let end: Timestamp?

  /// Creates a running fault.
  public init(_ order: FaultOrder, end: Timestamp?) { (self.order, self.end) = (order, end) }
}
