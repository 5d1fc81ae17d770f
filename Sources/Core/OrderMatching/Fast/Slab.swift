// The one type here that touches raw memory. The fast engine's tables are arrays in all but the
// uniqueness and bounds checks of `Array`, which cost more than the matching itself.

/// A run of trivial elements with one owner.
///
/// Indexes come only from the engine's own tables, never from outside, and are asserted in debug
/// builds, which is how the tests run.
struct Slab<Element: BitwiseCopyable>: ~Copyable {
  private(set) var count: Int
  private var base: UnsafeMutablePointer<Element>

  /// Makes `count` elements, all equal to `element`.
  init(repeating element: Element, count: Int) {
    self.count = count
    base = .allocate(capacity: count)
    base.initialize(repeating: element, count: count)
  }

  /// Makes an equal run with its own memory.
  init(copying other: borrowing Slab) {
    count = other.count
    base = .allocate(capacity: other.count)
    base.initialize(from: other.base, count: other.count)
  }

  deinit { base.deallocate() }

  /// The element at an index in 0..<`count`.
  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < count, "slab index out of range")
      return base[index]
    }
    @inline(__always) nonmutating _modify {
      assert(index >= 0 && index < count, "slab index out of range")
      yield &base[index]
    }
  }

  /// Makes room for `newCount` elements, the new ones equal to `element`; indexes stay valid.
  mutating func grow(to newCount: Int, filling element: Element) {
    guard newCount > count else { return }
    let bigger = UnsafeMutablePointer<Element>.allocate(capacity: newCount)
    bigger.initialize(from: base, count: count)
    (bigger + count).initialize(repeating: element, count: newCount - count)
    base.deallocate()
    base = bigger
    count = newCount
  }
}
