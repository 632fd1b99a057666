import type { CallOptions, ServiceCaller } from '@emu/core/service';
import type { Target } from '@emu/service-types/ssm';
import type { AwsError } from '@emu/wire';
import { ssmError } from '../errors.ts';
import type { Node } from './nodes.ts';

/** Error for invalid command parameters. */
export const invalidParameters = (message: string): AwsError => ssmError('InvalidParameters', message);

/**
 * Returns the predicate for nodes of a target.
 * @throws AwsError `InvalidParameters`
 */
export async function targetTest(
  { Key = '', Values = [] }: Target,
  caller: Pick<ServiceCaller, 'call'>,
  options?: CallOptions,
): Promise<(node: Node) => boolean> {
  if (Key.toLowerCase() === 'instanceids') return ({ id }) => Values.includes(id) || Values.includes('*');
  if (Key === 'tag-key') return ({ tags }) => Values.some((key) => Object.hasOwn(tags, key));
  if (Key.startsWith('tag:')) {
    const tag = Key.slice('tag:'.length);
    return ({ tags }) => Object.hasOwn(tags, tag) && (Values.length === 0 || Values.includes(tags[tag]!));
  }
  if (Key === 'resource-groups:ResourceTypeFilters')
    return ({ kind }) => Values.includes(`AWS::EC2::${kind.replace('EC2', '')}`);
  if (Key !== 'resource-groups:Name') throw invalidParameters(`The target key ${Key} is not valid.`);
  const arns = new Set<string>();
  for (const Group of Values) {
    const { Resources } = await caller.call('resourcegroups', 'ListGroupResources', { Group }, options);
    for (const { Identifier } of Resources ?? []) arns.add(Identifier?.ResourceArn?.split('/').at(-1) ?? '');
  }
  return ({ id }) => arns.has(id);
}
