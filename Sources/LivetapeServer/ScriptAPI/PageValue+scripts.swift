// Values that pages have no need of.

import WireJSON

extension PageValue {
  /// Its text.
  var json: [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    write(to: &writer)
    return writer.bytes
  }

  /// A list.
  static func array(_ values: [PageValue]) -> PageValue {
    var writer = JSONWriter(capacity: values.count * 64)
    writer.array(values) { $1.write(to: &$0) }
    return .leaf(writer.bytes)
  }

  /// A text.
  static func text(_ text: String) -> PageValue {
    var writer = JSONWriter(capacity: text.utf8.count + 2)
    writer.string(text)
    return .leaf(writer.bytes)
  }

  /// Nothing, said.
  static let null = PageValue.leaf(Array("null".utf8))

  /// True or false.
  static func boolean(_ value: Bool) -> PageValue {
    .leaf(Array((value ? "true" : "false").utf8))
  }
}
