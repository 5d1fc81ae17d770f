import MarketModel
import WireJSON

/// A JSON value of a topic's state: a tree of objects whose leaves are already JSON.
///
/// Two trees give a merge patch, so that a page receives only changes.
enum PageValue: Sendable, Equatable {
  /// An object, merged key by key. Keys are unique; their order is kept.
  case object([PageField])
  /// Anything else, as JSON text; replaced as a whole.
  case leaf([UInt8])

  /// The value of a key; nil if this is not an object or the key is missing.
  ///
  /// O(keys).
  subscript(key: String) -> PageValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.key == key }?.value
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .leaf(let json): writer.raw(json)
    case .object(let fields):
      writer.object { writer in
        for field in fields {
          writer.key(text: field.key)
          field.value.write(to: &writer)
        }
      }
    }
  }
}

struct PageField: Sendable, Equatable {
  let key: String
  let value: PageValue
}

// MARK: - Scripts

extension PageValue {
  var json: [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    write(to: &writer)
    return writer.bytes
  }

  static func array(_ values: [PageValue]) -> PageValue {
    var writer = JSONWriter(capacity: values.count * 64)
    writer.array(values) { $1.write(to: &$0) }
    return .leaf(writer.bytes)
  }

  static func text(_ text: String) -> PageValue {
    var writer = JSONWriter(capacity: text.utf8.count + 2)
    writer.string(text)
    return .leaf(writer.bytes)
  }

  static let null = PageValue.leaf(Array("null".utf8))

  static func boolean(_ value: Bool) -> PageValue { .leaf(Array((value ? "true" : "false").utf8)) }
}
