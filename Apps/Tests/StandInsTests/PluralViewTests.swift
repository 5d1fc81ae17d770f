// Views of several parts: as at Apple's, modifiers apply to each part, and new views appear before
// the views that they replace disappear.

import Combine
import Foundation
import Testing

@_spi(Host) import SwiftUI

@MainActor @Suite struct PluralViewTests {
  final class Log { var lines: [String] = [] }

  /// "Group … it applies to all of the views produced by the `if isLoggedIn` conditional, and it
  /// executes every time `isLoggedIn` changes" (Apple on Group).
  struct Branches: View {
    let log: Log
    @State private var isLoaded = false
    var body: some View {
      VStack {
        Button("Load") { isLoaded.toggle() }
        Group {
          if isLoaded { Text("loaded") } else { Text("loading") }
        }
        .onAppear { log.lines.append("appears") }
        .onDisappear { log.lines.append("disappears") }
      }
    }
  }

  @Test func `each branch appears and disappears, the new one first`() throws {
    let log = Log()
    let host = ViewHost(Branches(log: log))
    #expect(host.texts == ["Load", "loading"])
    #expect(log.lines == ["appears"])
    try host.tap("Load")
    #expect(host.texts == ["Load", "loaded"])
    #expect(log.lines == ["appears", "appears", "disappears"])
    try host.tap("Load")
    #expect(log.lines == ["appears", "appears", "disappears", "appears", "disappears"])
  }

  struct Contained: View {
    let log: Log
    @State private var isLoaded = false
    var body: some View {
      VStack {
        Button("Load") { isLoaded.toggle() }
        ZStack {
          if isLoaded {
            Text("loaded")
          } else {
            Text("loading")
            Text("still")
          }
        }
        .onAppear { log.lines.append("appears") }
        .onDisappear { log.lines.append("disappears") }
      }
    }
  }

  @Test func `a container stays while its content changes`() throws {
    let log = Log()
    let host = ViewHost(Contained(log: log))
    try host.tap("Load")
    try host.tap("Load")
    #expect(host.texts == ["Load", "loading", "still"])
    #expect(log.lines == ["appears"])
  }

  struct Two: View {
    @State private var count = 0
    var body: some View {
      Text(verbatim: "count \(count)")
      Button("Add") { count += 1 }
    }
  }

  @Test func `modifiers of several views apply to each, also within a custom view`() throws {
    let log = Log()
    let host = ViewHost(
      VStack {
        Two().opacity(0.5).onAppear { log.lines.append("appears") }
        ForEach(["a", "b"], id: \.self) { Text($0) }.opacity(0.25)
      })
    func count(_ opacity: String) -> Int {
      host.all.filter { $0.attributes[.opacity] == opacity }.count
    }
    #expect(count("0.5") == 2)
    #expect(count("0.25") == 2)
    #expect(log.lines == ["appears", "appears"])
    try host.tap("Add")
    #expect(host.texts == ["count 1", "Add", "a", "b"], "they share what the view keeps")
    #expect(log.lines.count == 2)
  }

  @Test func `a list has a row for each part, of a modified view and of nothing as well`() {
    let host = ViewHost(
      List {
        Two()
        Group {
          Text("a")
          Text("b")
        }
        .padding()
        EmptyView().padding()
      })
    let rows = host.all.filter { $0.kind == .row }.map(\.texts)
    #expect(rows == [["count 0"], ["Add"], ["a"], ["b"]])
  }

  @Test func `nothing neither appears nor disappears`() {
    let log = Log()
    let host = ViewHost(
      VStack { EmptyView().onAppear { log.lines.append("appears") } })
    host.render()
    #expect(log.lines.isEmpty)
  }

  struct Held: ViewModifier {
    let log: Log
    func body(content: Content) -> some View {
      VStack { content }.onAppear { log.lines.append("appears") }
    }
  }

  struct Passed: ViewModifier {
    let log: Log
    func body(content: Content) -> some View {
      content.onAppear { log.lines.append("appears") }
    }
  }

  @Test func `a modifier that puts several into a container makes one view of them`() {
    let (held, passed) = (Log(), Log())
    ViewHost(VStack { Two().modifier(Held(log: held)) }).render()
    ViewHost(VStack { Two().modifier(Passed(log: passed)) }).render()
    #expect(held.lines.count == 1)
    #expect(passed.lines.count == 2)
  }

  struct Watching: View {
    let log: Log
    @State private var number = 0
    var body: some View {
      Button("Both") { number += 1 }
      Group {
        if number.isMultiple(of: 2) { Text("even") } else { Text("odd") }
      }
      .onChange(of: number) { old, new in log.lines.append("\(old) to \(new)") }
    }
  }

  @Test func `a branch that has just come has seen no value change`() throws {
    let log = Log()
    let host = ViewHost(Watching(log: log))
    try host.tap("Both")
    #expect(host.texts == ["Both", "odd"])
    #expect(log.lines.isEmpty)
  }

  final class Owned: ObservableObject {
    let name: String
    init(_ name: String) { self.name = name }
  }

  struct Screen: View {
    @StateObject private var owned: Owned
    init(_ name: String) { _owned = StateObject(wrappedValue: Owned(name)) }
    var body: some View { Text(owned.name) }
  }

  struct Stack: View {
    let hasIdentity: Bool
    @State private var path = ["A"]
    var body: some View {
      NavigationStack(path: $path) {
        Text("root").navigationDestination(for: String.self) { name in
          if hasIdentity {
            Screen(name).id(name).navigationTitle(name)
          } else {
            Screen(name).navigationTitle(name)
          }
        }
      }
      .onOpenURL { path = [$0.lastPathComponent] }
    }
  }

  @Test(arguments: [false, true])
  func `a screen that another replaces keeps its objects unless it has an identity`(
    hasIdentity: Bool
  ) throws {
    let host = ViewHost(Stack(hasIdentity: hasIdentity))
    #expect(host.texts == ["A"])
    host.open(try #require(URL(string: "x://y/B")))
    #expect(host.navigationTitle == "B")
    #expect(host.texts == [hasIdentity ? "B" : "A"])
  }
}
