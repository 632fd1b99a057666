import type { LoadedStateRecord } from '../routes/state.ts';
import { AreaControl } from './area.ts';

/** Selects a part of the state; all of it by default. */
export interface StateParts {
  /** Service names. */
  services?: readonly string[];
  /** Account ids of 12 digits. */
  accounts?: readonly string[];
}

/** The emulator's state as a file. */
export class StateControl extends AreaControl {
  /**
   * Returns the current state of the emulator, or a part of it, as a compressed tar archive. Secrets in it are not
   * encrypted. `GET /_emulator/state`
   * @throws ApiError 400 for an unsupported service or an invalid account id
   */
  save(parts: StateParts = {}): Promise<Uint8Array> {
    return this.transport.bytes('GET /_emulator/state', { query: queryOf(parts) });
  }

  /**
   * Loads an archive from `save` of this or another emulator and replaces the state; with `mode: 'merge'` adds to it.
   * `POST /_emulator/state`
   * @throws ApiError 400 `InvalidState` for an invalid or incompatible archive; nothing is changed then
   */
  load(
    file: Uint8Array,
    { mode, ...parts }: StateParts & { mode?: 'replace' | 'merge' } = {},
  ): Promise<LoadedStateRecord> {
    const query = { ...queryOf(parts), ...(mode && { mode }) };
    return this.transport.json('POST /_emulator/state', { query, body: file });
  }
}

const queryOf = ({ services, accounts }: StateParts): { services?: string; accounts?: string } => ({
  ...(services && { services: services.join(',') }),
  ...(accounts && { accounts: accounts.join(',') }),
});
