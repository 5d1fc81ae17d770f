// Recording never waits: the queue in front of the disk is bounded.

import ChartModel
@testable import HistoryStore
import MarketModel
import Testing

@Suite struct RecordQueueTests {
  private func records(_ first: Int64, _ count: Int64) -> [CandleRecord] {
    (first..<first + count).map {
      record(Candle(start: $0 * 60_000, price: Price(units: $0), volume: .zero))
    }
  }

  private func numbers(_ records: [CandleRecord]) -> [Int64] { records.map(\.candle.open.units) }

  @Test("Records come out in order, a commit's worth at a time")
  func order() {
    let queue = RecordQueue(maximum: 50_000)
    _ = queue.add(records(0, 5000))
    _ = queue.add(records(5000, 10))
    var all: [Int64] = []
    while true {
      let taken = queue.take()
      if taken.isEmpty { break }
      #expect(taken.count <= RecordQueue.commitSize)
      all += numbers(taken)
    }
    #expect(all == Array(0..<5010))
    #expect(queue.droppedCount == 0)
  }

  @Test("Above the bound the oldest go and are counted; what was put back is the oldest")
  func bound() {
    let queue = RecordQueue(maximum: 4000)
    for batch in 0..<Int64(50) { _ = queue.add(records(batch * 100, 100)) }
    #expect(queue.droppedCount == 1000)
    let taken = queue.take()
    #expect(numbers(taken).first == 1000 && taken.count == 2000)
    _ = queue.add(records(5000, 100))
    queue.putBack(taken)
    #expect(queue.droppedCount == 3000)
    #expect(numbers(queue.take()).first == 3000)
  }

  @Test("The writer is triggered once to write soon, and once to write now")
  func wakes() {
    let queue = RecordQueue(maximum: 50_000)
    #expect(queue.add([]) == .none)
    #expect(queue.add(records(0, 1)) == .soon)
    #expect(queue.add(records(1, 1)) == .none)
    #expect(queue.add(records(2, 2000)) == .now)
    #expect(queue.add(records(3000, 2000)) == .none)
    _ = queue.take()
    #expect(queue.add(records(9000, 1)) == .now, "a commit's worth still waits")
    while !queue.take().isEmpty {}
    #expect(queue.add(records(9001, 1)) == .soon)
    queue.close()
    #expect(queue.add(records(9002, 5000)) == .none)
  }
}
