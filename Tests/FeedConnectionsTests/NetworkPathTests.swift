import Testing

@testable import FeedConnections

@MainActor @Suite struct NetworkPathTests {
  @Test func `only another or a returned network is a change`() {
    var changes = 0
    let watch = PathWatch { changes += 1 }
    watch.report(["en0", "pdp_ip0"])
    #expect(changes == 0, "the first report is the present network")
    watch.report(["en0"])
    #expect(changes == 0, "Wi-Fi stays; cellular is not in use")
    watch.report(["pdp_ip0"])
    #expect(changes == 1, "from Wi-Fi to cellular")
    watch.report([])
    #expect(changes == 1, "there is nothing to connect over")
    watch.report(["pdp_ip0"])
    #expect(changes == 2, "the network is back")
  }
}
