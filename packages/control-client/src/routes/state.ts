/** Which part of the state is meant; all of it by default. */
export interface StateQuery {
  /** Names of services, with commas between them. */
  services?: string;
  /** Account ids of 12 digits, with commas between them. */
  accounts?: string;
}

/** What was loaded of a state file. */
export interface LoadedStateRecord {
  /** How many records of each service. */
  loaded: Record<string, number>;
  /** Emulated time at which the state was saved, in ISO 8601. */
  takenAt: string;
}

/** Routes of the state as a file; emu's own. */
export interface StateRoutes {
  /** Answers a compressed tar archive. */
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
