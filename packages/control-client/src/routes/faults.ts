import type { FaultRecord, FaultRequest } from '../records/faults.ts';
import { json, type MethodsOf, methodsOf, type RoutesOf } from '../table.ts';
import type { Transport } from '../transport.ts';

const ended = ({ cleared }: { cleared: number }): number => cleared;

/** Faults injected into requests of AWS clients, to test the error handling of an application. */
export const faults = {
  /**
   * Injects a fault, which is evaluated after the existing ones. `POST /_emulator/faults`
   * @throws ApiError 400 for an invalid fault
   */
  add: json<FaultRecord>()('POST /_emulator/faults', (fault: FaultRequest) => ({ body: fault })),

  /** Lists the active faults, oldest first. `GET /_emulator/faults` */
  list: json<{ faults: FaultRecord[] }>()(
    'GET /_emulator/faults',
    () => ({}),
    ({ faults }) => faults,
  ),
};

/** Routes behind `clear`. */
export const faultEnds = {
  all: json<{ cleared: number }>()('DELETE /_emulator/faults', () => ({}), ended),
  one: json<{ cleared: number }>()('DELETE /_emulator/faults/{id}', (id: string) => ({ params: { id } }), ended),
};

/** Control routes of faults by name. */
export type FaultRoutes = RoutesOf<typeof faults | typeof faultEnds>;

/** Methods for faults injected into requests of AWS clients, to test the error handling of an application. */
export interface FaultControl extends MethodsOf<typeof faults> {
  /**
   * Ends one fault, or all. Resolves to the number of ended faults. `DELETE /_emulator/faults`, `DELETE
   * /_emulator/faults/{id}`
   * @throws ApiError 404 for an unknown id
   */
  clear(id?: string): Promise<number>;
}

/** Returns the methods for faults. */
export function faultControl(transport: Transport): FaultControl {
  const ends = methodsOf(faultEnds, transport);
  return { ...methodsOf(faults, transport), clear: (id) => (id === undefined ? ends.all() : ends.one(id)) };
}
