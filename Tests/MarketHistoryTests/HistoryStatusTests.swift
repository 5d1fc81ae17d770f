import MarketHistory
import MarketModel
import Testing

@Suite struct HistoryStatusTests {
  @Test("A failure says why the past is missing")
  func words() {
    #expect(HistoryFailure.rateLimited.userMessage.contains("fewer requests"))
  }
}
