import WireJSON

/// Creates RFC 7396 merge patches between two states of a topic.
enum MergePatch {
  /// Writes the patch from `old` to `new`; false and no output if they are equal.
  static func write(from old: PageValue, to new: PageValue, into writer: inout JSONWriter) -> Bool {
    guard old != new else { return false }
    guard case .object(let oldFields) = old, case .object(let newFields) = new else {
      new.write(to: &writer)
      return true
    }
    writer.object { writer in
      // States keep the order of their keys, so the same index nearly always has the same key.
      for (index, field) in newFields.enumerated() {
        let before = value(of: field.key, in: oldFields, near: index)
        writeMember(field, before: before, into: &writer)
      }
      for (index, field) in oldFields.enumerated()
      where value(of: field.key, in: newFields, near: index) == nil {
        writer.key(text: field.key)
        writer.null()
      }
    }
    return true
  }

  private static func writeMember(
    _ field: PageField, before: PageValue?, into writer: inout JSONWriter
  ) {
    guard before != field.value else { return }
    writer.key(text: field.key)
    if let before {
      _ = write(from: before, to: field.value, into: &writer)
    } else {
      field.value.write(to: &writer)
    }
  }

  private static func value(of key: String, in fields: [PageField], near index: Int) -> PageValue? {
    if index < fields.count, fields[index].key == key { return fields[index].value }
    return fields.first { $0.key == key }?.value
  }
}
