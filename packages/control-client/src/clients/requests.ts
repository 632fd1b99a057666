import type { RequestQuery, RequestRecord, RequestTree } from '../routes/requests.ts';
import { AreaControl } from './area.ts';

/** The newest requests of clients, and what they caused in other services. */
export class RequestControl extends AreaControl {
  /** Begins or ends recording. `PUT /_emulator/requests` */
  async record(recording = true): Promise<void> {
    await this.transport.json('PUT /_emulator/requests', { body: { recording } });
  }

  /** The newest requests, oldest first, cut and with secrets masked. `GET /_emulator/requests` */
  async list(query: RequestQuery & { limit?: number } = {}): Promise<RequestRecord[]> {
    return (await this.transport.json('GET /_emulator/requests', { query })).requests;
  }

  /** The same, each below the request that caused it; a tree counts if anything in it matches. `GET /_emulator/requests/tree` */
  async tree(query: RequestQuery & { limit?: number } = {}): Promise<RequestTree[]> {
    return (await this.transport.json('GET /_emulator/requests/tree', { query })).requests;
  }

  /** Forgets what was recorded; resolves to how many. `DELETE /_emulator/requests` */
  async clear(): Promise<number> {
    return (await this.transport.json('DELETE /_emulator/requests')).cleared;
  }
}
