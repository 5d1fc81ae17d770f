// LT13: a person's own lists as a screen. What is changed goes to the service that stores them, and
// comes back for every screen alike.

public import MarketModel

/// A person's lists: topic `lists` of docs/page-protocol.md.
public struct MarketListsState: Equatable, Sendable {
  /// The lists.
  public var lists: MarketLists
  /// Why they may not be kept, one clear sentence; nil when they are.
  public var problem: String?

  /// Puts a state together.
  public init(_ lists: MarketLists = MarketLists(), problem: String? = nil) {
    (self.lists, self.problem) = (lists, problem)
  }
}

/// A person's lists.
public struct MarketListsScreen: Screen {
  /// The lists now.
  public private(set) var state = MarketListsState()
  /// Nothing.
  public let wanted: Set<MarketKey> = []

  /// Starts with the stars alone, until the lists have been read.
  public init() {}

  /// Takes the lists from the service that stores them.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .lists(let lists) = input { state = lists }
    return []
  }

  /// Changes go to the service that stores the lists.
  public typealias Action = Never
}
