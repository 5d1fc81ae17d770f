import AppState
import MarketModel
import PaperTrading

enum ScriptSchema {
  struct Member {
    let name: String
    let schema: PageValue
    var isRequired = true
  }

  static func text(
    _ about: String, pattern: String? = nil, choices: [String] = []
  ) -> PageValue {
    var object = PageObject()
    object.set("type", text: "string")
    object.set("description", text: about)
    object.set("pattern", text: pattern)
    if !choices.isEmpty { object.set("enum", .array(choices.map(PageValue.text))) }
    return object.value
  }

  static func integer(_ about: String, least: Int64? = 0, most: Int64? = nil) -> PageValue {
    var object = PageObject()
    object.set("type", text: "integer")
    object.set("description", text: about)
    object.set("minimum", integer: least)
    object.set("maximum", integer: most)
    return object.value
  }

  static func boolean(_ about: String) -> PageValue {
    var object = PageObject()
    object.set("type", text: "boolean")
    object.set("description", text: about)
    return object.value
  }

  static func list(_ item: PageValue) -> PageValue {
    var object = PageObject()
    object.set("type", text: "array")
    object.set("items", item)
    return object.value
  }

  static func reference(_ name: String) -> PageValue {
    var object = PageObject()
    object.set("$ref", text: "#/components/schemas/\(name)")
    return object.value
  }

  static func orNull(_ schema: PageValue) -> PageValue {
    var nothing = PageObject()
    nothing.set("type", text: "null")
    return any("anyOf", [schema, nothing.value])
  }

  static func any(_ word: String, _ schemas: [PageValue]) -> PageValue {
    var object = PageObject()
    object.set(word, .array(schemas))
    return object.value
  }

  static func constant(_ text: String) -> PageValue {
    var object = PageObject()
    object.set("const", text: text)
    return object.value
  }

  /// An object with exactly these members.
  static func object(_ about: String, _ members: [Member], least: Int? = nil) -> PageValue {
    var object = PageObject()
    object.set("type", text: "object")
    object.set("description", text: about)
    object.setObject("properties") { properties in
      for member in members { properties.set(member.name, member.schema) }
    }
    object.set("required", .array(members.filter(\.isRequired).map { .text($0.name) }))
    object.set("additionalProperties", .boolean(false))
    object.set("minProperties", integer: least)
    return object.value
  }
}

enum ScriptSchemas {
  private typealias S = ScriptSchema
  private typealias Member = ScriptSchema.Member

  /// A figure sent by a script.
  static let decimalPattern = "^[0-9]{1,15}(\\.[0-9]{1,12})?$"
  private static let clientPattern = "^[A-Za-z0-9._:][A-Za-z0-9._:-]{0,63}$"

  private static func decimal(_ about: String) -> PageValue {
    S.text(about, pattern: "^-?[0-9]+(\\.[0-9]+)?$")
  }
  private static func must(_ name: String, _ schema: PageValue) -> Member {
    Member(name: name, schema: schema)
  }
  private static func may(_ name: String, _ schema: PageValue) -> Member {
    Member(name: name, schema: schema, isRequired: false)
  }
  private static func time(_ about: String) -> PageValue {
    S.integer(about + ", milliseconds since 1970, UTC", least: nil)
  }

  /// The members at the beginning and end of every object.
  private static func subject(
    _ type: String, ofInstrument: Bool = false, _ members: [Member]
  ) -> PageValue {
    var all = [must("type", S.constant(type))]
    if ofInstrument { all.append(must("instrument", S.text("Venue and symbol."))) }
    all.append(must("freshness", S.reference("Freshness")))
    all += members
    all += [
      must(
        "sequence",
        S.integer("Counts up with each change, over all objects; no two changes share one.")),
      must("at", time("When the server said it")),
    ]
    return S.object("", all)
  }

  static let all: [(String, PageValue)] =
    [
      ("Freshness", freshness), ("Problem", problem), ("Instruments", instruments),
      ("Ticker", ticker), ("Book", book), ("Trades", trades), ("Candles", candles),
      ("Connections", connections), ("OrderState", orderState), ("Order", order),
      ("Orders", orders), ("Positions", positions), ("OrderTicket", ticket),
      ("Amendment", amendment), ("Document", document), ("Fills", S.text("CSV with a header.")),
    ]

  private static let document: PageValue = {
    var object = PageObject()
    object.set("type", text: "object")
    return object.value
  }()

  private static let freshness = S.object(
    "Whether a value can be believed, where it comes from and how old it is.",
    [
      must("state", S.text("What it is worth.", choices: FreshnessState.allCases.map(\.rawValue))),
      must(
        "origin",
        S.text(
          "venue is the real one, replay a recording, custom an address that somebody gave.",
          choices: DataOrigin.allCases.map(\.rawValue))),
      may("lateAfter", S.integer("Milliseconds of silence after which it is late.")),
      may("confirmedAt", time("When it was last confirmed")),
      must(
        "age", S.orNull(S.integer("Milliseconds since it was last confirmed; null before that."))),
    ])

  private static let problem = S.object(
    "RFC 9457: what went wrong.",
    [
      must("type", S.constant("about:blank")), must("title", S.text("The kind.")),
      must("status", S.integer("The status of HTTP.", least: 400, most: 599)),
      must("detail", S.text("One line about this one.")),
      may("field", S.text("The field of the order.", choices: ["quantity", "price"])),
      may("order", S.text("The order that it is about.", pattern: "^[0-9]+$")),
    ])

  private static let instruments = subject(
    "instruments",
    [
      must("total", S.integer("How many there are in all.")),
      may("next", S.text("What to ask for `after` to get more.")),
      must(
        "instruments",
        S.list(
          S.object(
            "An instrument.",
            [
              must("id", S.text("Its name in paths.")), must("venue", S.text("Its venue.")),
              must("symbol", S.text("Its name there.")), must("name", S.text("For people.")),
              must(
                "kind", S.text("spot, token, contract, perpetual, share, product, stock or made.")),
              may("quote", S.text("What it is paid in.")),
              must("open", S.boolean("Whether it has a market now.")),
            ]))),
    ])

  private static let ticker = subject(
    "ticker", ofInstrument: true,
    ["price", "change", "percent", "high", "low", "volume", "vwap"].map {
      may($0, decimal("Of the last 24 hours, or since `since`."))
    } + ["bid", "bidSize", "ask", "askSize"].map { may($0, decimal("Best now.")) }
      + [
        may("trades", S.integer("How many.")), may("since", time("When the figures begin")),
        may("valueAt", time("The figures' own time")),
      ])

  private static let level: PageValue = {
    var object = PageObject()
    object.set("type", text: "array")
    object.set("description", text: "Price and size.")
    object.set("prefixItems", .array([decimal("Price."), decimal("Size.")]))
    object.set("minItems", integer: 2)
    object.set("maxItems", integer: 2)
    return object.value
  }()

  private static let book = subject(
    "book", ofInstrument: true,
    [
      must("status", S.text("", choices: ["waiting", "synced", "resyncing"])),
      must("unit", S.text("What sizes count.", choices: ["base", "contracts"])),
      must("bids", S.list(level)), must("asks", S.list(level)),
      must("bidLevels", S.integer("All that the server holds.")),
      must("askLevels", S.integer("All that the server holds.")),
      must("venueChanges", S.integer("Changes of the venue applied so far.")),
      must("resyncs", S.integer("How often it was refetched.")),
      may("doubt", S.text("Why it is being refetched.")),
      must(
        "hash",
        S.object(
          "The server's word: FNV-1a of the JSON of [bids,asks] without blanks.",
          [
            must("kind", S.constant("fnv1a64")),
            must("value", S.text("", pattern: "^[0-9a-f]{16}$")),
          ])),
      may(
        "unbroken",
        S.object(
          "At venues that number their messages: none is missing since the book's snapshot.",
          [
            must("messages", S.integer("Messages of the book, or at Coinbase of the connection.")),
            must("at", time("The book's latest one")),
          ])),
      may(
        "checksum",
        S.object(
          "The venue's word: CRC-32 over asks, then bids, best first, price and size with so many "
            + "digits after the point, without the point and leading zeros.",
          [
            must("kind", S.constant("crc32")),
            must("value", S.integer("", most: 4_294_967_295)),
            must("rows", S.integer("Rows a side.")), must("at", time("When it came")),
            must("priceDigits", S.integer("")), must("sizeDigits", S.integer("")),
          ])),
    ])

  private static let trades = subject(
    "trades", ofInstrument: true,
    [
      must(
        "coverage",
        S.object(
          "Whether any trade is missing between those listed, by the venue's numbers.",
          [
            must("whole", S.orNull(S.boolean("Null where the venue gives no numbers."))),
            must("missing", S.integer("How many are known to be missing.")),
            may("from", time("The oldest")), may("to", time("The newest")),
          ])),
      must(
        "trades",
        S.list(
          S.object(
            "A trade.",
            [
              must("number", S.integer("Counts up as they arrive.")),
              may("venueNumber", S.integer("The venue's own.")),
              must("price", decimal("")), must("size", decimal("")),
              must(
                "side", S.orNull(S.text("The taker's.", choices: ["buy", "sell"]))),
              must("at", time("The venue's time")),
            ]))),
    ])

  private static let candles = subject(
    "candles", ofInstrument: true,
    [
      must("revision", S.integer("Another one when older candles changed.")),
      must("latest", S.integer("The number of the latest tick in them.")),
      must("history", S.text("", choices: ["none", "loading", "ready", "failed"])),
      must("interval", S.integer("Milliseconds.")),
      must("hasOlder", S.boolean("Whether there are candles before the first.")),
      must(
        "coverage",
        S.object(
          "What of the time of these candles somebody vouches for.",
          [
            must("whole", S.orNull(S.boolean("All of it; null without candles."))),
            may("seenSince", time("From when on everything was seen")),
            must(
              "gaps",
              S.list(
                S.object("Not seen.", [must("from", time("From")), must("to", time("To"))]))),
          ])),
      must(
        "candles",
        S.list(
          S.object(
            "A candle.",
            [must("start", time("Start"))]
              + ["open", "high", "low", "close", "volume"].map { must($0, decimal("")) } + [
                may("trades", S.integer("How many; absent where the venue does not count them.")),
                must("missing", S.integer("Milliseconds that nobody vouches for.")),
                must("source", S.text("Who vouches.", choices: ["venue", "trades", "seen"])),
                must(
                  "proof",
                  S.text(
                    "Compared with the venue's.", choices: ["none", "proven", "contradicted"])),
              ]))),
    ])

  private static let connections = subject(
    "connections",
    [
      must("worst", S.text("", choices: ["connected", "connecting", "disconnected"])),
      must(
        "connections",
        S.list(
          S.object(
            "A connection.",
            [
              must("venue", S.text("")), must("name", S.text("")),
              must("phase", S.text("", choices: ConnectionPhase.allCases.map(\.rawValue))),
              must("connected", S.boolean("Whether data can flow.")),
              must("origin", S.text("", choices: DataOrigin.allCases.map(\.rawValue))),
              may("since", time("Since when")), may("lastMessageAt", time("The latest")),
              may("roundTripMicroseconds", S.integer("")),
              may(
                "delayMilliseconds",
                S.integer("How long answers take, while that makes all that it says late.")),
              must("reconnects", S.integer("")), must("resyncs", S.integer("")),
              must("rejected", S.integer("")),
              must(
                "skippedInstruments",
                S.integer("Instruments of the venue's list that are left out.")),
              may("nextAttemptAt", time("The next")),
              may("reason", S.text("Why it is not live.")),
            ]))),
    ])

  private static let orderState = S.object(
    "An order as it is on disk.",
    [
      must("id", S.text("Its number.", pattern: "^[0-9]+$")),
      must("clientId", S.text("The name that its sender gave.")),
      must("symbol", S.text("The exchange's stock, or VENUE:SYMBOL.")),
      may("currency", S.text("The quote currency of a venue's market.")),
      may("possible", decimal("The most that may be filled; filled is certain.")),
      must(
        "status",
        S.text("", choices: OrderStatus.allCases.map(\.rawValue))),
      must("type", S.text("", choices: ["market", "limit"])),
      must("side", S.text("", choices: ["buy", "sell"])),
      must("timeInForce", S.text("", choices: ["gtc", "ioc", "fok"])),
      must("amendments", S.integer("How often it was amended.")),
      must("placedAt", time("Placed")), must("changedAt", time("Changed")),
      may("reason", S.text("Why the rest was not filled.")),
      must(
        "fills",
        S.list(
          S.object(
            "A fill; the latest 32, oldest first.",
            [
              must("at", time("When")), must("price", decimal("")),
              must("quantity", decimal("")),
              may("fee", decimal("The venue's fee; negative for a rebate.")),
              may("role", S.text("", choices: ["maker", "taker"])),
            ]))),
    ] + ["quantity", "filled", "open", "cancelled"].map { must($0, decimal("")) }
      + ["price", "protection", "average", "slippage", "fees"].map { may($0, decimal("")) })

  private static let order = subject(
    "order",
    [
      may("repeated", S.boolean("The command came before, and nothing happened again.")),
      must("order", S.reference("OrderState")),
    ])

  private static let orders = subject(
    "orders",
    [
      must("orders", S.list(S.reference("OrderState"))),
      may("total", S.integer("Ever placed.")), may("openCount", S.integer("Open ones.")),
      may("failure", S.text("Why orders are refused now.")),
      may(
        "ledger",
        S.object(
          "The hash chain that the orders are in.",
          [
            must("events", S.integer("Its length.")), must("head", S.text("Its latest hash.")),
            must("intact", S.boolean("Whether it was found whole.")),
          ])),
    ])

  private static func cost(_ method: String) -> PageValue {
    S.object(
      "By \(method).",
      [
        may("cost", decimal("Of one unit.")),
        must("realised", decimal("Of what was closed, before fees.")),
        may("unrealised", decimal("Of what is open, at `out`.")),
      ])
  }

  private static let positions = subject(
    "positions", ofInstrument: true,
    [
      must("currency", S.text("ISO 4217.")),
      may("quantity", decimal("Negative when more was sold than bought.")),
      must("cash", decimal("What sales brought less what purchases and fees cost.")),
      may("fees", decimal("The venue's fees of all fills.")),
      may("out", level), may("value", decimal("All of it, at `out`.")),
      may("equity", decimal("Cash and value.")),
      may("note", S.text("What is not known of the way out.")),
      must("average", cost("average cost")), must("fifo", cost("first in, first out")),
      must(
        "line",
        S.list(
          S.object(
            "Cash and position, after a fill or at a minute; oldest first.",
            [
              must("at", time("When")), must("equity", decimal("")),
              must("fill", S.boolean("At the price of a fill, not at the one to get out at.")),
            ]))),
      may("failure", S.text("Why orders are refused now.")),
    ])

  private static let ticketMembers = [
    must("clientId", S.text("Your name for it, once per order.", pattern: clientPattern)),
    may("instrument", S.text("A market, kraken:BTC/USD; the exchange's stock without one.")),
    must("side", S.text("", choices: ["buy", "sell"])),
    must("quantity", S.text("", pattern: decimalPattern)),
  ]

  private static let ticket = S.any(
    "oneOf",
    [
      S.object(
        "A market order: immediate or cancel.",
        ticketMembers + [
          must("type", S.constant("market")),
          may("protection", S.text("Nothing is taken beyond it.", pattern: decimalPattern)),
        ]),
      S.object(
        "A limit order.",
        ticketMembers + [
          must("type", S.constant("limit")), must("price", S.text("", pattern: decimalPattern)),
          may("timeInForce", S.text("", choices: ["gtc", "ioc", "fok"])),
        ]),
    ])

  private static let amendment = S.object(
    "What is to become of it: a quantity, a price, or both.",
    [
      must("clientId", S.text("Your name for the amendment.", pattern: clientPattern)),
      may("quantity", S.text("With what is filled.", pattern: decimalPattern)),
      may("price", S.text("", pattern: decimalPattern)),
    ], least: 2)
}
