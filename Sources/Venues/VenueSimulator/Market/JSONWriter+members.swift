// A response from what a writer holds.

import WireJSON

extension VenueResponse {
  /// An answer with what a writer holds.
  static func json(_ writer: JSONWriter, status: Int = 200, headers: [String: String] = [:])
    -> VenueResponse
  {
    VenueResponse(status: status, body: writer.bytes, headers: headers)
  }
}
