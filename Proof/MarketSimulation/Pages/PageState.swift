import WireJSON

/// One JSON value of a topic as a page holds it: patches merge into objects, everything else stays
/// as received.
indirect enum PageState: Equatable {
  /// An object, its members in received order.
  case object([(key: String, value: PageState)])
  /// Anything else, as its bytes.
  case leaf([UInt8])

  /// Parses a value of a text, given its bytes.
  init(
    _ text: [UInt8], _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) {
    guard try cursor.peek(bytes) == UInt8(ascii: "{") else {
      let start = cursor.offset
      try cursor.skipValue(bytes)
      self = .leaf(Array(text[start..<cursor.offset]))
      return
    }
    var members: [(String, PageState)] = []
    try cursor.beginObject(bytes)
    var first = true
    while let key = try cursor.nextKey(bytes, first: &first) {
      members.append((JSONText.decode(bytes, key), try PageState(text, bytes, &cursor)))
    }
    self = .object(members)
  }

  init(_ bytes: [UInt8]) throws(JSONError) {
    var cursor = JSONCursor()
    let whole = bytes.span
    self = try PageState(bytes, whole, &cursor)
    try cursor.finish(whole)
  }

  subscript(key: String) -> PageState? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The bytes of anything but an object.
  var bytes: [UInt8]? { if case .leaf(let bytes) = self { bytes } else { nil } }

  var text: String? {
    guard let bytes, bytes.count >= 2, bytes.first == UInt8(ascii: "\"") else { return nil }
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  var integer: Int64? { bytes.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } }

  private static let null = Array("null".utf8)

  func merged(with patch: PageState) -> PageState {
    guard case .object(let changes) = patch else { return patch }
    var members: [(key: String, value: PageState)] = []
    if case .object(let present) = self { members = present }
    for (key, change) in changes {
      let place = members.firstIndex { $0.key == key }
      if change.bytes == PageState.null {
        if let place { members.remove(at: place) }
      } else if let place {
        members[place].value = members[place].value.merged(with: change)
      } else {
        members.append((key, PageState.object([]).merged(with: change)))
      }
    }
    return .object(members)
  }

  static func == (left: PageState, right: PageState) -> Bool {
    switch (left, right) {
    case (.object(let a), .object(let b)):
      a.map(\.key) == b.map(\.key) && a.map(\.value) == b.map(\.value)
    case (.leaf(let a), .leaf(let b)): a == b
    default: false
    }
  }
}
