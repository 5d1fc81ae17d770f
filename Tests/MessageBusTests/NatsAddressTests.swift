// Brokers' addresses, without their secrets in any text.

import MessageBus
import Testing

@Suite struct NatsAddressTests {
  @Test(arguments: [
    ("nats://h", "nats://h:4222"), ("nats://h:1/", "nats://h:1"), ("tls://h", "tls://h:4222"),
    ("nats://user:geheim@h:9", "nats://h:9"), ("nats://geheim@[::1]:9", "nats://[::1]:9"),
    ("nats://[::1]", "nats://[::1]:4222"), ("tls://a:geheim%40x@y.example", "tls://y.example:4222"),
    ("nats://u:geheim,2@a,b:1,[::1]:2", "nats://a:4222,b:1,[::1]:2"),
  ])
  func `an address is shown without its secrets`(_ text: String, _ shown: String) throws {
    let address = try NatsAddress(text)
    #expect(address.description == shown)
    var dumped = ""
    dump(address, to: &dumped)
    for all in ["\(address)", String(reflecting: address), dumped, "\([address])"] {
      #expect(!all.contains("geheim") && all.contains(shown), "\(all)")
    }
  }

  @Test(arguments: [
    "", "h", "http://geheim@h", "nats://", "nats://geheim@", "nats://geheim:@h", "nats://:geheim@h",
    "nats://geheim%@h", "nats://geheim%zz@h", "nats://geheim%ff@h", "nats://geheim@h:0",
    "nats://geheim@h:x", "nats://geheim@h/path", "nats://geheim@a b", "nats://geheim@[::1",
    "nats://geheim@a,", "nats://geheim@,a", "nats://geheim@a,,b", "nats://geheim@a,nats://b",
    "nats://geheim@a,b:0", "nats://geheim@a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q",
  ])
  func `an invalid address yields the reason, and no secret`(_ text: String) {
    do throws(NatsAddressError) {
      _ = try NatsAddress(text)
      Issue.record("taken")
    } catch {
      #expect(!"\(error)".contains("geheim"))
      #expect("\(error)".hasPrefix("not a broker's address: it "))
    }
  }
}
