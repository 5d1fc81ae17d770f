import MarketHistory
import MarketModel
import Testing

@Suite struct HistoryStatusTests {
  @Test("A failure gives the reason for the missing history")
  func words() {
    #expect(HistoryFailure.rateLimited.userMessage.description.contains("limits requests"))
  }
}
