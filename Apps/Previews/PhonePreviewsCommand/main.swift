// `ios-previews FOLDER [LOCALE]` writes every preview into the folder and replaces existing ones.

import Foundation
import PhonePreviews

guard (2...3).contains(CommandLine.arguments.count) else {
  FileHandle.standardError.write(Data("usage: ios-previews FOLDER [LOCALE]\n".utf8))
  exit(2)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
do {
  let locale = CommandLine.arguments.count == 3 ? CommandLine.arguments[2] : "en_US"
  let pages = try await PreviewBook.pages(in: Locale(identifier: locale))
  let count = try PreviewFolder(folder).write(try PreviewBook.files(pages))
  print("\(pages.count) previews in \(folder.path) (\(count) files changed)")
} catch {
  FileHandle.standardError.write(Data("ios-previews: \(error)\n".utf8))
  exit(1)
}
