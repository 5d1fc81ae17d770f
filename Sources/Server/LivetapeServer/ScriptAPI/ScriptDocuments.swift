import MarketModel

/// The script API's OpenAPI (HTTP) and AsyncAPI (WebSocket) documents, generated from the tables
/// that the router and the encoders use.
enum ScriptDocuments {
  static let version = "1.0.0"

  /// OpenAPI 3.1.
  static let openAPI: PageValue = {
    var document = PageObject()
    document.set("openapi", text: "3.1.0")
    document.set(
      "info",
      info(
        "Livetape", "Prices and sizes are strings of digits. Each object says what it is worth."))
    document.set("security", .array([security]))
    document.setObject("paths") { paths in
      var seen: Set<String> = []
      for route in ScriptRoute.all where seen.insert(route.path).inserted {
        paths.setObject(ScriptRoute.root + route.path) { path in
          for other in ScriptRoute.all where other.path == route.path {
            path.set(other.method.lowercased(), operation(other))
          }
        }
      }
    }
    document.setObject("components") { components in
      components.setObject("securitySchemes") { schemes in
        schemes.setObject("token") { scheme in
          scheme.set("type", text: "http")
          scheme.set("scheme", text: "bearer")
        }
      }
      components.set("schemas", schemas)
    }
    return document.value
  }()

  private static func info(_ title: String, _ description: String) -> PageValue {
    var info = PageObject()
    info.set("title", text: title)
    info.set("version", text: version)
    info.set("description", text: description)
    return info.value
  }

  private static let security: PageValue = {
    var object = PageObject()
    object.set("token", .array([]))
    return object.value
  }()

  private static let schemas: PageValue = .object(
    ScriptSchemas.all.map { PageField(key: $0.0, value: $0.1) })

  private static func operation(_ route: ScriptRoute) -> PageValue {
    var operation = PageObject()
    operation.set("operationId", text: route.action.rawValue)
    operation.set("summary", text: route.about)
    if !route.parameters.isEmpty {
      operation.set("parameters", .array(route.parameters.map(parameter)))
    }
    if let body = route.body {
      operation.setObject("requestBody") { request in
        request.set("required", boolean: true)
        request.set("content", content(body, "application/json"))
      }
    }
    operation.setObject("responses") { responses in
      responses.setObject(String(route.status)) { answer in
        answer.set("description", text: route.about)
        answer.set("content", content(route.answer, route.type))
      }
      for status in (ScriptRoute.commonProblems + route.problems).sorted() {
        responses.setObject(String(status)) { problem in
          problem.set("description", text: ScriptProblem.titles[status] ?? "")
          problem.set("content", content("Problem", ScriptProblem.contentType))
        }
      }
    }
    return operation.value
  }

  private static func content(_ schema: String, _ type: String) -> PageValue {
    var object = PageObject()
    object.setObject(type) { $0.set("schema", ScriptSchema.reference(schema)) }
    return object.value
  }

  private static func parameter(_ parameter: ScriptParameter) -> PageValue {
    var object = PageObject()
    object.set("name", text: parameter.name)
    object.set("in", text: parameter.place.rawValue)
    object.set("required", boolean: parameter.place == .path)
    object.set("description", text: parameter.about)
    object.set("schema", schema(parameter))
    return object.value
  }

  private static func schema(_ parameter: ScriptParameter) -> PageValue {
    switch parameter.kind {
    case .integer(let bounds):
      return ScriptSchema.integer(
        parameter.about, least: bounds.lowerBound, most: bounds.upperBound)
    case .numbers(let numbers):
      var object = PageObject()
      object.set("type", text: "integer")
      object.set("enum", .array(numbers.map { .leaf(Array(String($0).utf8)) }))
      return object.value
    case .choice(let words): return ScriptSchema.text(parameter.about, choices: words)
    case .instrument:
      let venues = Venue.allCases.map(\.rawValue).joined(separator: "|")
      return ScriptSchema.text(
        parameter.about,
        pattern: "^(\(venues))/[!#-\\[\\]-~]{1,\(Symbol.maximumBytes)}$")
    }
  }

  /// AsyncAPI 3.0.
  static let asyncAPI: PageValue = {
    var document = PageObject()
    document.set("asyncapi", text: "3.0.0")
    document.set(
      "info",
      info(
        "Livetape stream",
        "One WebSocket, JSON messages. At most \(TopicServer.maximumMessagesPerSecond) "
          + "messages a second of \(TopicServer.maximumScriptMessageBytes) bytes, and "
          + "\(TopicServer.maximumTopicsPerPage) subscriptions."))
    document.setObject("channels") { channels in
      channels.setObject("stream") { stream in
        stream.set("address", text: ScriptRoute.stream)
        stream.setObject("messages") { messages in
          for name in messageNames {
            messages.setObject(name) { message in
              message.set("payload", ScriptSchema.reference(name))
            }
          }
        }
      }
    }
    document.setObject("operations") { operations in
      for (name, action, messages) in [
        ("ask", "receive", ["Command"]), ("tell", "send", messageNames.filter { $0 != "Command" }),
      ] {
        operations.setObject(name) { operation in
          operation.set("action", text: action)
          operation.set("channel", local("#/channels/stream"))
          operation.set(
            "messages", .array(messages.map { local("#/channels/stream/messages/\($0)") }))
        }
      }
    }
    document.setObject("components") { components in
      guard case .object(let known) = schemas else { return }
      components.set(
        "schemas",
        .object(
          known + [
            PageField(key: "Command", value: command), PageField(key: "Reply", value: reply),
            PageField(key: "Refusal", value: refusal),
          ]))
    }
    return document.value
  }()

  private static let messageNames = [
    "Command", "Reply", "Refusal", "Ticker", "Book", "Trades", "Candles", "Connections", "Orders",
    "Positions",
  ]

  private static func local(_ path: String) -> PageValue {
    var object = PageObject()
    object.set("$ref", text: path)
    return object.value
  }

  /// The members that identify a subscription.
  private static let subject: [ScriptSchema.Member] = [
    .init(
      name: "channel",
      schema: ScriptSchema.text("", choices: ScriptSocketMessage.channels.map(\.name)),
      isRequired: false),
    .init(name: "instrument", schema: ScriptSchema.text("kraken/BTC/USD"), isRequired: false),
    .init(
      name: "interval", schema: ScriptSchema.integer("Of candles; 60000 until said otherwise."),
      isRequired: false),
    .init(
      name: "request", schema: ScriptSchema.integer("Comes back with the reply.", least: nil),
      isRequired: false),
  ]

  private static let command = ScriptSchema.object(
    "What a script says.",
    [
      .init(
        name: "do", schema: ScriptSchema.text("", choices: ["subscribe", "unsubscribe", "ping"]))
    ] + subject)

  private static let reply = ScriptSchema.object(
    "A command was done.",
    [
      .init(
        name: "type",
        schema: ScriptSchema.text("", choices: ["subscribed", "unsubscribed", "pong"])),
      .init(name: "at", schema: ScriptSchema.integer("Milliseconds since 1970, UTC.")),
    ] + subject)

  private static let refusal = ScriptSchema.object(
    "A command was refused, or a subscription has ended.",
    [
      .init(name: "type", schema: ScriptSchema.constant("problem")),
      .init(name: "problem", schema: ScriptSchema.reference("Problem")),
    ] + subject)
}
