import Foundation
@_spi(Host) import SwiftUI

enum Flow {
  case row
  case column
  case depth
}

/// Whether a view takes all the space that it is offered, in each direction.
///
/// The one part of SwiftUI's layout without which nothing would be in its place; a view is greedy
/// when it or one of its parts is.
struct Greed {
  var across = false
  var down = false

  static let none = Greed()
  static let both = Greed(across: true, down: true)
  static let across = Greed(across: true)

  static func || (first: Greed, second: Greed) -> Greed {
    Greed(across: first.across || second.across, down: first.down || second.down)
  }
}

extension ViewNode {
  var parts: [ViewNode] {
    children.filter { child in
      child.attributes[.layer] == nil && ![.toolbar, .sheet, .alert].contains(child.kind)
    }
  }

  /// The layers behind, on top, above or below.
  func layers(_ place: String) -> [ViewNode] {
    children.filter { $0.attributes[.layer] == place }
  }

  var flow: Flow {
    switch attributes[.layout] {
    case "row", "grid row", "label", "labeled", "menu": .row
    case "depth", "geometry": .depth
    // Changeable layouts record only their direction.
    default: attributes[.other("axis")] == "horizontal" ? .row : .column
    }
  }

  var greed: Greed {
    switch kind {
    case .text, .image, .progress, .option, .tab, .toolbar, .sheet, .alert, .section: .none
    case .spacer, .list, .canvas, .navigation, .tabs: .both
    case .shape: attributes[.layout] == "divider" ? .across : .both
    case .field, .toggle, .stepper: .across
    case .picker: .none
    case .stack, .row: stackGreed
    case .button, .link: inner
    case .modified: modifiedGreed
    }
  }

  private var inner: Greed { parts.map(\.greed).reduce(.none) { $0 || $1 } }

  private var stackGreed: Greed {
    switch attributes[.layout] {
    case "unavailable": return .both
    case "labeled", "lazy column": return .across
    default: break
    }
    // A spacer is greedy along its stack only.
    let spacers = parts.contains { $0.kind == .spacer }
    let others = parts.filter { $0.kind != .spacer }.map(\.greed).reduce(.none) { $0 || $1 }
    guard spacers else { return others }
    return flow == .row
      ? Greed(across: true, down: others.down) : Greed(across: others.across, down: true)
  }

  private var modifiedGreed: Greed {
    if attributes[.layout] == "geometry" { return .both }
    if attributes[.other("pickerStyle")] == "SegmentedPickerStyle" { return .across }
    var greed = inner
    if attributes[.other("fixedSize")]?.hasPrefix("true") == true { greed.across = false }
    if let frame = attributes[.frame], frame != "flexible" {
      let sides = frame.split(separator: "x")
      if sides.first != "-" { greed.across = false }
      if sides.last != "-" { greed.down = false }
    }
    if let limits = attributes[.frameLimits] {
      let sides = limits.split(separator: " ")
      if sides.count == 4 {
        if sides[1] == "inf" { greed.across = true }
        if sides[3] == "inf" { greed.down = true }
      }
    }
    return greed
  }
}
