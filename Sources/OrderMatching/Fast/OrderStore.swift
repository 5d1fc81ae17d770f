// Resting orders in one block of memory, and the way from a number to its place: no allocation for
// an order, and a cancelled order's place is the next one used, so the block stays small and warm.

/// A resting order and its neighbours in the queue at its price.
///
/// 32 bytes.
struct OrderNode: BitwiseCopyable {
  var id: UInt64 = 0
  var quantity: Int32 = 0
  var price: Int32 = 0
  /// The order before it, or 0.
  var previous: UInt32 = 0
  /// The order behind it, or 0; in a free place the next free one.
  var next: UInt32 = 0
  var trader: UInt32 = 0
  var isBid = true
}

/// An entry of the index.
///
/// The hash stands beside the place, so that searches and removals look at a node only when it is
/// the one they want: the nodes are where the cache misses are.
struct IndexEntry: BitwiseCopyable {
  var hash: UInt32 = 0
  /// 0 in an empty entry.
  var place: UInt32 = 0
}

/// Order nodes by number.
///
/// Place 0 is never used and means "none".
///
/// The index is open addressing with linear probing, at most half full; what is removed leaves no
/// tombstone. Numbers that collide on purpose make it slow, never wrong.
struct OrderStore: ~Copyable {
  private static let initialIndexBits: UInt32 = 12

  private(set) var count = 0
  private(set) var nodes: Slab<OrderNode>
  private var index: Slab<IndexEntry>
  /// How far a hash is shifted to give its home in the index.
  private var shift: UInt32
  private var freePlace: UInt32 = 0
  /// Places from here on have never been used.
  private var untouched: UInt32 = 1

  /// An empty store with room for 1,023 orders before it first grows.
  init() {
    nodes = Slab(repeating: OrderNode(), count: 1 << 10)
    index = Slab(repeating: IndexEntry(), count: 1 << Int(OrderStore.initialIndexBits))
    shift = 32 - OrderStore.initialIndexBits
  }

  /// An equal store.
  init(copying other: borrowing OrderStore) {
    count = other.count
    nodes = Slab(copying: other.nodes)
    index = Slab(copying: other.index)
    shift = other.shift
    freePlace = other.freePlace
    untouched = other.untouched
  }

  /// The place of an order; 0 when its number is not known.
  @inline(__always)
  func place(of id: UInt64) -> UInt32 {
    let hash = OrderStore.hash(id)
    var probe = home(hash)
    while true {
      let entry = index[probe]
      if entry.place == 0 { return 0 }
      if entry.hash == hash, nodes[Int(entry.place)].id == id { return entry.place }
      probe = (probe &+ 1) & mask
    }
  }

  /// Takes a place for a number that is not known yet.
  @inline(__always)
  mutating func insert(_ id: UInt64) -> UInt32 {
    if count &* 2 >= index.count { growIndex() }
    let place = takePlace()
    enter(IndexEntry(hash: OrderStore.hash(id), place: place))
    nodes[Int(place)].id = id
    count &+= 1
    return place
  }

  /// Gives a place back.
  ///
  /// The node is already out of its queue.
  @inline(__always)
  mutating func remove(_ place: UInt32) {
    var hole = home(OrderStore.hash(nodes[Int(place)].id))
    while index[hole].place != place { hole = (hole &+ 1) & mask }
    closeHole(at: hole)
    nodes[Int(place)].next = freePlace
    freePlace = place
    count &-= 1
  }

  private var mask: Int {
    @inline(__always) get { index.count &- 1 }
  }

  /// Fibonacci hashing of blocks of 16 numbers: numbers given out one after the other are spread
  /// evenly and still share cache lines.
  @inline(__always)
  private static func hash(_ id: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: (id &* 0x9e37_79b9_7f4a_7c15) &>> 32)
  }

  /// Where the search for a hash begins.
  @inline(__always)
  private func home(_ hash: UInt32) -> Int { Int(hash &>> shift) }

  @inline(__always)
  private mutating func enter(_ entry: IndexEntry) {
    var probe = home(entry.hash)
    while index[probe].place != 0 { probe = (probe &+ 1) & mask }
    index[probe] = entry
  }

  /// Moves later entries of the run back, so that every search still ends where it should.
  @inline(__always)
  private mutating func closeHole(at start: Int) {
    var hole = start
    var probe = start
    while true {
      probe = (probe &+ 1) & mask
      let entry = index[probe]
      if entry.place == 0 { break }
      let distance = (probe &- home(entry.hash)) & mask
      if distance >= (probe &- hole) & mask {
        index[hole] = entry
        hole = probe
      }
    }
    index[hole].place = 0
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
    var old = Slab(repeating: IndexEntry(), count: index.count * 2)
    swap(&old, &index)
    shift -= 1
    for position in 0..<old.count where old[position].place != 0 { enter(old[position]) }
  }
}
