// A fault on demand: what a person or a test asks a running venue to do wrong.

public import MarketModel

/// One fault with its strength and its end.
public struct FaultOrder: Sendable, Equatable {
  /// Which messages a fault befalls.
  public enum Reach: Sendable, Equatable {
    /// The next one that it can befall, on whichever connection; then it is over.
    case next
    /// The one of this number on each connection, from 1.
    case number(Int)
    /// So many of a million, 1 to 1,000,000.
    case chance(perMillion: Int64)
  }

  /// What goes wrong.
  public enum Kind: Sendable, Equatable {
    /// A message is lost, doubled, late by one, cut or changed.
    case message(FaultPlan.Fault, Reach)
    /// So many messages in a row are lost: the next ones, or each connection's from a number on.
    case gap(messages: Int, from: Int?)
    /// Every message comes this many milliseconds later, in order.
    case delay(milliseconds: Int64)
    /// Only answers to pings come, once a connection has sent so many messages.
    case stall(after: Int)
    /// Nothing comes, and nothing that the client sends is read: no answer to pings either.
    case halfOpen(after: Int)
    /// Connections are refused with this status: the next ones, or all when there is no count.
    case refuse(status: Int, count: Int?)
    /// Connections are closed with this code: now, or each once it has sent so many messages.
    case close(code: UInt16, after: Int?)
    /// Connections are cut without a close frame: now, or each once it has sent so many messages.
    case cut(after: Int?)
    /// The times in the venue's messages are this far from the right ones, in milliseconds.
    case clock(milliseconds: Int64)
    /// Each connection gets its latest short message again, so many times a second.
    case flood(perSecond: Int)
  }

  /// What goes wrong.
  public let kind: Kind
  /// For how long, in milliseconds; nil until it is over by itself or cleared.
  public let milliseconds: Int64?

  /// Makes an order; ``FaultSpec`` has the bounds.
  public init(_ kind: Kind, milliseconds: Int64? = nil) {
    self.kind = kind
    self.milliseconds = milliseconds
  }

  /// Whether it goes on until a time or until it is cleared; others are over once they happened.
  var lasts: Bool {
    switch kind {
    case .message(_, .chance), .delay, .stall, .halfOpen, .clock, .flood: true
    case .refuse(_, let count): count == nil
    case .message, .gap, .close, .cut: false
    }
  }
}

/// An order that a venue follows.
public struct RunningFault: Sendable, Equatable {
  /// The order as it was given.
  public let order: FaultOrder
  /// When it ends; nil where that is not known.
  public let end: Timestamp?

  /// Says what goes wrong until when.
  public init(_ order: FaultOrder, end: Timestamp?) { (self.order, self.end) = (order, end) }
}
