import AppState
import MarketModel

extension TopicServer {
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
      return refuse("bad_list", error.sentence, to: page)
    }
    guard changed != lists.lists else { return [] }
    lists.lists = changed
    return [.keep(changed)] + publish(lists, as: .lists, at: now)
  }

  /// Applies the result of storing the lists.
  mutating func receive(listsProblem: Sentence?, at now: ClockReading) -> [TopicEffect] {
    lists.problem = listsProblem
    return publish(lists, as: .lists, at: now)
  }
}
