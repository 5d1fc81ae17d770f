import AppState
import MarketModel

extension TopicServer {
  static let listsTopic = "lists"

  /// Changes a list for all pages and stores it.
  ///
  /// A rejection is not an error of the page, which may not have received another page's change
  /// yet.
  mutating func change(
    _ command: ListCommand, from page: PageID, at now: ClockReading
  ) -> [TopicEffect] {
    var changed = lists.lists
    do throws(MarketListProblem) {
      try command.apply(to: &changed)
    } catch {
      let refusal = PageRequestError(code: "bad_list", message: error.sentence)
      return [.send(page, TopicServer.encode(refusal, topic: nil))]
    }
    guard changed != lists.lists else { return [] }
    lists.lists = changed
    return [.keep(changed)] + deliver(.lists(lists), to: TopicServer.listsTopic, at: now)
  }

  /// Applies the result of storing the lists.
  mutating func receive(listsProblem: String?, at now: ClockReading) -> [TopicEffect] {
    guard lists.problem != listsProblem else { return [] }
    lists.problem = listsProblem
    return deliver(.lists(lists), to: TopicServer.listsTopic, at: now)
  }
}
