import type { StackDriftStatus } from '@emu/service-types/cloudformation';
import type { Resource } from '../stacks/registry.ts';

/** Resources that are read at the same time. */
const WIDTH = 8;

/** Does something with each resource, with some at the same time. */
export async function someAtATime(
  resources: readonly Resource[],
  act: (resource: Resource) => Promise<void>,
): Promise<void> {
  const todo = [...resources];
  const work = async (): Promise<void> => {
    for (let resource = todo.shift(); resource; resource = todo.shift()) await act(resource);
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
}

/** Whether a resource of this status differs from what was deployed. */
export const isDrifted = (status: string | undefined): boolean => status === 'MODIFIED' || status === 'DELETED';

/** What a stack is found to be whose resources are of these statuses. */
export function driftOfAll(statuses: readonly (string | undefined)[]): StackDriftStatus {
  if (statuses.some(isDrifted)) return 'DRIFTED';
  return statuses.includes('UNKNOWN') ? 'UNKNOWN' : 'IN_SYNC';
}
