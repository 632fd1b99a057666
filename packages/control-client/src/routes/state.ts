import type { LoadedStateRecord, StateQuery } from '../records/state.ts';
import { bytes, json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Selects a part of the state; all of it by default. */
export interface StateParts {
  /** Service names. */
  services?: readonly string[];
  /** Account ids of 12 digits. */
  accounts?: readonly string[];
}

const queryOf = ({ services, accounts }: StateParts): StateQuery => ({
  ...(services && { services: services.join(',') }),
  ...(accounts && { accounts: accounts.join(',') }),
});

/** The emulator's state as a file. */
export const state = {
  /**
   * Returns the current state of the emulator, or a part of it, as a compressed tar archive. Secrets in it are not
   * encrypted. `GET /_emulator/state`
   * @throws ApiError 400 for an unsupported service or an invalid account id
   */
  save: bytes('GET /_emulator/state', (parts: StateParts = {}): { query?: StateQuery } => ({ query: queryOf(parts) })),

  /**
   * Loads an archive from `save` of this or another emulator and replaces the state; with `mode: 'merge'` adds to it.
   * `POST /_emulator/state`
   * @throws ApiError 400 `InvalidState` for an invalid or incompatible archive; nothing is changed then
   */
  load: json<LoadedStateRecord>()(
    'POST /_emulator/state',
    (
      file: Uint8Array,
      options: StateParts & { mode?: 'replace' | 'merge' } = {},
    ): { query?: StateQuery & { mode?: 'replace' | 'merge' }; body: Uint8Array } => ({
      query: { ...queryOf(options), mode: options.mode },
      body: file,
    }),
  ),
};

/** Methods for the emulator's state as a file. */
export interface StateControl extends MethodsOf<typeof state> {}

/** Control routes of the state as a file by name. */
export type StateRoutes = RoutesOf<typeof state>;
