/// An array of trivial elements in raw memory, with one owner.
///
/// The checks of `Array` cost more than the matching. Indexes come only from the engine's own
/// tables and are asserted in debug builds, which the tests use.
struct Slab<Element: BitwiseCopyable>: ~Copyable {
  private(set) var count: Int
  private var base: UnsafeMutablePointer<Element>

  init(repeating element: Element, count: Int) {
    self.count = count
    base = .allocate(capacity: count)
    base.initialize(repeating: element, count: count)
  }

  init(copying other: borrowing Slab) {
    count = other.count
    base = .allocate(capacity: other.count)
    base.initialize(from: other.base, count: other.count)
  }

  deinit { base.deallocate() }

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

  /// Grows to `newCount` elements, new ones equal to `element`; indexes stay valid.
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
