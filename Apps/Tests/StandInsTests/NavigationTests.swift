import Foundation
import Testing

@_spi(Host) import SwiftUI

@MainActor @Suite struct NavigationTests {
  final class Log { var lines: [String] = [] }

  struct Stack: View {
    let log: Log
    @State private var path: [Int] = []

    var body: some View {
      NavigationStack(path: $path) {
        List {
          NavigationLink("To one", value: 1)
          NavigationLink("To a word", value: "word")
          Text(verbatim: "depth \(path.count)")
        }
        .navigationTitle("First")
        .navigationDestination(for: Int.self) { number in
          Screen(number: number, log: log)
        }
        .onAppear { log.lines.append("first appears") }
        .onDisappear { log.lines.append("first leaves") }
        .toolbar {
          ToolbarItem(placement: .topBarLeading) { Text("bar") }
          ToolbarItem(placement: .topBarTrailing) { Button("Jump") { path = [1, 2] } }
        }
      }
      .onOpenURL { url in if let number = Int(url.lastPathComponent) { path = [number] } }
    }
  }

  struct Screen: View {
    let number: Int
    let log: Log
    @Environment(\.dismiss) private var dismiss
    var body: some View {
      Text(verbatim: "screen \(number)").navigationTitle("Number \(number)")
      NavigationLink("Deeper", value: number + 1)
      Button("Close") { dismiss() }
        .onAppear { log.lines.append("\(number) appears") }
        .onDisappear { log.lines.append("\(number) leaves") }
    }
  }

  @Test func `a link pushes, back pops, and the screen below appears again`() throws {
    let log = Log()
    let host = ViewHost(Stack(log: log))
    #expect(host.navigationTitle == "First")
    try host.tap("To one")
    #expect(host.navigationTitle == "Number 1")
    #expect(host.texts == ["screen 1", "Deeper", "Close"])
    try host.tap("Deeper")
    #expect(host.texts.first == "screen 2")
    try host.tap("Close")
    try host.back()
    #expect(host.texts == ["bar", "Jump", "To one", "To a word", "depth 0"])
    #expect(
      log.lines == [
        "first appears", "first leaves", "1 appears", "1 leaves", "2 appears", "2 leaves",
        "1 appears", "1 leaves", "first appears",
      ]
        || log.lines.sorted() == [
          "1 appears", "1 appears", "1 leaves", "1 leaves", "2 appears", "2 leaves",
          "first appears", "first appears", "first leaves",
        ])
  }

  @Test func `a path can be set as a whole, by a button or a link from outside`() throws {
    let host = ViewHost(Stack(log: Log()))
    try host.tap("Jump")
    #expect(host.texts.first == "screen 2")
    host.open(try #require(URL(string: "x://number/9")))
    #expect(host.texts.first == "screen 9")
    try host.back()
    #expect(host.texts.contains("depth 0"))
    #expect(throws: ViewHost.Failure.self) { try host.back() }
  }

  @Test func `a value that the path can't take is complained of`() throws {
    let host = ViewHost(Stack(log: Log()))
    try host.tap("To a word")
    #expect(host.texts.contains("depth 0"))
    #expect(host.complaints == ["NavigationLink: the path takes no String"])
  }

  struct Tabs: View {
    enum Tab: Hashable { case one, two }
    @State private var tab = Tab.one
    var body: some View {
      TabView(selection: $tab) {
        Page(name: "one").tabItem { Label("First tab", systemImage: "1.circle") }.tag(Tab.one)
        Page(name: "two").tabItem { Label("Second tab", systemImage: "2.circle") }.tag(Tab.two)
      }
    }
  }

  struct Page: View {
    let name: String
    @State private var count = 0
    var body: some View {
      // One view: a tab item applies to each of several views, and each would be a tab.
      VStack {
        Text(verbatim: "page \(name) \(count)")
        Button("Add") { count += 1 }
      }
    }
  }

  @Test func `a tab is shown when it is chosen and keeps its state`() throws {
    let host = ViewHost(Tabs())
    try host.tap("Add")
    try host.tap("Second tab")
    #expect(host.texts == ["First tab", "Second tab", "page two 0", "Add"])
    try host.tap("First tab")
    #expect(host.texts.contains("page one 1"))
    #expect(host.complaints.isEmpty)
  }

  struct Sheet: View {
    @State private var isShown = false
    @State private var log = ""
    var body: some View {
      Button("Show") { isShown = true }
      Text(log).sheet(isPresented: $isShown, onDismiss: { log += "gone" }) { Inner() }
    }

    struct Inner: View {
      @Environment(\.dismiss) private var dismiss
      var body: some View {
        Text("inner")
        Button("Done") { dismiss() }
      }
    }
  }

  @Test func `a sheet comes and goes`() throws {
    let host = ViewHost(Sheet())
    try host.tap("Show")
    #expect(host.texts.contains("inner"))
    try host.tap("Done")
    #expect(host.texts == ["Show", "gone"])
    try host.tap("Show")
    try host.dismiss()
    #expect(host.texts == ["Show", "gonegone"])
  }

  @Test func `an app shows its window`() {
    struct Words: App {
      var body: some Scene { WindowGroup { Text("window") } }
    }
    #expect(ViewHost(app: Words()).texts == ["window"])
  }
}
