import type { LoadedStateRecord } from '../routes/state.ts';
import { AreaControl } from './area.ts';

/** Which part of the state is meant; all of it by default. */
export interface StateParts {
  /** Names of services. */
  services?: readonly string[];
  /** Account ids of 12 digits. */
  accounts?: readonly string[];
}

/** The emulator's state as a file. */
export class StateControl extends AreaControl {
  /**
   * Everything that the emulator keeps at this moment, or a part of it, as a compressed tar archive. Secrets are in it as they
   * are. `GET /_emulator/state`
   * @throws ApiError 400 for a service that emu does not have, and for what is no account id
   */
  save(parts: StateParts = {}): Promise<Uint8Array> {
    return this.transport.bytes('GET /_emulator/state', { query: queryOf(parts) });
  }

  /**
   * Loads what `save` resolved to, here or elsewhere, in the place of what there is; with `mode: 'merge'` beside it.
   * `POST /_emulator/state`
   * @throws ApiError 400 `InvalidState` for what is no such file, or one that this emulator cannot take; nothing is changed then
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
