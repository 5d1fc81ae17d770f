// `ios-previews FOLDER` writes every preview into the folder and replaces existing ones.

import Foundation
import PhonePreviews

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: ios-previews FOLDER\n".utf8))
  exit(2)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
do {
  let pages = try await PreviewBook.pages()
  let count = try PreviewFolder(folder).write(try PreviewBook.files(pages))
  print("\(pages.count) previews in \(folder.path) (\(count) files changed)")
} catch {
  FileHandle.standardError.write(Data("ios-previews: \(error)\n".utf8))
  exit(1)
}
