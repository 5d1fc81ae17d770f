/// A person's lists: topic `lists` of docs/page-protocol.md.
public struct MarketListsState: Equatable, Sendable {
  /// The lists.
  public var lists: MarketLists
  /// Why they may not be kept, one clear sentence; nil when they are.
  public var problem: String?

  /// Creates a state.
  public init(_ lists: MarketLists = MarketLists(), problem: String? = nil) {
    (self.lists, self.problem) = (lists, problem)
  }
}
