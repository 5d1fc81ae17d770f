// Short forms for what the simulated venues write most.

import MarketModel
import VenueProtocols

extension JSONWriter {
  /// Writes a key with a string value.
  mutating func member(_ key: StaticString, _ value: String) {
    self.key(key)
    string(value)
  }
}

extension VenueResponse {
  /// An answer with what a writer holds.
  static func json(_ writer: JSONWriter, status: Int = 200, headers: [String: String] = [:])
    -> VenueResponse
  {
    VenueResponse(status: status, body: writer.bytes, headers: headers)
  }
}
