import Testing

@testable import SocketServer

@Suite struct DescriptorLimitTests {
  @Test(
    arguments: [
      (1024, 4096, 4096), (1024, 1_048_576, 65_536), (1024, .max, 65_536), (4096, 4096, 4096),
      (100_000, 1_048_576, 100_000),
    ] as [(UInt64, UInt64, UInt64)])
  func `the limit is raised as far as it may be, within reason, and never lowered`(
    soft: UInt64, hard: UInt64, wanted: UInt64
  ) {
    #expect(DescriptorLimit.wanted(soft: soft, hard: hard) == wanted)
  }

  @Test func `this process keeps what it was given`() {
    let first = DescriptorLimit.raise()
    #expect(first.map { $0 > 0 } == true)
    #expect(DescriptorLimit.raise() == first)
  }
}
