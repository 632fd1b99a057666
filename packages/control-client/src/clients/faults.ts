import type { FaultRecord, FaultRequest } from '../routes/faults.ts';
import { AreaControl } from './area.ts';

/** Faults injected into requests of AWS clients, to test the error handling of an application. */
export class FaultControl extends AreaControl {
  /**
   * Injects a fault, which is evaluated after the existing ones. `POST /_emulator/faults`
   * @throws ApiError 400 for an invalid fault
   */
  add(fault: FaultRequest): Promise<FaultRecord> {
    return this.transport.json('POST /_emulator/faults', { body: fault });
  }

  /** Lists the active faults, oldest first. `GET /_emulator/faults` */
  async list(): Promise<FaultRecord[]> {
    return (await this.transport.json('GET /_emulator/faults')).faults;
  }

  /**
   * Ends one fault, or all. Resolves to the number of ended faults. `DELETE /_emulator/faults`, `DELETE
   * /_emulator/faults/{id}`
   * @throws ApiError 404 for an unknown id
   */
  async clear(id?: string): Promise<number> {
    const { cleared } =
      id === undefined
        ? await this.transport.json('DELETE /_emulator/faults')
        : await this.transport.json('DELETE /_emulator/faults/{id}', { params: { id } });
    return cleared;
  }
}
