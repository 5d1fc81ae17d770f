import AppState
import Combine
import Foundation
import MarketModel
import OrderLedger
import OrderService
import PhoneStores
import SwiftUI

/// A history file, ready to share.
struct PreparedExport: Identifiable, Equatable {
  /// Its path, in a folder of its own.
  let url: URL
  let orderCount: Int
  let format: LedgerReader.Format
  /// The file contains nothing after this moment.
  let time: Timestamp

  var id: URL { url }
}

/// EX6, LT8: exports the whole order history, one file at a time, with the server's exact bytes.
///
/// The file is written on request and deleted after sharing.
@MainActor final class ExportStore: ObservableObject {
  @Published var prepared: PreparedExport?
  @Published private(set) var failure: Sentence?
  @Published private(set) var isPreparing = false

  private let trading: TradingStore
  private let now: () -> ClockReading

  init(trading: TradingStore, now: @escaping () -> ClockReading) {
    (self.trading, self.now) = (trading, now)
  }

  func prepare(_ format: LedgerReader.Format) {
    guard !isPreparing, prepared == nil else { return }
    (isPreparing, failure) = (true, nil)
    let time = now().wall
    Task {
      let answer = await trading.file(as: format)
      isPreparing = false
      switch answer {
      case .failure(let refusal): failure = "Nothing was exported: \(refusal.message)"
      case .success(let file): keep(file, format, time)
      }
    }
  }

  private func keep(_ file: OrderFile, _ format: LedgerReader.Format, _ time: Timestamp) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("export-\(UUID().uuidString)")
    let url = folder.appendingPathComponent(file.name)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: url, options: .atomic)
      prepared = PreparedExport(
        url: url, orderCount: file.orderCount, format: format, time: time)
    } catch {
      failure = "Nothing was exported: \(error.localizedDescription)"
    }
  }

  /// Deletes the file; no effect for nil.
  func putAway(_ export: PreparedExport?) {
    prepared = nil
    guard let export else { return }
    try? FileManager.default.removeItem(at: export.url.deletingLastPathComponent())
  }
}

struct ExportMenu: View {
  @ObservedObject var store: ExportStore

  var body: some View {
    Menu {
      Button("All orders as CSV") { store.prepare(.csv) }
      Button("All orders as JSON") { store.prepare(.json) }
    } label: {
      Label("Export", systemImage: "square.and.arrow.up")
    }
    .disabled(store.isPreparing)
  }
}

/// The file, its size, and the share button.
struct ExportSheet: View {
  let export: PreparedExport
  let words: OrderWords
  let done: () -> Void

  var body: some View {
    VStack(spacing: 16) {
      Text(title).font(.headline).accessibilityAddTraits(.isHeader)
      Text(
        words.locale.text(
          "As of \(words.moment(export.time)). The filter and the search don’t count.")
      )
      .font(.footnote)
      .foregroundStyle(.secondary)
      .multilineTextAlignment(.center)
      ShareLink(items: [export.url]) {
        Label(
          words.locale.text("Share \(export.url.lastPathComponent)"),
          systemImage: "square.and.arrow.up")
      }
      .buttonStyle(.borderedProminent)
      .tint(Palette.fill)
      Button("Done") { done() }
    }
    .padding(24)
    // Deleted however the sheet is closed.
    .onDisappear { done() }
  }

  private var title: String {
    let format = export.format.rawValue.uppercased()
    return words.locale.text(
      export.orderCount == 1 ? "1 order as \(format)" : "\(export.orderCount) orders as \(format)")
  }
}
