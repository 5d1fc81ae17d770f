import AppState
import Combine
import FeedConnections
import Foundation
import MarketModel
import PaperTrading
import PhoneStoresFixtures
import SocketTransport
import Testing
import TicketModel
import VenueCatalogue
import VenueProtocols

@testable import PhoneStores

@MainActor @Suite struct StoreTests {
  @Test func `a price of the tracker reaches its row only, which flashes for a second`() throws {
    let feeds = TestFeeds()
    let store = FeedStore(feeds: feeds.client)
    store.open()
    feeds.connection(.echo, .live)
    try feeds.quote(.echo, "AAPL", "1.00", changes: 1)
    let row = try #require(store.rows[try symbol("AAPL")])
    var redrawn = 0
    let observation = store.objectWillChange.sink { redrawn += 1 }
    try feeds.quote(.echo, "AAPL", "2.00", .up, changes: 2)
    #expect(row.row.price == (try decimal("2.00")))
    #expect(row.flash == .up)
    feeds.pass(1000)
    #expect(row.flash == nil)
    #expect(redrawn == 0, "the list itself has not changed")
    observation.cancel()
    store.close()
    #expect(feeds.observers.values.allSatisfy { $0 == 0 })
  }

  @Test func `a link selects tab and screen, and an unknown one is reported`() throws {
    let router = Router()
    router.open(link: "stocks://symbol/AAPL")
    #expect(router.tab == .tracker)
    #expect(router.tracker == [.symbol(try symbol("AAPL"))])
    let place = router.place
    router.open(link: "stocks://nowhere/at/all")
    #expect(router.isLost)
    let restored = Router()
    restored.restore(place)
    #expect((restored.tab, restored.tracker) == (router.tab, router.tracker))
  }

  @Test func `venues are found below a Livetape server, the token among BUX's headers only`() throws
  {
    let token = try #require(AccessToken("secret"))
    func list(_ choice: MarketChoice) -> VenueList { VenueList(choice) }
    let server = MarketChoice(.server, server: "http://mac.local:8080/")
    let venues = list(server).connections(token: token, seed: 1)
    let books = Venue.allCases.filter { !$0.descriptor.books.isEmpty }
    #expect(
      venues.map(\.endpoint.description)
        == books.map { "ws://mac.local:8080/\($0)\($0.descriptor.simulatedPath)" } + [
          "ws://mac.local:8080/bux/subscriptions/me", "ws://mac.local:8080/echo",
        ])
    #expect(
      venues.filter { $0.headers.contains { $0.value.contains("secret") } }
        .map(\.session.venue) == [.bux])
    #expect(venues.allSatisfy { $0.session.origin == .simulated })
    let real = list(MarketChoice(.venues)).connections(token: nil, seed: 1)
    let hosts = books.filter { $0 != .bitmex }
      .compactMap { $0.descriptor.publicAddress.flatMap(URL.init(string:))?.host }
    #expect(
      real.map(\.endpoint.host) == hosts + ["rtf.beta.getbux.com", "ws.postman-echo.com"])
    #expect(real.allSatisfy { $0.endpoint.isSecure && $0.session.origin == .venue })
    #expect(list(MarketChoice(.venues)).closed == [.bitmex], "it closed for good")
    #expect(list(server).closed.isEmpty)
    var entered = MarketChoice(.venues)
    entered[.exchange] = "tcp://127.0.0.1:8091"
    entered[.bux] = "http://127.0.0.1:8080"
    let own = list(entered).connections(token: nil, seed: 1).filter {
      [.exchange, .bux].contains($0.session.venue)
    }
    #expect(Set(own.map(\.endpoint.port)) == [8080, 8091])
    #expect(own.allSatisfy { $0.session.origin == .custom }, "whatever its host looks like")
    #expect(list(MarketChoice(.server, server: "nonsense")).addresses.isEmpty)
  }

  @Test(arguments: TicketDraft.Condition.allCases, TicketDraft.Validity.allCases)
  func `the order service receives what the ticket shows`(
    condition: TicketDraft.Condition, validity: TicketDraft.Validity
  ) throws {
    let expiry = Timestamp(milliseconds: 7)
    let order = TicketOrder(
      name: "a", instrument: "kraken:BTC/USD", side: .sell, terms: .limit(price: "5", validity),
      quantity: "2", condition: condition, trigger: "3", profit: "4", isReduceOnly: true,
      expiry: expiry)
    let ticket = try #require(OrderTicket(order))
    let waits: [TicketDraft.Condition: TriggerTicket] = [
      .stop: TriggerTicket(.stop, at: "3"), .takeProfit: TriggerTicket(.takeProfit, at: "3"),
      .trail: TriggerTicket(trailing: "3", in: .price),
      .trailPercent: TriggerTicket(trailing: "3", in: .percent),
    ]
    let exits: [TicketDraft.Condition: ExitsTicket] = [
      .oco: ExitsTicket(.oco, stop: "3"),
      .bracket: ExitsTicket(.bracket, stop: "3", takeProfit: "4"),
    ]
    #expect(ticket.trigger == waits[condition] && ticket.exits == exits[condition])
    let kinds: [TicketDraft.Validity: OrderTicket.Kind] = [
      .immediateOrCancel: .limit(price: "5", .immediateOrCancel),
      .fillOrKill: .limit(price: "5", .fillOrKill),
    ]
    #expect(ticket.kind == kinds[validity] ?? .limit(price: "5"))
    let isPostOnly = [.postOnly, .postHour, .postDay, .postWeek].contains(validity)
    #expect(
      ticket.terms == OrderTerms(isPostOnly: isPostOnly, isReduceOnly: true, expiry: expiry))
  }

  @Test func `PD9 neither a box nor a dump of it reveals the token`() {
    let box = TokenBox("secret.token")
    var text = ""
    dump(box, to: &text)
    #expect(!text.contains("secret"))
    #expect(!String(reflecting: box.token).contains("secret"))
    box.replace(nil)
    #expect(box.token == nil)
  }
}
