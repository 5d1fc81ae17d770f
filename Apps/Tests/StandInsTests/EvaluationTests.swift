import Combine
import Foundation
import Testing

@_spi(Host) import SwiftUI

@MainActor @Suite struct EvaluationTests {
  @Test func `a tap changes a state and the words follow`() throws {
    struct Counter: View {
      @State private var count = 0
      var body: some View {
        VStack {
          Text(verbatim: "count \(count)")
          Button("More") { count += 1 }
        }
      }
    }
    let host = ViewHost(Counter())
    #expect(host.texts == ["count 0", "More"])
    try host.tap("More")
    try host.tap("More")
    #expect(host.texts == ["count 2", "More"])
  }

  struct Row: View {
    let name: String
    @State private var isMarked = false
    var body: some View {
      HStack {
        Text(name)
        if isMarked { Text("marked") }
        Button("Mark \(name)") { isMarked = true }
      }
    }
  }

  final class Names: ObservableObject {
    @Published var names = ["a", "b", "c"]
  }

  struct Rows: View {
    @ObservedObject var names: Names
    var body: some View {
      List(names.names, id: \.self) { Row(name: $0) }
    }
  }

  @Test func `a row's state follows its identity and dies with it`() throws {
    let names = Names()
    let host = ViewHost(Rows(names: names))
    try host.tap("Mark b")
    names.names = ["b", "c", "a"]
    #expect(host.texts == ["b", "marked", "Mark b", "c", "Mark c", "a", "Mark a"])
    names.names = ["a"]
    #expect(host.texts == ["a", "Mark a"])
    names.names = ["a", "b"]
    #expect(host.texts == ["a", "Mark a", "b", "Mark b"])
  }

  @Test func `rows of one identity are complained of`() {
    let names = Names()
    names.names = ["a", "a"]
    let host = ViewHost(Rows(names: names))
    host.render()
    #expect(host.complaints == ["ForEach: the ID a occurs multiple times"])
  }

  @Test func `a state object is made once and lives as long as its view`() throws {
    struct Owner: View {
      @StateObject private var names = Names()
      var body: some View {
        Text(names.names.joined())
        Button("Less") { names.names.removeLast() }
      }
    }
    struct Outer: View {
      @State private var turns = 0
      @State private var isShown = true
      var body: some View {
        Text(verbatim: "turn \(turns)")
        Button("Turn") { turns += 1 }
        Button("Hide") { isShown.toggle() }
        if isShown { Owner() }
      }
    }
    let host = ViewHost(Outer())
    try host.tap("Less")
    try host.tap("Turn")
    #expect(host.texts.contains("ab"))
    try host.tap("Hide")
    try host.tap("Hide")
    #expect(host.texts.contains("abc"))
  }

  @Test func `an environment object is found by its type and followed`() {
    struct Reader: View {
      @EnvironmentObject var names: Names
      var body: some View { Text(names.names.joined()) }
    }
    let names = Names()
    let host = ViewHost(Reader().environmentObject(names))
    #expect(host.texts == ["abc"])
    names.names = ["z"]
    #expect(host.texts == ["z"])
  }

  @Test func `onChange receives the old and the new value, onAppear and onDisappear run once`()
    throws
  {
    final class Log { var lines: [String] = [] }
    struct Watcher: View {
      let log: Log
      @State private var number = 1
      @State private var isShown = true
      var body: some View {
        Button("Add") { number += 1 }
        Button("Show") { isShown.toggle() }
        if isShown {
          Text("watched")
            .onChange(of: number) { old, new in log.lines.append("\(old) to \(new)") }
            .onAppear { log.lines.append("appears") }
            .onDisappear { log.lines.append("leaves") }
        }
      }
    }
    let log = Log()
    let host = ViewHost(Watcher(log: log))
    try host.tap("Add")
    try host.tap("Show")
    try host.tap("Add")
    try host.tap("Show")
    #expect(log.lines == ["appears", "1 to 2", "leaves", "appears"])
  }

  @Test func `a task runs while its view is in sight and is cancelled after`() async throws {
    final class Log { var lines: [String] = [] }
    struct Worker: View {
      let log: Log
      @State private var isShown = true
      var body: some View {
        Button("Hide") { isShown = false }
        if isShown {
          Text("works").task {
            log.lines.append("starts")
            for await _ in AsyncStream<Never>(unfolding: { await forever() }) {}
            log.lines.append("cancelled \(Task.isCancelled)")
          }
        }
      }
      func forever() async -> Never? {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        defer { continuation.finish() }
        for await _ in stream {}
        return nil
      }
    }
    let log = Log()
    let host = ViewHost(Worker(log: log))
    await host.settle { !log.lines.isEmpty }
    #expect(log.lines == ["starts"])
    try host.tap("Hide")
    await host.settle { log.lines.count > 1 }
    #expect(log.lines == ["starts", "cancelled true"])
  }

  @Test func `values of a publisher arrive while the view is in sight`() throws {
    struct Listener: View {
      let subject: PassthroughSubject<Int, Never>
      @State private var last = 0
      @State private var isShown = true
      var body: some View {
        Text(verbatim: "last \(last)")
        Button("Hide") { isShown = false }
        if isShown { Text("hears").onReceive(subject) { last = $0 } }
      }
    }
    let subject = PassthroughSubject<Int, Never>()
    let host = ViewHost(Listener(subject: subject))
    host.render()
    subject.send(7)
    #expect(host.texts.first == "last 7")
    try host.tap("Hide")
    subject.send(8)
    #expect(host.texts.first == "last 7")
  }

  @Test func `the environment flows down and can be changed`() {
    struct Phase: View {
      @Environment(\.scenePhase) private var phase
      @Environment(\.colorScheme) private var scheme
      var body: some View { Text(verbatim: "\(phase) \(scheme)") }
    }
    let host = ViewHost(Phase())
    #expect(host.texts == ["active light"])
    host.set(\.scenePhase, .background)
    host.set(\.colorScheme, .dark)
    #expect(host.texts == ["background dark"])
    let fixed = ViewHost(Phase().environment(\.colorScheme, .dark))
    #expect(fixed.texts == ["active dark"])
  }

  @Test func `a modifier is given its view and has state of its own`() throws {
    struct Framed: ViewModifier {
      @State private var count = 0
      func body(content: Content) -> some View {
        content
        Button("Frame") { count += 1 }
        Text(verbatim: "framed \(count)")
      }
    }
    let host = ViewHost(Text("inside").modifier(Framed()))
    try host.tap("Frame")
    #expect(host.texts == ["inside", "Frame", "framed 1"])
  }

  @Test func `numbers in looked-up words are formatted as Apple does`() {
    let host = ViewHost(
      VStack {
        Text("\(1.5)")
        Text(verbatim: "\(1.5)")
      })
    #expect(host.texts == ["1.500000", "1.5"])
  }

  @Test func `an arrangement changes without the state of what it arranges`() throws {
    struct Turning: View {
      @State private var isWide = false
      var body: some View {
        let layout = isWide ? AnyLayout(HStackLayout()) : AnyLayout(VStackLayout())
        VStack {
          Button("Turn") { isWide.toggle() }
          layout { Row(name: "a") }
        }
      }
    }
    let host = ViewHost(Turning())
    try host.tap("Mark a")
    func axes() -> [String] { host.all.compactMap { $0.attributes[.other("axis")] } }
    #expect(axes() == ["vertical", "vertical", "horizontal"])
    try host.tap("Turn")
    #expect(axes() == ["vertical", "horizontal", "horizontal"])
    #expect(host.texts.contains("marked"))
  }

  @Test func `a scaled length follows the size of words`() {
    struct Bar: View {
      @ScaledMetric private var height: CGFloat = 17
      var body: some View { Text("bar").frame(height: height) }
    }
    let host = ViewHost(Bar())
    #expect(host.attributes(of: "bar")?[.frame] == "-x17.0")
    host.set(\.dynamicTypeSize, .accessibility5)
    #expect(host.attributes(of: "bar")?[.frame] == "-x53.0")
  }
}
