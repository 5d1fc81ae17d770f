import Foundation
import MarketModel
import Testing

@testable import PhoneApp
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
    // The system's backgrounds of screens and of grouped lists.
    let grounds: [Parts] =
      scheme == .light ? [[1, 1, 1], [0.95, 0.95, 0.97]] : [[0, 0, 0], [0.11, 0.11, 0.12]]
    for ground in grounds {
      let flash = zip(colour, ground).map { 0.25 * $0 + 0.75 * $1 }
      #expect(contrast(colour, ground) >= 4.5)
      #expect(contrast(colour, flash) >= 4.5, "\(scheme) \(direction) on \(ground)")
    }
    #expect("\(palette.flash(direction))".hasSuffix("@0.25"))
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
