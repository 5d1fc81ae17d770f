import Foundation
@_spi(Host) import SwiftUI

/// The inherited properties that decide how a view looks.
struct Look {
  /// Where a view is: a button in a bar looks different from one in a form.
  enum Place { case screen, cell, bar }

  var place = Place.screen
  var buttonStyle: String?
  var pickerStyle: String?
  var listStyle: String?
  var hidesLabels = false
  /// Whether section headers keep their letter case.
  var keepsCase = false
  /// The colour of text without its own.
  var color: String?
  /// The colour of buttons; nil for the app's.
  var tint: String?
  /// The font of text without its own.
  var font: String?
  var textAlignment: String?
  var isDisabled = false
  /// The size that was set for the views below.
  var geometry: CGSize?

  @MainActor func following(_ node: ViewNode) -> Look {
    var look = self
    let said = node.attributes
    look.buttonStyle = said[.other("buttonStyle")] ?? buttonStyle
    look.pickerStyle = said[.other("pickerStyle")] ?? pickerStyle
    look.listStyle = said[.other("listStyle")] ?? listStyle
    look.textAlignment = said[.other("multilineTextAlignment")] ?? textAlignment
    look.hidesLabels = hidesLabels || said[.other("labelsHidden")] == "true"
    if let textCase = said[.other("textCase")] { look.keepsCase = textCase == "none" }
    if let tint = said[.other("tint")], tint != "none" {
      (look.color, look.tint) = (tint, tint)
    }
    if said[.layout] == "geometry" { look.geometry = node.size }
    return look
  }

  var inBar: Look {
    var look = self
    (look.place, look.buttonStyle, look.pickerStyle) = (.bar, nil, nil)
    return look
  }

  var inCell: Look {
    var look = self
    look.place = .cell
    return look
  }

  func words(color: String? = nil, font: String? = nil) -> Look {
    var look = self
    look.color = color ?? look.color
    look.font = font ?? look.font
    return look
  }
}
