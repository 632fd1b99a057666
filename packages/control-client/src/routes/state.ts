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

/** Routes of the state as a file; emu's own. */
export interface StateRoutes {
  /** Response: a compressed tar archive. */
  'GET /_emulator/state': { query?: StateQuery; response: Uint8Array };
  'POST /_emulator/state': {
    query?: StateQuery & {
      /** `replace` by default. */
      mode?: 'replace' | 'merge';
    };
    body: Uint8Array;
    response: LoadedStateRecord;
  };
}
