import HTTPTypes
import Hummingbird
import HummingbirdCore
import MarketModel
import NIOCore
import SimulatorHost
import SocketServer
import WireJSON

/// Faults on demand over HTTP, for tests and scripts: `GET /faults`, and `GET`, `PUT` and `DELETE
/// /faults/VENUE`.
///
/// The faults are in the query, because the server reads no bodies.
struct FaultRoutes: Sendable {
  let faults: SimulatedFaults

  func add(to router: Router<BasicRequestContext>) {
    router.get("/faults") { _, _ in try await self.show(Venue.allCases) }
    router.get("/faults/:venue") { _, context in
      guard let venue = self.venue(context) else { return FaultRoutes.noVenue }
      return try await self.show([venue])
    }
    router.put("/faults/:venue") { request, context in
      guard let venue = self.venue(context) else { return FaultRoutes.noVenue }
      let query = request.uri.query.map { QueryText.parse($0) } ?? []
      guard query.count == 1, query[0].name == "spec" else {
        return .plain(.badRequest, "expected the faults in the query: ?spec=drop%3D2%25\n")
      }
      return try await self.change(venue, query[0].value)
    }
    router.delete("/faults/:venue") { _, context in
      guard let venue = self.venue(context) else { return FaultRoutes.noVenue }
      return try await self.change(venue, "")
    }
  }

  private func venue(_ context: BasicRequestContext) -> Venue? {
    context.parameters.get("venue").flatMap { Venue(rawValue: $0) }
  }

  private static let noVenue = Response.plain(.notFound, "there is no such venue\n")

  private func change(_ venue: Venue, _ text: String) async throws -> Response {
    let wanted: VenueFaults
    do {
      wanted = try VenueFaults(text, at: venue)
    } catch {
      return .plain(.badRequest, "\(error)\n")
    }
    let problem = await withCheckedContinuation { waiting in
      faults.change(venue, to: wanted, .all) { waiting.resume(returning: $0) }
    }
    if let problem { return .plain(.badRequest, "\(problem)\n") }
    return try await show([venue])
  }

  private func show(_ venues: [Venue]) async throws -> Response {
    let running = try await faults.all()
    var writer = JSONWriter()
    writer.beginObject()
    for venue in venues {
      writer.key(text: venue.rawValue)
      writer.array(running[venue] ?? []) { $1.write(to: &$0) }
    }
    writer.endObject()
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: writer.bytes)))
  }
}
