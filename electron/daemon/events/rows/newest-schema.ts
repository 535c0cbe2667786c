/** The schema version this build writes; the last migration brings a database to it. */
export const newestSchema = 4;
