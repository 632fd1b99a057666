import type { StateScope } from '@emu/core/service';
import type { Target } from '@emu/service-types/ssm';
import type { Nodes } from '../nodes/nodes.ts';
import { targetTest } from '../nodes/targets.ts';
import { asSsm } from '../parameters/events.ts';

/** Returns the node ids of targets: those that they name, existing or not, and those that match. */
export async function nodesOfTargets(targets: readonly Target[], nodes: Nodes, scope: StateScope): Promise<string[]> {
  const named = targets.flatMap(({ Key, Values = [] }) => (Key === 'InstanceIds' ? Values : []));
  const describing = targets.filter(({ Key }) => Key !== 'InstanceIds');
  if (!describing.length) return named;
  const { accountId, region, ids } = scope;
  const options = asSsm(accountId, region, ids.uuid());
  const tests = await Promise.all(describing.map((target) => targetTest(target, scope, options)));
  const found = (await nodes.list()).filter((node) => tests.every((test) => test(node)));
  return [...new Set([...named, ...found.map(({ id }) => id)])];
}
