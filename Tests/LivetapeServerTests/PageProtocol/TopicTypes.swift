import Foundation
import MarketModel
import VenueCatalogue

@testable import LivetapeServer
import WireJSON

enum JSONShape: Decodable {
  case null
  case boolean(Bool)
  case number
  case text(String)
  case list([JSONShape])
  case object([String: JSONShape])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if (try? value.decode(Double.self)) != nil {
      self = .number
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONShape].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONShape].self))
    }
  }

  init(_ page: PageValue) throws {
    var writer = JSONWriter()
    page.write(to: &writer)
    self = try JSONDecoder().decode(JSONShape.self, from: Data(writer.bytes))
  }
}

/// TypeScript types of topics, derived from encoded states: a member that some state leaves out is
/// optional, a word is one of the seen ones.
struct TopicTypes {
  /// Members with enumerated texts.
  private static let words: Set = [
    "worst", "connection", "state", "origin", "phase", "direction", "status", "unit", "side",
    "type", "market", "kind", "timeInForce", "method", "rung", "span",
    "witness", "standing", "pending",
  ]
  /// Members with sentences for the user.
  private static let sentences: Set = [
    "cause", "doubt", "evidence", "failure", "message", "note", "obstacle", "problem", "reason",
  ]
  /// Objects with names as keys, not members.
  private static let maps: Set = ["venues", "rows", "orders", "totals"]
  /// The type names of the objects, or the elements, under a member.
  private static let names = [
    "freshness": "Freshness", "venues": "Venue", "choices": "ProductChoice",
    "failure": "ProductFailure", "instruments": "Instrument", "orders": "Order",
    "counts": "OrderCounts", "ledger": "Ledger", "lists": "MarketList",
    "Positions.average": "PositionCost", "Positions.fifo": "PositionCost",
    "currencies": "ConvertedCurrency", "legs": "ConversionLeg",
    "Conversion.total": "ConvertedTotal", "ConvertedTotal.average": "ConvertedCost",
    "ConvertedTotal.fifo": "ConvertedCost",
    "Positions.rows": "Positions", "Positions.totals": "CurrencyTotal",
    "Asset.markets": "AssetMarket", "Asset.best": "AssetQuote", "bidRows": "AssetLevel",
    "askRows": "AssetLevel", "Markets.rows": "Market", "Survey.rows": "SurveyedMarket",
    "Latency.venues": "VenueLatency", "clock": "VenueClock", "readerClock": "VenueClock",
    "rungs": "LatencyFigures",
    "Alerts.rows": "PriceAlert", "Faults.venues": "BreakableVenue", "running": "RunningFault",
    "firings": "AlertFiring", "blind": "BlindTime", "day": "TruthDay",
  ]
  /// Arrays with a meaning for each place, or with such elements.
  private static let tuples: [String: (name: String, places: [String])] = [
    "bids": (
      "BookRow", ["price", "size", "inBase", "share", "part", "total", "cost", "average"]
    ),
    "asks": (
      "BookRow", ["price", "size", "inBase", "share", "part", "total", "cost", "average"]
    ),
    "trades": (
      "Trade",
      ["arrival", "price", "size", "inBase", "side", "time", "count", "from", "share"]
    ),
    "parts": ("AssetPart", ["market", "size", "share"]),
    "spreads": ("AssetSpread", ["time", "basisPoints"]),
    "groups": ("PriceGroup", ["ticks", "step"]),
    "spans": ("TruthSpan", ["since", "kind", "cause"]),
    "dissents": ("Dissent", ["witness", "kind", "said", "shown"]),
    "dissenting": ("VenueDissent", ["symbol", "witness", "kind", "said", "shown"]),
    "levels": ("Amount", ["price", "quantity"]),
    "wouldHaveFilled": ("Amount", ["price", "quantity"]),
    "out": ("Amount", ["price", "quantity"]),
    "line": ("EquityPoint", ["time", "equity", "isFill"]),
    "fills": ("Fill", ["time", "price", "quantity", "fee", "isMaker", "evidence"]),
    "ticks": ("Tick", ["arrival", "time", "price", "quantity"]),
  ]

  /// The types of the texts that were seen in one place.
  typealias Types = Set<String>

  private struct Interface {
    var seen = 0
    var members: [String: (seen: Int, types: Types)] = [:]
  }

  private var interfaces: [String: Interface] = [:]
  private var arrays: [String: [Types]] = [:]
  private var owner = ""
  private var variants: [String: Set<String>] = [:]
  private var topics: [(name: String, type: String)] = []

  init(of samples: [TopicSamples]) throws {
    for topic in samples {
      topics.append((topic.topic, topic.type))
      let states = try topic.states.compactMap { state in
        if case .object(let members) = try JSONShape(state) { members } else { nil }
      }
      let isSaid = states.contains { members in
        if case .boolean(true)? = members["known"] { true } else { false }
      }
      for members in states {
        if isSaid { take(members, of: topic.type) } else { add(members, to: topic.type) }
      }
    }
  }

  private mutating func take(_ members: [String: JSONShape], of type: String) {
    guard case .boolean(let isKnown)? = members["known"] else {
      return add(members, to: type)
    }
    let name = isKnown ? "Known\(type)" : "Unknown\(type)"
    variants[type, default: []].insert(name)
    add(members, to: name)
  }

  private mutating func add(_ members: [String: JSONShape], to name: String) {
    var interface = interfaces[name, default: Interface()]
    interface.seen += 1
    let outer = owner
    defer { owner = outer }
    owner = name
    for (key, value) in members {
      var member = interface.members[key, default: (0, [])]
      member.seen += 1
      member.types.formUnion(types(of: value, under: key))
      interface.members[key] = member
    }
    interfaces[name] = interface
  }

  private mutating func types(of value: JSONShape, under key: String) -> Types {
    switch value {
    case .text, .list:
      if TopicTypes.sentences.contains(key) { return ["Sentence"] }
    default: break
    }
    switch value {
    case .null: return ["null"]
    case .number: return ["number"]
    case .boolean(let value): return [key == "known" ? "\(value)" : "boolean"]
    case .text(let text): return [TopicTypes.words.contains(key) ? "\"\(text)\"" : "string"]
    case .list(let values): return list(values, under: key)
    case .object(let members): return object(members, under: key)
    }
  }

  private mutating func object(_ members: [String: JSONShape], under key: String) -> Types {
    guard TopicTypes.maps.contains(key) else {
      let name = name(of: key) ?? key.capitalized
      add(members, to: name)
      return [name]
    }
    let name = name(of: key) ?? "FeedRow"
    for case .object(let members) in members.values { add(members, to: name) }
    return ["{ [key: string]: \(name) }"]
  }

  /// The type name of the objects under a member; includes the state's name where members of two
  /// states share one.
  private func name(of key: String) -> String? {
    TopicTypes.names["\(owner).\(key)"] ?? TopicTypes.names[key]
  }

  private mutating func list(_ values: [JSONShape], under key: String) -> Types {
    if let tuple = TopicTypes.tuples[key] {
      if case .list? = values.first {
        for case .list(let places) in values { add(places, to: tuple) }
        return ["\(tuple.name)[]"]
      }
      if !values.isEmpty, key == "wouldHaveFilled" || key == "out" {
        add(values, to: tuple)
        return [tuple.name]
      }
      return []
    }
    let name = name(of: key) ?? "ListedStock"
    return values.reduce(into: []) { types, value in
      if case .object(let members) = value {
        add(members, to: name)
        types.insert("\(name)[]")
      } else {
        for type in self.types(of: value, under: key) { types.insert("\(type)[]") }
      }
    }
  }

  private mutating func add(
    _ values: [JSONShape], to tuple: (name: String, places: [String])
  ) {
    var places = arrays[tuple.name, default: Array(repeating: [], count: tuple.places.count)]
    precondition(values.count == places.count, "\(tuple.name) has other places")
    for (index, value) in values.enumerated() {
      places[index].formUnion(types(of: value, under: tuple.places[index]))
    }
    arrays[tuple.name] = places
  }
}

// The text

extension TopicTypes {
  /// The types as a file for the page's type check.
  var text: String {
    var lines = [
      "// The states of all topics, written from the server's encoders by TopicTypesTests. To",
      "// regenerate it: UPDATE_TOPIC_TYPES=1 swift test --filter TopicTypesTests. Only for the",
      "// type check: nothing of this folder is served.",
      "",
      "declare namespace Topic {",
    ]
    for name in interfaces.keys.sorted() { lines += declaration(of: name) }
    for name in arrays.keys.sorted() { lines += tuple(name) }
    for (name, kinds) in variants.sorted(by: { $0.key < $1.key }) {
      lines += ["  type \(name) = \(kinds.sorted().joined(separator: " | "));", ""]
    }
    lines.append("  /** The state of a topic, by its name. */")
    lines.append("  interface ByName {")
    for (topic, type) in topics {
      let pattern = topic.replacing("*", with: "${string}")
      lines.append("    \(topic.contains("*") ? "[name: `\(pattern)`]" : topic): \(type);")
    }
    return (lines + ["  }", "}", ""]).joined(separator: "\n")
  }

  private func declaration(of name: String) -> [String] {
    guard let interface = interfaces[name] else { return [] }
    var lines = ["  interface \(name) {"]
    for (key, member) in interface.members.sorted(by: { $0.key < $1.key }) {
      let isPlain = key.allSatisfy { $0.isLetter }
      let mark = member.seen < interface.seen ? "?" : ""
      lines += TopicTypes.member((isPlain ? key : "\"\(key)\"") + mark, member.types)
    }
    return lines + ["  }", ""]
  }

  private static func member(_ key: String, _ types: Types) -> [String] {
    let line = "    \(key): \(types.sorted().joined(separator: " | "));"
    guard line.count > 100 else { return [line] }
    let rows = types.sorted().map { "      | \($0)" }
    return ["    \(key):"] + rows.dropLast() + [(rows.last ?? "") + ";"]
  }

  private func tuple(_ name: String) -> [String] {
    let labels = TopicTypes.tuples.values.first { $0.name == name }?.places ?? []
    let places = zip(labels, arrays[name] ?? []).map { label, types in
      "    \(label): \(types.sorted().joined(separator: " | ")),"
    }
    return ["  type \(name) = ["] + places + ["  ];", ""]
  }
}
