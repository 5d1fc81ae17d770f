import AppState
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTP1
import OrderLedger
import OrderService
import PaperTrading
import SharedLedger
import WireJSON

/// The order history as files, `GET /orders.csv`, `/orders.json` and `/fills.csv`, and pages of
/// older orders, `GET /history/orders?before=ID`.
struct OrderRoutes: Sendable {
  let trading: any OrderAccess

  func add(to router: Router<BasicRequestContext>) {
    for format in [LedgerReader.Format.csv, .json] {
      router.get("/orders.\(format.rawValue)") { _, _ in
        await self.response(with: trading.file(as: format), as: format)
      }
    }
    router.get("/fills.csv") { _, _ in
      await self.response(with: trading.fills(), as: .csv)
    }
    router.get("/history/orders") { request, _ in await self.older(request) }
  }

  private func older(_ request: Request) async -> Response {
    guard let number = request.uri.queryParameters.get("before").flatMap({ UInt64($0) }) else {
      return text(.badRequest, "before: expected the number of an order\n")
    }
    switch await trading.reports(before: OrderIdentifier(number: number)) {
    case .failure(let error): return text(.serviceUnavailable, "\(error.userMessage)\n")
    case .success(let reports):
      var writer = JSONWriter(capacity: 1024)
      OlderOrders(rows: reports.map { OrderRowState($0) }).page.write(to: &writer)
      var headers = OrderRoutes.headers
      headers[.contentType] = "application/json; charset=utf-8"
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: writer.bytes)))
    }
  }

  private func response(
    with file: Result<OrderFile, OrdersUnavailable>, as format: LedgerReader.Format
  ) -> Response {
    switch file {
    case .failure(let error): return text(.serviceUnavailable, "\(error.userMessage)\n")
    case .success(let file):
      var headers = OrderRoutes.headers
      headers[.contentType] =
        format == .csv ? "text/csv; charset=utf-8" : "application/json; charset=utf-8"
      headers[.contentDisposition] = "attachment; filename=\"\(file.name)\""
      return Response(
        status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: file.text))
      )
    }
  }

  private func text(_ status: HTTPResponse.Status, _ line: String) -> Response {
    var headers = OrderRoutes.headers
    headers[.contentType] = "text/plain; charset=utf-8"
    return Response(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: line)))
  }

  private static let headers: HTTPFields = {
    var headers = HTTPFields()
    headers[.cacheControl] = "no-store"
    headers[.xContentTypeOptions] = "nosniff"
    if let name = HTTPField.Name("cross-origin-resource-policy") { headers[name] = "same-origin" }
    return headers
  }()
}
