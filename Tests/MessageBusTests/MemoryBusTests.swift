// The bus in memory with a manual loop and clock.

import MessageBus
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@Suite struct MemoryBusTests {
  private let loop = EmbeddedEventLoop()

  private func text(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }

  @Test func `messages arrive in a later turn, and none from before the subscription`() {
    let hub = MemoryBusHub(on: loop)
    let (one, two) = (hub.makeBus(), hub.makeBus())
    let heard = NIOLockedValueBox<[String]>([])
    one.publish("a", text("early"))
    let kept = two.subscribe("a") { message in
      heard.withLockedValue { $0.append(String(buffer: message.payload)) }
      if heard.withLockedValue({ $0.count }) == 1 { one.publish("a", ByteBuffer(string: "nested")) }
    }
    one.publish("a", text("1"))
    one.publish("a", text("2"))
    #expect(heard.withLockedValue { $0 }.isEmpty)
    loop.run()
    #expect(heard.withLockedValue { $0 } == ["1", "2", "nested"])
    one.publish("a", text("cancelled on the way"))
    kept.cancel()
    loop.run()
    #expect(heard.withLockedValue { $0 }.count == 3)
  }

  @Test func `a cut link loses what is on its way, in both directions`() throws {
    let hub = MemoryBusHub(on: loop)
    let (one, two) = (hub.makeBus(), hub.makeBus())
    let heard = NIOLockedValueBox<[String]>([])
    let kept = two.subscribe("a") { message in
      heard.withLockedValue { $0.append(String(buffer: message.payload)) }
      if let reply = message.replyTo { two.publish(reply, ByteBuffer(string: "yes")) }
    }
    let watched = two.observeLink { link in heard.withLockedValue { $0.append("\(link)") } }
    loop.run()
    one.publish("a", text("lost"))
    two.cutLink()
    loop.run()
    two.publish("a", text("lost"))
    let nobody = one.request("a", text(""), timeoutMilliseconds: 100)
    loop.run()
    #expect(throws: BusError.noResponders) { try nobody.wait() }
    two.healLink()
    one.publish("a", text("found"))
    let answered = one.request("a", text("?"), timeoutMilliseconds: 100)
    loop.run()
    #expect(String(buffer: try answered.wait()) == "yes")
    #expect(heard.withLockedValue { $0 } == ["up", "down(\"cut\")", "up", "found", "?"])
    let unanswered = one.request("a", text("!"), timeoutMilliseconds: 100)
    two.cutLink()
    loop.run()
    loop.advanceTime(by: .milliseconds(99))
    one.cutLink()
    #expect(throws: BusError.disconnected) { try unanswered.wait() }
    one.healLink()
    two.healLink()
    let mute = one.subscribe("mute") { _ in }
    let late = one.request("mute", text(""), timeoutMilliseconds: 100)
    loop.advanceTime(by: .milliseconds(100))
    #expect(throws: BusError.timeout) { try late.wait() }
    for subscription in [kept, watched, mute] { subscription.cancel() }
  }

  @Test func `a lease lasts its time by the injected clock, and revisions rise`() throws {
    let now = NIOLockedValueBox<Int64>(0)
    let hub = MemoryBusHub(on: loop, milliseconds: { now.withLockedValue { $0 } })
    let (one, two) = (hub.makeBus(), hub.makeBus())
    func hold(_ bus: MemoryBus, _ expecting: UInt64) throws -> UInt64 {
      let future = bus.hold("reader.x", text("me"), expecting: expecting)
      loop.run()
      return try future.wait()
    }
    #expect(try hold(one, 0) == 1)
    now.withLockedValue { $0 = leaseMilliseconds - 1 }
    #expect(throws: BusError.wrongRevision) { try hold(two, 0) }
    #expect(try hold(one, 1) == 2)
    now.withLockedValue { $0 += leaseMilliseconds - 1 }
    #expect(throws: BusError.wrongRevision) { try hold(two, 0) }
    now.withLockedValue { $0 += 1 }
    #expect(throws: BusError.wrongRevision) { try hold(one, 2) }
    #expect(try hold(two, 0) == 3)
    let cut = two.hold("reader.x", text("me"), expecting: 3)
    two.cutLink()
    loop.run()
    #expect(throws: BusError.disconnected) { try cut.wait() }
    #expect(throws: BusError.wrongRevision, "it was not written") { try hold(one, 4) }
  }

  @Test func `after shutdown a bus receives and sends nothing`() throws {
    let hub = MemoryBusHub(on: loop)
    let (one, two) = (hub.makeBus(), hub.makeBus())
    let heard = NIOLockedValueBox(0)
    let kept = one.subscribe(">") { _ in heard.withLockedValue { $0 += 1 } }
    let asked = one.request("a", text(""), timeoutMilliseconds: 100)
    two.publish("a", text(""))
    try one.shutdown().wait()
    one.publish("a", text(""))
    loop.run()
    #expect(heard.withLockedValue { $0 } == 0)
    #expect(throws: BusError.disconnected) { try asked.wait() }
    #expect(throws: BusError.noResponders) {
      let asked = two.request("a", text(""), timeoutMilliseconds: 100)
      loop.run()
      _ = try asked.wait()
    }
    kept.cancel()
  }
}
