import WireJSON

extension VenueResponse {
  /// A response with the writer's contents.
  static func json(_ writer: JSONWriter, status: Int = 200, headers: [String: String] = [:])
    -> VenueResponse
  {
    VenueResponse(status: status, body: writer.bytes, headers: headers)
  }
}
