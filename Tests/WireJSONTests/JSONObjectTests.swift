import Testing

@testable import WireJSON

/// The values of "a", "ab" and "a long key of 32 bytes, no more.", or the error of the text.
private func read(
  _ text: String, required: [StaticString] = [], oneOf: [StaticString] = []
) -> Result<[Int64], JSONError> {
  let bytes = Array(text.utf8)
  var cursor = JSONCursor()
  var values: [Int64] = [0, 0, 0]
  do throws(JSONError) {
    try cursor.object(bytes.span, required: required, oneOf: oneOf) {
      (key, cursor) throws(JSONError) in
      switch key {
      case "a": values[0] = try cursor.integer(bytes.span)
      case "ab": values[1] = try cursor.integer(bytes.span)
      case "a long key of 32 bytes, no more.": values[2] = try cursor.integer(bytes.span)
      default: break
      }
    }
    try cursor.finish(bytes.span)
    return .success(values)
  } catch {
    return .failure(error)
  }
}

@Suite struct JSONObjectTests {
  @Test(
    arguments: [
      (#"{}"#, [0, 0, 0]), (#"{"ab":2,"a":1}"#, [1, 2, 0]), (#" { "a" : 1 } "#, [1, 0, 0]),
      (#"{"b":[{"a":2}],"a":1,"b":"x"}"#, [1, 0, 0]), (#"{"\u0061":5,"a":1}"#, [1, 0, 0]),
      (#"{"a long key of 32 bytes, no more.":3}"#, [0, 0, 3]),
      (#"{"a long key of 32 bytes, no more.!":3}"#, [0, 0, 0]),
    ] as [(String, [Int64])])
  func `known keys are read, others are skipped`(text: String, values: [Int64]) {
    #expect(read(text) == .success(values))
  }

  @Test(arguments: [
    (#"{"a":1,"a":1}"#, 8), (#"{"ab":1,"a":1,"ab":1}"#, 15),
    (#"{"x":0,"a":1,"x":0,"b":0,"ab":2,"a":3}"#, 33),
    (#"{"a long key of 32 bytes, no more.":1,"a long key of 32 bytes, no more.":1}"#, 39),
  ])
  func `a known key twice is an error at the second`(text: String, offset: Int) {
    #expect(read(text) == .failure(JSONError(.duplicateKey, at: offset)))
  }

  @Test func `missing keys are errors at the object's start`() {
    let missing = Result<[Int64], JSONError>.failure(JSONError(.missingKey, at: 0))
    #expect(read(#"{"a":1}"#, required: ["a"]) == .success([1, 0, 0]))
    #expect(read(#"{"a":1}"#, required: ["a", "ab"]) == missing)
    #expect(read(#"{"ab":1}"#, required: ["a"]) == missing)
    #expect(read(#"{"ab":1}"#, oneOf: ["a", "ab"]) == .success([0, 1, 0]))
    #expect(read(#"{"b":1}"#, oneOf: ["a", "ab"]) == missing)
  }
}
