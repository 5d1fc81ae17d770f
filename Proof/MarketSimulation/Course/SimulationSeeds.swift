extension SimulationCourse {
  /// Runs a course for each of the options, several at a time, and delivers reports in the order of
  /// the options.
  ///
  /// A course runs on one thread from start to end, so that its report is the same as when it runs
  /// alone. At most twice `atOnce` courses are ahead of the next report.
  ///
  /// - Parameters:
  ///   - options: One for each course.
  ///   - atOnce: The number of courses at a time, at least 1.
  ///   - body: Called for each course, one after the other.
  public static func runAll(
    _ options: some Sequence<SimulationOptions>, atOnce: Int,
    _ body: (SimulationOptions, SimulationReport) -> Void
  ) async {
    let atOnce = max(1, atOnce)
    var begun: [Int: SimulationOptions] = [:]
    var reports: [Int: SimulationReport] = [:]
    var (next, due) = (0, 0)
    var rest = options.makeIterator()
    await withTaskGroup(of: (Int, SimulationReport).self) { group in
      var running = 0
      func begin() {
        while running < atOnce, next - due < 2 * atOnce, let options = rest.next() {
          begun[next] = options
          group.addTask { [next] in (next, run(options)) }
          next += 1
          running += 1
        }
      }
      begin()
      while let (index, report) = await group.next() {
        running -= 1
        reports[index] = report
        while let options = begun[due], let report = reports.removeValue(forKey: due) {
          begun[due] = nil
          due += 1
          body(options, report)
        }
        begin()
      }
    }
  }
}
