/// Orders by number, in chunks: a change of a list that is shared with a copy copies one chunk
/// instead of all orders.
public struct OrderList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  private static let chunkSize = 128

  private var chunks: [[Order]] = []
  /// The number of orders.
  public private(set) var endIndex = 0

  /// Creates a list.
  public init(arrayLiteral orders: Order...) {
    for order in orders { append(order) }
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The order at an index; the first one is at 0.
  public internal(set) subscript(index: Int) -> Order {
    get { chunks[index / Self.chunkSize][index % Self.chunkSize] }
    _modify { yield &chunks[index / Self.chunkSize][index % Self.chunkSize] }
  }

  mutating func append(_ order: Order) {
    if endIndex % Self.chunkSize == 0 { chunks.append([]) }
    chunks[endIndex / Self.chunkSize].append(order)
    endIndex += 1
  }
}
