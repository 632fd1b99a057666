import type { AthenaNamedQuery } from '../routes/athena.ts';
import { AreaControl } from './area.ts';

/** Control routes of Athena. */
export class AthenaControl extends AreaControl {
  /** Saved queries of all workgroups, with when they were last used. `GET /_emulator/athena/named-queries` */
  namedQueries(): Promise<{ namedQueries: AthenaNamedQuery[] }> {
    return this.transport.json('GET /_emulator/athena/named-queries');
  }
}
