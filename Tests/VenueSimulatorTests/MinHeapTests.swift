// The heap behind steps and timers, against a sorted list.

import MarketModel
import Testing

@testable import VenueSimulator

struct MinHeapTests {
  @Test func `the book that is due first steps first, of equal times the lower index`() {
    var heap = MinHeap<BookStep>()
    var random = SplitMix64(seed: 11)
    var dues: [Int: Int64] = [:]
    for index in 0..<200 {
      dues[index] = random.below(50)
      heap.add(BookStep(index: index, due: dues[index] ?? 0))
    }
    for _ in 0..<2000 {
      let first = dues.min { ($0.value, $0.key) < ($1.value, $1.key) }
      #expect(heap.first?.index == first?.key && heap.first?.due == first?.value)
      guard let first else { return }
      switch random.below(20) {
      case 0:
        #expect(heap.removeFirst()?.index == first.key)
        dues[first.key] = nil
      case 1:
        heap = MinHeap(heap.elements.filter { $0.index != first.key })
        dues[first.key] = nil
      default:
        let due = first.value + random.below(40)
        heap.replaceFirst(with: BookStep(index: first.key, due: due))
        dues[first.key] = due
      }
    }
    #expect(Set(heap.elements.map(\.index)) == Set(dues.keys))
  }

  @Test func `an empty heap has no first element, whatever is asked of it`() {
    var heap = MinHeap<BookStep>()
    heap.replaceFirst(with: BookStep(index: 1, due: 1))
    #expect(heap.first == nil && heap.removeFirst() == nil)
    heap.add(BookStep(index: 2, due: 2))
    #expect(heap.removeFirst()?.index == 2)
    #expect(heap.elements.isEmpty && heap.removeFirst() == nil)
  }

  @Test func `what is due at one time comes in the order in which it was added`() {
    var queue = TimedQueue<Int>()
    var random = SplitMix64(seed: 12)
    var expected: [(due: Int64, number: Int)] = []
    for number in 0..<300 {
      let due = random.below(40)
      queue.add(number, due: Timestamp(milliseconds: due))
      expected.append((due, number))
    }
    expected.sort { ($0.due, $0.number) < ($1.due, $1.number) }
    #expect(queue.take(dueBy: Timestamp(milliseconds: -1)) == nil)
    var taken: [Int] = []
    for now in [10, 10, 25, 40] as [Int64] {
      while let next = queue.take(dueBy: Timestamp(milliseconds: now)) {
        #expect(next.due <= Timestamp(milliseconds: now))
        taken.append(next.element)
      }
      #expect(taken == expected.filter { $0.due <= now }.map(\.number))
    }
    #expect(queue.count == 0 && queue.nextDue == nil)
  }
}
