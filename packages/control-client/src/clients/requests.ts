import type { RequestQuery, RequestRecord, RequestTree } from '../routes/requests.ts';
import { AreaControl } from './area.ts';

/** The newest requests of clients, and the calls between services that they caused. */
export class RequestControl extends AreaControl {
  /** Starts or stops recording. `PUT /_emulator/requests` */
  async record(recording = true): Promise<void> {
    await this.transport.json('PUT /_emulator/requests', { body: { recording } });
  }

  /** Lists the newest requests, oldest first, shortened and with masked secrets. `GET /_emulator/requests` */
  async list(query: RequestQuery & { limit?: number } = {}): Promise<RequestRecord[]> {
    return (await this.transport.json('GET /_emulator/requests', { query })).requests;
  }

  /**
   * Lists the newest requests as trees, each below its cause. A tree matches if any request in it matches. `GET
   * /_emulator/requests/tree`
   */
  async tree(query: RequestQuery & { limit?: number } = {}): Promise<RequestTree[]> {
    return (await this.transport.json('GET /_emulator/requests/tree', { query })).requests;
  }

  /** Deletes the recorded requests. Resolves to their number. `DELETE /_emulator/requests` */
  async clear(): Promise<number> {
    return (await this.transport.json('DELETE /_emulator/requests')).cleared;
  }
}
