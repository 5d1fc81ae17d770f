import AppState
import MarketModel
import MarketStreams
import VenueCatalogue
import WireJSON

/// The list of all markets; its thousands of rows are encoded once.
struct MarketsTopic: TopicScreen {
  /// The number of rows sent before the rest.
  static let firstRows = 24

  private var screen: MarketListScreen
  private var rows: PageValue

  init(_ screen: MarketListScreen) {
    self.screen = screen
    rows = MarketsTopic.encode(screen.state.rows)
  }

  var interests: Set<StreamInterest> { screen.interests }

  let isLasting = true

  var page: PageValue { page(rows) }

  var beginning: PageValue? {
    page(MarketsTopic.encode(Array(screen.state.rows.prefix(MarketsTopic.firstRows))))
  }

  private func page(_ rows: PageValue) -> PageValue {
    var object = PageObject()
    object.set("rows", rows)
    object.set("freshness", freshness: screen.state.freshness)
    return object.value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    let before = screen.state.rows
    let effects = screen.receive(input, at: now)
    if screen.state.rows != before { rows = MarketsTopic.encode(screen.state.rows) }
    return effects
  }

  static func encode(_ rows: [MarketRow]) -> PageValue {
    var writer = JSONWriter(capacity: rows.count * 128)
    writer.array(rows) { writer, row in
      writer.beginObject()
      writer.member("id", row.id)
      writer.member("venue", row.instrument.venue.rawValue)
      writer.member("symbol", row.instrument.symbol.text)
      let market = row.instrument.marketName
      if market != row.instrument.symbol { writer.member("address", market.text) }
      writer.member("name", row.name)
      writer.member("kind", row.kind.rawValue)
      // A pair's symbol already contains it.
      if !row.quote.isEmpty, !row.instrument.symbol.text.contains("/") {
        writer.member("quote", row.quote)
      }
      writer.member("open", row.isOpen)
      writer.endObject()
    }
    return .leaf(writer.bytes)
  }
}

/// The survey of all markets; only changed rows are re-encoded.
struct SurveyTopic: TopicScreen {
  private var state = SurveyState()
  private var fields: [PageField] = []

  let interests: Set<StreamInterest> = [.survey]

  var page: PageValue {
    var object = PageObject()
    object.set("rows", .object(fields))
    return object.value
  }

  var beginning: PageValue? {
    var object = PageObject()
    object.set("rows", .object(Array(fields.prefix(MarketsTopic.firstRows))))
    return object.value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard case .survey(let survey) = input else { return [] }
    let before = state.rows
    state = survey
    // Rows keep their positions, so they compare by position.
    for (place, row) in state.rows.enumerated() {
      if place < before.count, place < fields.count, before[place] == row { continue }
      let field = PageField(key: row.instrument.text, value: SurveyTopic.encode(row.figures))
      if place < fields.count { fields[place] = field } else { fields.append(field) }
    }
    return []
  }

  private static func encode(_ figures: DayFigures) -> PageValue {
    var object = PageObject()
    object.set("price", decimal: figures.last)
    object.set("percent", decimal: figures.percentOfStart)
    object.setDay(of: figures)
    object.set("at", time: figures.at)
    return object.value
  }
}

extension MarketListsState: PageEncodable {
  var page: PageValue {
    var object = PageObject()
    object.set("lists") { lists.writeLists(to: &$0) }
    object.set("problem", sentence: problem)
    return object.value
  }
}
