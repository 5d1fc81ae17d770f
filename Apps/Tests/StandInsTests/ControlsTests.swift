import Foundation
import Testing

@_spi(Host) import SwiftUI

@MainActor @Suite struct ControlsTests {
  struct Controls: View {
    @State private var name = ""
    @State private var secret = ""
    @State private var isOn = false
    @State private var amount = 1
    @State private var colour = "red"
    @State private var isAsked = false
    @State private var submitted = ""

    var body: some View {
      Form {
        Section("Words") {
          TextField("Name", text: $name).onSubmit { submitted = name }
          SecureField("Secret", text: $secret)
        }
        Toggle("Switch", isOn: $isOn)
        Stepper("Amount", value: $amount, in: 1...2)
        Picker("Colour", selection: $colour) {
          Text("Red").tag("red")
          Text("Blue").tag("blue")
        }
        Button("Erase", role: .destructive) { isAsked = true }.disabled(!isOn)
        Text(verbatim: "\(name) \(submitted) \(secret.count) \(isOn) \(amount) \(colour)")
      }
      .confirmationDialog("Erase it?", isPresented: $isAsked) {
        Button("Yes") { name = "erased" }
      } message: {
        Text("All of it.")
      }
    }
  }

  @Test func `fields, switches, steppers and pickers change what they are bound to`() throws {
    let host = ViewHost(Controls())
    try host.type("abc", into: "Name")
    try host.submit("Name")
    try host.type("hush", into: "Secret")
    try host.tap("Switch")
    try host.step("Amount", up: true)
    try host.choose("Blue", in: "Colour")
    #expect(host.texts.last == "abc abc 4 true 2 blue")
    #expect(host.texts.contains("••••") && !host.texts.contains("hush"))
  }

  @Test func `what is disabled or at its end can't be used`() throws {
    let host = ViewHost(Controls())
    #expect(throws: ViewHost.Failure.self) { try host.tap("Erase") }
    #expect(throws: ViewHost.Failure.self) { try host.step("Amount", up: false) }
    #expect(throws: ViewHost.Failure.self) { try host.tap("Nothing of this name") }
    #expect(throws: ViewHost.Failure.self) { try host.choose("Green", in: "Colour") }
  }

  @Test func `a question is asked, answered and gone`() throws {
    let host = ViewHost(Controls())
    try host.tap("Switch")
    try host.tap("Erase")
    #expect(host.texts.suffix(3) == ["Erase it?", "All of it.", "Yes"])
    try host.tap("Yes")
    #expect(!host.texts.contains("Erase it?"))
    #expect(host.texts.last == "erased  0 true 1 red")
  }

  @Test func `a selection without an option is complained of`() {
    let host = ViewHost(
      Picker("Colour", selection: .constant("green")) { Text("Red").tag("red") })
    host.render()
    #expect(host.complaints == ["Picker: the selection green has no option"])
  }

  @Test func `an option whose tag has another type is complained of`() {
    let host = ViewHost(Picker("Number", selection: .constant(1)) { Text("One").tag("1") })
    host.render()
    #expect(host.complaints.first == "Picker: an option has no tag of type Int")
  }

  @Test func `a view is tapped by its accessibility label, a duplicate one is reported`() throws {
    let host = ViewHost(
      VStack {
        Button {
        } label: {
          Image(systemName: "star")
        }.accessibilityLabel("Favourite")
        Button("Twice") {}
        Button("Twice") {}
      })
    try host.tap("Favourite")
    #expect(throws: ViewHost.Failure.self) { try host.tap("Twice") }
  }

  @Test func `fingers reach the gestures of a drawing`() throws {
    final class Log { var lines: [String] = [] }
    let log = Log()
    let view = Canvas { context, size in
      context.fill(Path(CGRect(x: 0, y: 0, width: size.width, height: 1)), with: .color(.red))
      context.draw(Text("high"), at: CGPoint(x: 3, y: 4))
    }
    .gesture(
      DragGesture().onChanged { log.lines.append("drag \($0.translation.width)") }
        .onEnded { log.lines.append("dropped \($0.location.x)") }
    )
    .gesture(MagnifyGesture().onChanged { log.lines.append("zoom \($0.magnification)") })
    .gesture(SpatialTapGesture().onEnded { log.lines.append("tap \($0.location.y)") })
    .accessibilityLabel("Chart")
    let host = ViewHost(view)
    host.size = CGSize(width: 100, height: 50)
    let drawing = try #require(host.all.first { $0.kind == .canvas }).drawing
    #expect(
      drawing == [
        .fill(CGRect(x: 0, y: 0, width: 100, height: 1), "red"),
        .text("high", CGPoint(x: 3, y: 4)),
      ])
    try host.drag("Chart", through: [CGPoint(x: 5, y: 5), CGPoint(x: 30, y: 5)])
    try host.magnify("Chart", by: [2], at: .zero)
    try host.tap("Chart", at: CGPoint(x: 1, y: 9))
    #expect(log.lines == ["drag 25.0", "dropped 30.0", "zoom 2.0", "tap 9.0"])
  }

  struct Dragged: View {
    let log: DragLog
    @GestureState private var distance: CGFloat?
    var body: some View {
      Text(verbatim: "ground").gesture(
        DragGesture(minimumDistance: 0)
          .updating($distance) { value, distance, _ in distance = value.translation.width }
          .onEnded { _ in log.lines.append("ended") }
      )
      .onChange(of: distance) { old, new in
        log.lines.append("\(old.map { "\($0)" } ?? "-") to \(new.map { "\($0)" } ?? "-")")
      }
    }
  }

  final class DragLog { var lines: [String] = [] }

  @Test func `what is known of a gesture is forgotten when it ends, also when it is taken away`()
    throws
  {
    let log = DragLog()
    let host = ViewHost(Dragged(log: log))
    let way = [CGPoint(x: 0, y: 0), CGPoint(x: 5, y: 0), CGPoint(x: 9, y: 0)]
    try host.drag("ground", through: way, isCancelled: true)
    #expect(log.lines == ["- to 5.0", "5.0 to 9.0", "9.0 to -"])
    log.lines = []
    try host.drag("ground", through: way)
    #expect(log.lines == ["- to 5.0", "5.0 to 9.0", "ended", "9.0 to -"])
  }

  @Test func `styles are inherited, the innermost counts`() {
    let host = ViewHost(
      VStack {
        Text("one")
        Text("two").foregroundStyle(.red)
      }
      .foregroundStyle(.secondary).background(.thinMaterial).redacted(reason: .placeholder))
    #expect(host.attributes(of: "one")?[.foregroundStyle] == "secondary")
    #expect(host.attributes(of: "two")?[.foregroundStyle] == "red")
    #expect(host.attributes(of: "two")?[.background] == "thinMaterial")
    #expect(host.attributes(of: "two")?[.redacted] == "placeholder")
  }
}
