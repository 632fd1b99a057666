import type { StackDriftStatus } from '@emu/service-types/cloudformation';
import type { Resource } from '../stacks/registry.ts';

/** Maximum number of resources read concurrently. */
const WIDTH = 8;

/** Runs a task for each resource, several at a time. */
export async function forEachConcurrently(
  resources: readonly Resource[],
  act: (resource: Resource) => Promise<void>,
): Promise<void> {
  const todo = [...resources];
  const work = async (): Promise<void> => {
    for (let resource = todo.shift(); resource; resource = todo.shift()) await act(resource);
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
}

/** Whether a resource with this status differs from its deployed state. */
export const isDrifted = (status: string | undefined): boolean => status === 'MODIFIED' || status === 'DELETED';

/** Returns the drift status of a stack from the statuses of its resources. */
export function driftOfAll(statuses: readonly (string | undefined)[]): StackDriftStatus {
  if (statuses.some(isDrifted)) return 'DRIFTED';
  return statuses.includes('UNKNOWN') ? 'UNKNOWN' : 'IN_SYNC';
}
