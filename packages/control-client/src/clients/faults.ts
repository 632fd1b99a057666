import type { FaultRecord, FaultRequest } from '../routes/faults.ts';
import { AreaControl } from './area.ts';

/** Faults injected into the calls of AWS clients, to see how an application bears them. */
export class FaultControl extends AreaControl {
  /**
   * Injects a fault, which is tried after those that are in force already. `POST /_emulator/faults`
   * @throws ApiError 400 for a fault that makes no sense
   */
  add(fault: FaultRequest): Promise<FaultRecord> {
    return this.transport.json('POST /_emulator/faults', { body: fault });
  }

  /** The faults in force, oldest first. `GET /_emulator/faults` */
  async list(): Promise<FaultRecord[]> {
    return (await this.transport.json('GET /_emulator/faults')).faults;
  }

  /**
   * Ends one fault, or all; resolves to how many ended. `DELETE /_emulator/faults`, `DELETE /_emulator/faults/{id}`
   * @throws ApiError 404 for an id of no fault
   */
  async clear(id?: string): Promise<number> {
    const { cleared } =
      id === undefined
        ? await this.transport.json('DELETE /_emulator/faults')
        : await this.transport.json('DELETE /_emulator/faults/{id}', { params: { id } });
    return cleared;
  }
}
