import Foundation
import Testing

@testable import PhonePreviews
@_spi(Host) import SwiftUI

@MainActor @Suite struct PainterTests {
  private func html<V: View>(_ view: V) -> String {
    ScreenPainter(name: "test").screen(ViewHost(view).nodes).html
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a&b", "'quoted'",
    "</span></div>", "&lt;", "javascript:alert(1)//<",
  ])
  func `text from outside stays text in every place`(hostile: String) {
    let harmless = html(Hostile(text: "plain"))
    let page = html(Hostile(text: hostile))
    #expect(page.contains(Markup.escape(hostile)))
    #expect(page.replacing(Markup.escape(hostile), with: "plain") == harmless)
    #expect(!page.contains("<script"))
    #expect(!page.contains("<img"))
  }

  /// The same hostile text in every place that a page has for text.
  private struct Hostile: View {
    let text: String

    var body: some View {
      NavigationStack {
        Form {
          Section(text) {
            Text(text)
            Button(text) {}
            Toggle(isOn: .constant(true)) { Text(text) }
            TextField(text, text: .constant(text))
            TextField(text, text: .constant(""))
            Picker(selection: .constant(1)) {
              Text(text).tag(1)
            } label: {
              Text(text)
            }
            Label(text, systemImage: "xmark")
            Image(text)
            Canvas { context, _ in context.draw(Text(text), at: .zero) }.foregroundStyle(
              Color(text))
          }
        }
        .navigationTitle(text)
      }
    }
  }

  @Test func `rows and columns are boxes with the spacing and the side that they were given`() {
    let page = html(HStack(alignment: .top, spacing: 3) { Text("a") })
    #expect(page.contains(#"<div class="row" style="gap:3px;align-items:start;">"#))
    let column = html(VStack(alignment: .leading) { Text("a") })
    #expect(column.contains(#"<div class="column" style="align-items:start;">"#))
  }

  @Test func `a spacer makes its row take the room that is left`() {
    #expect(
      html(
        VStack {
          HStack {
            Text("a"); Spacer()
          }
        }
      ).contains(#""row fill""#))
    #expect(!html(VStack { HStack { Text("a") } }).contains(#""row fill""#))
  }

  @Test func `colours by parts, by name and partly see-through become CSS`() {
    #expect(Styles.color("rgb(0.0,0.37,0.14,1.0)") == "rgba(0,94,36,1)")
    #expect(Styles.color("secondary") == "var(--secondary)")
    #expect(
      Styles.color("red@0.25") == "color-mix(in srgb, var(--red) 25%, transparent)")
    #expect(Styles.color("no such colour") == nil)
    #expect(Styles.color("red;background:url(x)") == nil)
  }

  @Test func `fonts keep their size, weight and equal digits`() {
    #expect(
      Styles.font("caption2,monospacedDigit")
        == "font-size:11px;font-weight:400;font-variant-numeric:tabular-nums;")
    #expect(Styles.font(nil, weight: "bold") == "font-size:17px;font-weight:700;")
    #expect(Styles.font("system(20.0),semibold") == "font-size:20px;font-weight:600;")
  }

  @Test func `numbers are written the same everywhere`() {
    #expect(
      [0, 1, -1, 0.1, 1.005, 12.34, -0.05, 1.999].map(Styles.number) == [
        "0", "1", "-1", "0.1", "1", "12.34", "-0.05", "2",
      ])
    #expect(Styles.number(.nan) == "0")
    #expect(Styles.number(.infinity) == "0")
  }

  @Test func `a drawing keeps its areas, lines, dashes, words and what cuts them off`() {
    let page = html(
      Canvas { context, _ in
        context.fill(Path(CGRect(x: 1, y: 2, width: 3, height: 4)), with: .color(.red))
        context.drawLayer { layer in
          layer.clip(to: Path(CGRect(x: 0, y: 0, width: 5, height: 5)))
          var line = Path()
          line.move(to: .zero)
          line.addLine(to: CGPoint(x: 9, y: 9))
          layer.stroke(
            line, with: .color(.blue), style: StrokeStyle(lineWidth: 2, dash: [3, 1]))
        }
        context.draw(Text("7").font(.caption), at: CGPoint(x: 4, y: 4), anchor: .trailing)
      })
    #expect(page.contains(#"<path d="M1 2L4 2L4 6L1 6Z" style="fill:var(--red)"></path>"#))
    #expect(
      page.contains(#"stroke-width:2" stroke-dasharray="3 1" clip-path="url(#test-1-clip-0)""#))
    #expect(page.contains("text-anchor:end"))
    #expect(page.contains(">7</text>"))
  }

  @Test func `a sheet and an alert lie on top of their screen`() {
    let page = html(
      Text("below").sheet(isPresented: .constant(true)) { Text("sheet") }
        .alert("Sure?", isPresented: .constant(true)) {
          Button("Yes") {}
        } message: {
          Text("Really")
        })
    let screen = page.firstRange(of: "below")
    let sheet = page.firstRange(of: ">sheet<")
    let alert = page.firstRange(of: ">Sure?<")
    #expect(screen != nil && sheet != nil && alert != nil)
    if let screen, let sheet, let alert {
      #expect(screen.lowerBound < sheet.lowerBound && sheet.lowerBound < alert.lowerBound)
    }
    #expect(page.contains(">Really<"))
    #expect(page.contains(">Yes<"))
  }

  @Test func `controls show their state`() {
    #expect(html(Toggle("t", isOn: .constant(true))).contains("switch on"))
    #expect(!html(Toggle("t", isOn: .constant(false))).contains("switch on"))
    #expect(html(Button("b") {}.disabled(true)).contains("button disabled"))
    #expect(html(Button("b", role: .destructive) {}).contains("var(--red)"))
    let picker = Picker("p", selection: .constant(2)) {
      Text("one").tag(1)
      Text("two").tag(2)
    }
    #expect(html(picker.pickerStyle(.segmented)).contains(#"segment chosen"><span class="words""#))
    #expect(html(picker).contains(#"<ul class="options"><li>"#), "what can be chosen is written")
  }
}
