import type { AthenaNamedQuery } from '../routes/athena.ts';
import { AreaControl } from './area.ts';

/** Control routes of Athena. */
export class AthenaControl extends AreaControl {
  /**
   * Lists the saved queries of all workgroups, with the time of their last use. `GET /_emulator/athena/named-queries`
   */
  namedQueries(): Promise<{ namedQueries: AthenaNamedQuery[] }> {
    return this.transport.json('GET /_emulator/athena/named-queries');
  }
}
