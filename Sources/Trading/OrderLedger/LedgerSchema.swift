import GRDB

/// The database's structure and its versions.
///
/// SQLite itself refuses to change or delete an event, or to add one out of order. The hash chain
/// covers changes that bypass SQLite.
enum LedgerSchema {
  static let objects: [(name: String, sql: String)] =
    [
      (
        "ledger",
        """
        CREATE TABLE ledger (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          payload TEXT NOT NULL
        ) STRICT
        """
      ),
      (
        // AUTOINCREMENT makes SQLite store the highest sequence ever used.
        "event",
        """
        CREATE TABLE event (
          sequence INTEGER PRIMARY KEY AUTOINCREMENT,
          clientIdentifier TEXT UNIQUE,
          payload TEXT NOT NULL,
          hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT
        """
      ),
    ]
    + ["ledger", "event"].flatMap { guards($0) }
    + [
      (
        "event_in_order",
        """
        CREATE TRIGGER event_in_order BEFORE INSERT ON event
        WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM event)
        BEGIN SELECT RAISE(ABORT, 'the ledger has no gaps'); END
        """
      )
    ]

  static let identityObjects: [(name: String, sql: String)] =
    [
      (
        "identity",
        """
        CREATE TABLE identity (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          value TEXT NOT NULL CHECK (length(value) = 32)
        ) STRICT
        """
      )
    ] + guards("identity")

  static let identityVersion = "3 identity"

  private static func guards(_ table: String) -> [(name: String, sql: String)] {
    ["UPDATE", "DELETE"].map { verb in
      let name = "\(table)_no_\(verb.lowercased())"
      return (
        name,
        """
        CREATE TRIGGER \(name) BEFORE \(verb) ON \(table)
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END
        """
      )
    }
  }

  static func areOwn(_ names: [String]) -> Bool {
    names.allSatisfy { $0 == "grdb_migrations" || $0.hasPrefix("sqlite_") }
  }

  /// All versions up to this one.
  ///
  /// A new version is a new migration at the end; existing ones are never edited.
  static func migrator(_ genesis: Genesis) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 events") { database in
      for object in objects { try database.execute(sql: object.sql) }
      try database.execute(
        sql: "INSERT INTO ledger (id, payload) VALUES (1, ?)", arguments: [genesis.payload])
    }
    // The tables are unchanged, but events have new members and kinds that an earlier program would
    // report as damage. This name makes it report a newer version instead.
    migrator.registerMigration("2 terms of orders and amendments") { _ in }
    migrator.registerMigration(identityVersion) { database in
      for object in identityObjects { try database.execute(sql: object.sql) }
      var random = SystemRandomNumberGenerator()
      try database.execute(
        sql: "INSERT INTO identity (id, value) VALUES (1, ?)",
        arguments: [LedgerIdentity(from: &random).description])
    }
    migrator.registerMigration("4 markets of venues and possible fills") { _ in }
    migrator.registerMigration("5 triggers") { _ in }
    migrator.registerMigration("6 linked orders") { _ in }
    migrator.registerMigration("7 post-only, reduce-only and time of expiry") { _ in }
    migrator.registerMigration("8 trailing stops") { _ in }
    return migrator
  }
}
