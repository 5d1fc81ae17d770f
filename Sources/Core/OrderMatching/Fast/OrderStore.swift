/// 32 bytes, two to a cache line; the book derives the side from the price.
struct OrderNode: BitwiseCopyable {
  var id: UInt64 = 0
  var quantity: Int32 = 0
  var price: Int32 = 0
  /// The order before it, or 0.
  var previous: UInt32 = 0
  /// The order behind it, or 0; in a free place, the next free one.
  var next: UInt32 = 0
  /// The next order in the same index chain, or 0.
  var chain: UInt32 = 0
  var trader: UInt32 = 0
}

/// Order nodes by ID; place 0 is never used and means "none".
///
/// Freed places are reused first. The index is a table of chains through the nodes, hashed with
/// nearly the ID itself: exchanges count IDs up, so new ones fall on adjacent cached entries. Open
/// addressing with a mixing hash misses the cache and measured a tenth slower. Other ID patterns
/// collide more often: slower, never wrong.
struct OrderStore: ~Copyable {
  private(set) var count = 0
  private(set) var nodes: Slab<OrderNode>
  /// The first place of each chain, or 0; the count is a power of two.
  private var heads: Slab<UInt32>
  private var freePlace: UInt32 = 0
  /// Places from here on have never been used.
  private var untouched: UInt32 = 1

  /// Has room for 1,023 orders before it first grows.
  init() {
    nodes = Slab(repeating: OrderNode(), count: 1 << 10)
    heads = Slab(repeating: 0, count: 1 << 12)
  }

  init(copying other: borrowing OrderStore) {
    count = other.count
    nodes = Slab(copying: other.nodes)
    heads = Slab(copying: other.heads)
    freePlace = other.freePlace
    untouched = other.untouched
  }

  /// The place of an order; 0 when the ID is unknown.
  @inline(__always)
  func place(of id: UInt64) -> UInt32 {
    var place = heads[home(id)]
    while place != 0, nodes[Int(place)].id != id { place = nodes[Int(place)].chain }
    return place
  }

  /// The ID must be new.
  @inline(__always)
  mutating func insert(_ id: UInt64, trader: UInt32) -> UInt32 {
    if count &* 2 >= heads.count { growIndex() }
    let place = takePlace()
    let home = home(id)
    nodes[Int(place)].id = id
    nodes[Int(place)].trader = trader
    nodes[Int(place)].chain = heads[home]
    heads[home] = place
    count &+= 1
    return place
  }

  @inline(__always)
  mutating func remove(_ place: UInt32) {
    let node = nodes[Int(place)]
    let home = home(node.id)
    if heads[home] == place {
      heads[home] = node.chain
    } else {
      removeInside(place, firstOfChain: heads[home])
    }
    nodes[Int(place)].next = freePlace
    freePlace = place
    count &-= 1
  }

  /// The low bits of an ID, with its high bits folded in.
  @inline(__always)
  private func home(_ id: UInt64) -> Int {
    Int(truncatingIfNeeded: id ^ (id &>> 16) ^ (id &>> 32) ^ (id &>> 48)) & (heads.count &- 1)
  }

  @inline(never)
  private mutating func removeInside(_ place: UInt32, firstOfChain: UInt32) {
    var before = Int(firstOfChain)
    while nodes[before].chain != place { before = Int(nodes[before].chain) }
    nodes[before].chain = nodes[Int(place)].chain
  }

  @inline(__always)
  private mutating func takePlace() -> UInt32 {
    let place = freePlace
    if place != 0 {
      freePlace = nodes[Int(place)].next
      return place
    }
    if Int(untouched) == nodes.count {
      nodes.grow(to: nodes.count * 2, filling: OrderNode())
    }
    untouched &+= 1
    return untouched &- 1
  }

  @inline(never)
  private mutating func growIndex() {
    var old = Slab<UInt32>(repeating: 0, count: heads.count * 2)
    swap(&old, &heads)
    for position in 0..<old.count {
      var place = old[position]
      while place != 0 {
        let next = nodes[Int(place)].chain
        let home = home(nodes[Int(place)].id)
        nodes[Int(place)].chain = heads[home]
        heads[home] = place
        place = next
      }
    }
  }
}
