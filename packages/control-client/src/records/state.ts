/** Selects a part of the state; all of it by default. */
export interface StateQuery {
  /** Service names, separated by commas. */
  services?: string;
  /** Account ids of 12 digits, separated by commas. */
  accounts?: string;
}

/** Loaded parts of a state file. */
export interface LoadedStateRecord {
  /** Number of records of each service. */
  loaded: Record<string, number>;
  /** Emulated time of saving, in ISO 8601. */
  takenAt: string;
}
