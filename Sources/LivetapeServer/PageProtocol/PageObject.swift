// Builds the state of a topic member by member. A nil value leaves its key out, as the protocol
// says.

import MarketModel
import WireJSON

/// An object under construction.
struct PageObject {
  private(set) var fields: [PageField] = []

  /// The finished object.
  var value: PageValue { .object(fields) }

  mutating func set(_ key: String, _ value: PageValue?) {
    if let value { fields.append(PageField(key: key, value: value)) }
  }

  mutating func set(_ key: String, text: String?) {
    guard let text else { return }
    set(key) { $0.string(text) }
  }

  mutating func set(_ key: String, integer: (some BinaryInteger)?) {
    guard let integer else { return }
    set(key) { $0.integer(integer) }
  }

  mutating func set(_ key: String, boolean: Bool?) {
    guard let boolean else { return }
    set(key) { $0.boolean(boolean) }
  }

  /// A decimal as a string of digits.
  mutating func set(_ key: String, decimal: FixedDecimal?) {
    guard let decimal else { return }
    set(key) { $0.decimalString(decimal) }
  }

  mutating func set(_ key: String, time: Timestamp?) {
    set(key, integer: time?.milliseconds)
  }

  /// A leaf that `write` writes.
  mutating func set(_ key: String, _ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(capacity: 32)
    write(&writer)
    fields.append(PageField(key: key, value: .leaf(writer.bytes)))
  }

  /// An array of what `write` writes of each item.
  mutating func set<Items: Sequence>(
    _ key: String, array items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    set(key) { $0.array(items, write) }
  }

  /// An array of arrays, one an item: `write` writes their elements.
  mutating func set<Items: Sequence>(
    _ key: String, arrays items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    set(key) { $0.arrays(items, write) }
  }

  /// An array of objects, one an item.
  mutating func set<Items: Sequence>(
    _ key: String, objects items: Items, _ build: (inout PageObject, Items.Element) -> Void
  ) {
    set(key, array: items) { writer, item in
      var object = PageObject()
      build(&object, item)
      object.value.write(to: &writer)
    }
  }

  /// An object that `build` fills.
  mutating func setObject(_ key: String, _ build: (inout PageObject) -> Void) {
    var object = PageObject()
    build(&object)
    fields.append(PageField(key: key, value: object.value))
  }
}
