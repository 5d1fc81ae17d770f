import GRDB

/// Times are whole seconds, so that a minute of a market takes about fifty bytes.
enum HistorySchema {
  /// The tables that a complete database must have.
  static let objects: [(name: String, sql: String)] = [
    (
      "instrument",
      """
      CREATE TABLE instrument (
        id INTEGER PRIMARY KEY,
        venue TEXT NOT NULL,
        symbol TEXT NOT NULL,
        priceScale INTEGER NOT NULL,
        quantityScale INTEGER NOT NULL,
        UNIQUE (venue, symbol)
      ) STRICT
      """
    ),
    (
      // interval and start in seconds, missing in milliseconds; source and proof as in ChartModel.
      "candle",
      """
      CREATE TABLE candle (
        instrument INTEGER NOT NULL,
        interval INTEGER NOT NULL,
        start INTEGER NOT NULL,
        open INTEGER NOT NULL,
        high INTEGER NOT NULL,
        low INTEGER NOT NULL,
        close INTEGER NOT NULL,
        volume INTEGER NOT NULL,
        count INTEGER NOT NULL,
        missing INTEGER NOT NULL,
        source INTEGER NOT NULL,
        proof INTEGER NOT NULL,
        PRIMARY KEY (instrument, interval, start)
      ) STRICT, WITHOUT ROWID
      """
    ),
  ]

  /// All versions up to the current one; append new migrations, never edit old ones.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 candles") { database in
      for object in objects { try database.execute(sql: object.sql) }
    }
    return migrator
  }

  /// Throws unless the database may be used or filled.
  static func check(_ database: Database) throws {
    let rows = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master")
    var texts: [String: String] = [:]
    for row in rows {
      guard let name = String.fromDatabaseValue(row[0] as DatabaseValue) else { continue }
      texts[name] = String.fromDatabaseValue(row[1] as DatabaseValue) ?? ""
    }
    if texts.isEmpty { return }
    guard texts["grdb_migrations"] != nil else { throw HistoryStoreError.notAHistory }
    if try migrator.hasBeenSuperseded(database) {
      // The order ledger has migrations, too: another file's names are no later version of this.
      throw texts["candle"] == nil ? HistoryStoreError.notAHistory : .newerVersion
    }
    if try migrator.appliedIdentifiers(database).isEmpty, texts.count > 1 {
      throw HistoryStoreError.notAHistory
    }
    for object in objects where texts.count > 1 && texts[object.name] != object.sql {
      throw HistoryStoreError.damaged("the table \(object.name) is not as it was made")
    }
  }
}
