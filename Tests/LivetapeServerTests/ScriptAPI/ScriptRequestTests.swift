// Scripts' HTTP requests, and the responses to malformed ones.

import Foundation
import LivetapeWeb
import MarketModel
import NIOHTTP1
import SocketServer
import Testing

@testable import LivetapeServer

@Suite struct ScriptRequestTests {
  private func request(
    _ method: HTTPMethod, _ uri: String, body: String = "", headers: HTTPHeaders = [:]
  ) throws(ScriptProblem) -> ScriptRequest {
    try ScriptRequest(
      HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers),
      Array(body.utf8))
  }

  @Test(arguments: [
    "/api/v1/instruments/kraken%2FBTC%2FUSD/book", "/api/v1/instruments/kraken/BTC/USD/book",
    "/api/v1/instruments/kraken%2fBTC/USD/book",
  ])
  func `an instrument is named with its slashes as they are or escaped`(uri: String) throws {
    let request = try request(.GET, uri)
    #expect(request.route.action == .readBook)
    #expect(try request.instrument().text == "kraken/BTC/USD")
  }

  @Test(arguments: [
    (HTTPMethod.GET, "/api/v1/nothing", 404), (.GET, "/api", 404), (.GET, "/api/v2/orders", 404),
    (.GET, "/api/v1/orders/17/18", 404), (.GET, "/api/v1/orders/x", 404),
    (.GET, "/api/v1/orders/+1", 404), (.GET, "/api/v1/orders/0", 404),
    (.GET, "/api/v1/instruments/BTC/book", 404), (.GET, "/api/v1/instruments//book", 404),
    (.PUT, "/api/v1/orders", 405), (.POST, "/api/v1/connections", 405),
    (.GET, "/api/v1/stream", 426), (.POST, "/api/v1/stream", 405),
    (.GET, "/api/v1/orders?before=x", 400), (.GET, "/api/v1/orders?before=1&before=2", 400),
    (.GET, "/api/v1/orders?other=1", 400), (.GET, "/api/v1/orders?before", 400),
    (.GET, "/api/v1/instruments?limit=0", 400), (.GET, "/api/v1/instruments?limit=501", 400),
    (.GET, "/api/v1/instruments?venue=nasdaq", 400), (.GET, "/api/v1/instruments?venue=%zz", 400),
    (.GET, "/api/v1/instruments/kraken/BTC/USD/candles?interval=7", 400),
  ])
  func `a wrong request has its status`(method: HTTPMethod, uri: String, status: Int) {
    let problem = #expect(throws: ScriptProblem.self) { try request(method, uri) }
    #expect(problem?.status == status, "\(uri): \(problem?.detail ?? "")")
  }

  @Test func `a query that is too long is a bad one, at a path that is there`() {
    let long = String(repeating: "%C3%A4", count: 1000)
    let problem = #expect(throws: ScriptProblem.self) {
      try request(.GET, "/api/v1/orders?before=\(long)")
    }
    #expect(problem?.status == 400)
  }

  @Test func `a refused method names those that the path takes`() {
    let problem = #expect(throws: ScriptProblem.self) { try request(.PUT, "/api/v1/orders") }
    #expect(problem?.headers["Allow"] == "GET, POST, HEAD")
  }

  @Test func `a body must be JSON, and comes only where it is taken`() {
    let form: HTTPHeaders = ["content-type": "text/plain"]
    let other = #expect(throws: ScriptProblem.self) {
      try request(.POST, "/api/v1/orders", body: "{}", headers: form)
    }
    #expect(other?.status == 415)
    let none = #expect(throws: ScriptProblem.self) {
      try request(.DELETE, "/api/v1/orders/1", body: "{}")
    }
    #expect(none?.status == 400)
  }

  @Test(arguments: [
    ("{", 400), ("[]", 400), (#"{"clientId":1}"#, 400), (#"{"clientId":"a","clientId":"a"}"#, 400),
    (#"{"clientId":"a","type":"limit","side":"buy","quantity":"1","price":"1e3"}"#, 422),
    (#"{"clientId":"a","type":"limit","side":"buy","quantity":"1"}"#, 422),
    (#"{"clientId":"a","type":"market","side":"buy","quantity":"1","price":""}"#, 422),
    (#"{"clientId":"a","type":"market","side":"buy"}"#, 422),
    (#"{"clientId":"-a","type":"market","side":"buy","quantity":"1"}"#, 422),
    (#"{"clientId":"a","type":"market","side":"buy","quantity":"1","iceberg":"1"}"#, 400),
  ])
  func `an invalid order has its status`(body: String, status: Int) {
    let problem = #expect(throws: ScriptProblem.self) { try ScriptBody.ticket(Array(body.utf8)) }
    #expect(problem?.status == status, "\(body): \(problem?.detail ?? "")")
  }

  @Test func `a figure that is too long is rejected with its limit`() {
    let figure = String(repeating: "9", count: 22)
    let body = #"{"clientId":"a","type":"market","side":"buy","quantity":"\#(figure)"}"#
    let problem = #expect(throws: ScriptProblem.self) { try ScriptBody.ticket(Array(body.utf8)) }
    #expect(problem?.field == "quantity" && problem?.detail.contains("15 at most") == true)
  }

  @Test func `a refusal of the server is a problem with its headers`() {
    let response = ScriptProblem.form(
      .init(status: .unauthorized, headers: ["WWW-Authenticate": "Bearer"], text: "A token.\n"))
    #expect(response.status == .unauthorized)
    #expect(response.headers.first(name: "content-type") == "application/problem+json")
    #expect(response.headers.first(name: "www-authenticate") == "Bearer")
    let text =
      #"{"type":"about:blank","title":"Token needed","status":401,"detail":"A token."}"#
    #expect(response.text == text)
  }

  @Test func `each route is found at its own path and leads nowhere else`() throws {
    for route in ScriptRoute.all {
      let path = route.path.replacing("{instrument}", with: "kraken%2FBTC%2FUSD")
        .replacing("{order}", with: "17")
      let head = HTTPRequestHead(
        version: .http1_1, method: HTTPMethod(rawValue: route.method),
        uri: ScriptRoute.root + path, headers: ["content-type": "application/json"])
      #expect(try ScriptRequest(head, []).route.action == route.action)
    }
    #expect(Set(ScriptRoute.all.map(\.action)).count == ScriptRoute.Action.allCases.count)
  }

  @Test func `the API's document describes every route with its parameters, and no other`() throws {
    let file = try #require(try WebFiles().file(at: "/assets/api/openapi.json"))
    let document = try JSONDecoder().decode(APIDocument.self, from: Data(file.bytes))
    #expect(document.paths.values.reduce(0) { $0 + $1.count } == ScriptRoute.all.count)
    for route in ScriptRoute.all {
      let operation = try #require(
        document.paths[ScriptRoute.root + route.path]?[route.method.lowercased()])
      #expect(operation.operationId == route.action.rawValue)
      #expect((operation.requestBody != nil) == route.takesBody)
      #expect(operation.responses[String(route.status)] != nil)
      let described = operation.parameters ?? []
      #expect(described.map(\.name) == route.parameters.map(\.name))
      for (own, described) in zip(route.parameters, described) {
        #expect(described.in == own.place.rawValue)
        let schema = described.schema
        switch own.kind {
        case .integer(let bounds):
          #expect(schema.minimum == bounds.lowerBound && schema.maximum == bounds.upperBound)
        case .numbers(let numbers): #expect(schema.enum == numbers.map { .number($0) })
        case .choice(let words): #expect(schema.enum == words.map { .text($0) })
        case .instrument:
          let venues = Venue.allCases.map(\.rawValue).joined(separator: "|")
          #expect(schema.pattern?.hasPrefix("^(\(venues))/") == true)
        }
      }
    }
  }
}

/// What a test compares of `openapi.json`.
private struct APIDocument: Decodable {
  struct Operation: Decodable {
    struct Parameter: Decodable {
      let name, `in`: String
      let schema: Schema
    }
    let operationId: String
    let parameters: [Parameter]?
    let requestBody: Ignored?
    let responses: [String: Ignored]
  }
  struct Schema: Decodable {
    let minimum, maximum: Int64?
    let pattern: String?
    let `enum`: [Value]?
  }
  struct Ignored: Decodable {}
  enum Value: Decodable, Equatable {
    case text(String), number(Int64)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Int64.self) {
        self = .number(number)
      } else {
        self = .text(try value.decode(String.self))
      }
    }
  }

  let paths: [String: [String: Operation]]
}
