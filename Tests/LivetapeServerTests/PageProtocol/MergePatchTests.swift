// Merge patches by RFC 7396's table as far as states use it, and as a property: a patch applied to
// the old state gives the new one.

import Foundation
import MarketModel
import TestSupport
import Testing

@testable import LivetapeServer
import WireJSON

@Suite struct MergePatchTests {
  private func state(_ build: (inout PageObject) -> Void) -> PageValue {
    var object = PageObject()
    build(&object)
    return object.value
  }

  private func patch(_ old: PageValue, _ new: PageValue) -> String? {
    var writer = JSONWriter()
    guard MergePatch.write(from: old, to: new, into: &writer) else { return nil }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `equal states give no patch`() {
    let one = state { $0.set("price", text: "1") }
    #expect(patch(one, one) == nil)
  }

  @Test func `only the keys that changed are in the patch`() {
    let old = state {
      $0.set("a", text: "1"); $0.set("b", text: "2")
    }
    let new = state {
      $0.set("a", text: "1"); $0.set("b", text: "3")
    }
    #expect(patch(old, new) == #"{"b":"3"}"#)
  }

  @Test func `a key that is gone becomes null and a new key comes whole`() {
    let old = state {
      $0.set("a", text: "1"); $0.set("b", text: "2")
    }
    let new = state {
      $0.set("b", text: "2"); $0.setObject("c") { $0.set("d", integer: 4) }
    }
    #expect(patch(old, new) == #"{"c":{"d":4},"a":null}"#)
  }

  @Test func `objects merge inside each other`() {
    let old = state {
      $0.setObject("rows") {
        $0.set("x", text: "1"); $0.set("y", text: "1")
      }
    }
    let new = state {
      $0.setObject("rows") {
        $0.set("x", text: "1"); $0.set("y", text: "2")
      }
    }
    #expect(patch(old, new) == #"{"rows":{"y":"2"}}"#)
  }

  @Test func `a patch applied to the old state gives the new state`() throws {
    let seed: UInt64 = 4711
    var random = SplitMix64(seed: seed)
    var old = randomObject(&random, depth: 0)
    for round in 0..<500 {
      let new = randomObject(&random, depth: 0)
      let merged: NSDictionary
      if let text = patch(old, new) {
        merged = merge(try json(text), into: try json(whole(old)))
      } else {
        merged = try json(whole(old))
      }
      #expect(merged == (try json(whole(new))), "seed \(seed), round \(round)")
      old = new
    }
  }

  private func whole(_ value: PageValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func json(_ text: String) throws -> NSDictionary {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? NSDictionary)
  }

  private func randomObject(_ random: inout SplitMix64, depth: Int) -> PageValue {
    var object = PageObject()
    for key in ["a", "b", "c", "d", "e"] where random.below(3) > 0 {
      if depth < 2, random.below(3) == 0 {
        object.set(key, randomObject(&random, depth: depth + 1))
      } else {
        object.set(key, integer: random.below(4))
      }
    }
    return object.value
  }
}
