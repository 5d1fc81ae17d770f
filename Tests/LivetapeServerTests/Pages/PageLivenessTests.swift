// Pages that have disconnected silently, with manual time.

import NIOCore
import NIOEmbedded
import Testing

@testable import LivetapeServer

@Suite struct PageLivenessTests {
  private final class Page {
    let loop = EmbeddedEventLoop()
    var pings = 0
    var end: PageLiveness.End?
    var isDropped: Bool { end != nil }
    private(set) lazy var liveness = PageLiveness(loop: loop) {
      self.pings += 1
    } drop: {
      self.end = $0
    }

    init() { liveness.start() }

    func pass(seconds: Int64) { loop.advanceTime(by: .seconds(seconds)) }
  }

  @Test func `a page is asked every twenty seconds and gone after three without an answer`() {
    let page = Page()
    page.pass(seconds: 79)
    #expect(page.pings == 3 && !page.isDropped)
    page.pass(seconds: 1)
    #expect(page.pings == 3 && page.end == .silent)
  }

  @Test func `any sign of life restarts the count`() {
    let page = Page()
    for _ in 0..<20 {
      page.pass(seconds: 55)
      page.liveness.heard()
    }
    #expect(!page.isDropped)
    #expect(page.pings == 55)
  }

  @Test func `a page that stays behind for half a minute is gone`() {
    let page = Page()
    page.liveness.writable(false)
    page.pass(seconds: 29)
    page.liveness.writable(true)
    page.pass(seconds: 10)
    page.liveness.heard()
    #expect(!page.isDropped)
    page.liveness.writable(false)
    page.pass(seconds: 30)
    #expect(page.end == .behind)
  }

  @Test func `nothing is done once the page has gone by itself`() {
    let page = Page()
    page.liveness.writable(false)
    page.liveness.stop()
    page.pass(seconds: 300)
    #expect(page.pings == 0 && !page.isDropped)
  }
}
