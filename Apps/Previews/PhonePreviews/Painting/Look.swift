// What a view says of the views below it that decides how they look.

import Foundation
@_spi(Host) import SwiftUI

/// What is handed down.
struct Look {
  /// Where a view stands: a button in a bar looks otherwise than one in a form.
  enum Place { case screen, cell, bar }

  var place = Place.screen
  var buttonStyle: String?
  var pickerStyle: String?
  var listStyle: String?
  var hidesLabels = false
  /// Whether heads of sections keep the letters that they were given.
  var keepsCase = false
  /// The colour of words that have none of their own.
  var color: String?
  /// The font of words that have none of their own.
  var font: String?
  /// Where the words of a field stand.
  var textAlignment: String?
  /// How far words may run before they are cut.
  var isDisabled = false
  /// The size that the views below were told to be in.
  var geometry: CGSize?

  /// The same with what a node says.
  @MainActor func following(_ node: ViewNode) -> Look {
    var look = self
    let said = node.attributes
    look.buttonStyle = said[.other("buttonStyle")] ?? buttonStyle
    look.pickerStyle = said[.other("pickerStyle")] ?? pickerStyle
    look.listStyle = said[.other("listStyle")] ?? listStyle
    look.textAlignment = said[.other("multilineTextAlignment")] ?? textAlignment
    look.hidesLabels = hidesLabels || said[.other("labelsHidden")] == "true"
    if let textCase = said[.other("textCase")] { look.keepsCase = textCase == "none" }
    if let tint = said[.other("tint")], tint != "none" { look.color = tint }
    if said[.layout] == "geometry" { look.geometry = node.size }
    return look
  }

  /// The same for what stands in a bar.
  var inBar: Look {
    var look = self
    (look.place, look.buttonStyle, look.pickerStyle) = (.bar, nil, nil)
    return look
  }

  /// The same for a row of a list.
  var inCell: Look {
    var look = self
    look.place = .cell
    return look
  }

  /// The same with another colour and font for words that have none.
  func words(color: String? = nil, font: String? = nil) -> Look {
    var look = self
    look.color = color ?? look.color
    look.font = font ?? look.font
    return look
  }
}
