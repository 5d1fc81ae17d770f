import Foundation
import MarketModel
import Testing

@testable import PhoneApp
@testable import PhoneStores
@_spi(Host) import SwiftUI

@MainActor @Suite struct PaletteTests {
  /// Red, green, blue from 0 to 1.
  private typealias Parts = [Double]

  @Test(arguments: [ColorScheme.light, .dark], [Direction.up, .down])
  func `a contrast of 4.5 to 1 or more, plain and on a flash`(
    scheme: ColorScheme, direction: Direction
  ) throws {
    let palette = Palette(scheme)
    let colour = try parts(of: palette.color(of: direction))
    for ground in grounds(scheme) {
      let flash = zip(colour, ground).map { 0.25 * $0 + 0.75 * $1 }
      #expect(contrast(colour, ground) >= 4.5)
      #expect(contrast(colour, flash) >= 4.5, "\(scheme) \(direction) on \(ground)")
    }
    #expect("\(palette.flash(direction))".hasSuffix("@0.25"))
  }

  @Test(arguments: [ColorScheme.light, .dark], ["Assets", "LivetapeStocks"])
  func `the tint is legible as text, and no rise`(scheme: ColorScheme, app: String) throws {
    let tint = try accent(of: app, scheme)
    for ground in grounds(scheme) { #expect(contrast(tint, ground) >= 4.5) }
    let rise = try parts(of: Palette(scheme).rise)
    #expect(tint[2] > tint[1] && rise[1] > rise[2], "blue, not green")
  }

  @Test(arguments: [Palette.fill, Palette.fill(.buy), Palette.fill(.sell)])
  func `a prominent button has a legible label and a clear edge`(fill: Color) throws {
    let fill = try parts(of: fill)
    #expect(contrast(fill, [1, 1, 1]) >= 4.5)
    for scheme in [ColorScheme.light, .dark] {
      for ground in grounds(scheme) { #expect(contrast(fill, ground) >= 3) }
    }
  }

  @Test func `every prominent button has a fill of the palette`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../PhoneApp").standardized.path
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let buttons = text.matches(of: /\.borderedProminent\)\n\s+(.*)/)
      #expect(buttons.allSatisfy { $0.1.hasPrefix(".tint(Palette.fill") }, "\(file)")
    }
  }

  /// The system's backgrounds of screens and of grouped lists.
  private func grounds(_ scheme: ColorScheme) -> [Parts] {
    scheme == .light ? [[1, 1, 1], [0.95, 0.95, 0.97]] : [[0, 0, 0], [0.11, 0.11, 0.12]]
  }

  /// An app's accent colour in its asset catalogue.
  private func accent(of app: String, _ scheme: ColorScheme) throws -> Parts {
    struct Catalogue: Decodable {
      struct Entry: Decodable {
        struct Shade: Decodable { let components: [String: String] }
        let color: Shade
        let appearances: [[String: String]]?
      }
      let colors: [Entry]
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../\(app)/Assets.xcassets/AccentColor.colorset/Contents.json")
      .standardized
    let catalogue = try JSONDecoder().decode(Catalogue.self, from: Data(contentsOf: file))
    let entry = try #require(
      catalogue.colors.first { ($0.appearances != nil) == (scheme == .dark) })
    return try ["red", "green", "blue"].map { name in
      let text = try #require(entry.color.components[name])
      return Double(try #require(UInt8(text.dropFirst(2), radix: 16))) / 255
    }
  }

  @Test func `what does not change has no colour and no flash`() {
    let palette = Palette(.light)
    #expect(palette.color(of: .unchanged) == .primary)
    #expect(palette.flash(.unchanged) == .clear)
    #expect(palette.flash(nil) == .clear)
  }

  /// Parses "rgb(0.1,0.2,0.3,1.0)".
  private func parts(of color: Color) throws -> Parts {
    let text = "\(color)".dropFirst(4).dropLast()
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    try #require(numbers.count == 4, "\(color)")
    return Array(numbers.prefix(3))
  }

  private func contrast(_ one: Parts, _ other: Parts) -> Double {
    let (low, high) = (min(luminance(one), luminance(other)), max(luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
  }

  private func luminance(_ parts: Parts) -> Double {
    let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}
