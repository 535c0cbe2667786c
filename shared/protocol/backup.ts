/** Newest schema (`user_version` of `store.db`) that this version reads and writes; the last step of the daemon's migrations. */
export const storeSchema = 4;

/** Tables that every store has had since its first schema: what tells one of ours from a database of another program. */
export const storeTables = ['sessions', 'events', 'wakes'] as const;

/** What a backup folder may hold; only the database is always there. The log of the database belongs to a copied home. */
export const backupParts = ['store.db', 'store.db-wal', 'blobs', 'settings.json'] as const;
