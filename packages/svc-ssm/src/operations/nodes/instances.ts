import type { InputOf, InstanceInformation, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { notManaged, ssmError } from '../../errors.ts';
import type { Node } from '../../nodes/nodes.ts';
import { paging } from '../../paging.ts';
import { checkRole } from './activations.ts';

const INSTANCE_ID = /^(?:i-(?:\w{8}|\w{17})|mi-\w{17})$/;

/** Returns the platform information that a node's agent reports. */
const platformOf = (node: Node, now: number) => ({
  InstanceId: node.id,
  PingStatus: node.online ? ('Online' as const) : ('ConnectionLost' as const),
  LastPingDateTime: new Date(node.online ? now : node.registeredAt),
  AgentVersion: node.agentVersion,
  PlatformType: node.platform,
  PlatformName: node.platformName,
  PlatformVersion: node.platformVersion,
  ...(node.activationId !== undefined && { ActivationId: node.activationId }),
  ...(node.role !== undefined && { IamRole: node.role }),
  ...(node.kind === 'ManagedInstance' && { RegistrationDate: new Date(node.registeredAt) }),
  ResourceType: node.kind,
  ...(node.name !== undefined && { Name: node.name }),
  IPAddress: node.ipAddress,
  ComputerName: node.computerName,
  SourceId: node.id,
  SourceType: node.kind === 'EC2Instance' ? ('AWS::EC2::Instance' as const) : ('AWS::SSM::ManagedInstance' as const),
});

const describeNode = (node: Node, now: number): InstanceInformation => ({
  ...platformOf(node, now),
  IsLatestVersion: true,
});

/**
 * Returns a node's values for a filter key.
 * @throws AwsError `InvalidFilterKey`
 */
function valuesOf(node: Node, key: string): string[] {
  switch (key) {
    case 'InstanceIds':
    case 'InstanceId':
      return [node.id];
    case 'AgentVersion':
      return [node.agentVersion];
    case 'PingStatus':
      return [node.online ? 'Online' : 'ConnectionLost'];
    case 'PlatformTypes':
    case 'PlatformType':
      return [node.platform];
    case 'PlatformName':
      return [node.platformName];
    case 'PlatformVersion':
      return [node.platformVersion];
    case 'ActivationIds':
      return [node.activationId ?? ''];
    case 'IamRole':
      return [node.role ?? ''];
    case 'ResourceType':
      return [node.kind];
    case 'ComputerName':
      return [node.computerName];
    case 'AssociationStatus':
    case 'DocumentName':
      return [];
    case 'tag-key':
      return Object.keys(node.tags);
    default:
      if (!key.startsWith('tag:')) throw ssmError('InvalidFilterKey', `The filter key ${key} is not valid.`);
      return Object.hasOwn(node.tags, key.slice('tag:'.length)) ? [node.tags[key.slice('tag:'.length)]!] : [];
  }
}

/**
 * Validates the syntax of node ids.
 * @throws AwsError `InvalidInstanceId` if one is invalid
 */
function checkIds(key: string, values: readonly string[]): void {
  const wrong = key === 'InstanceIds' ? values.filter((value) => !INSTANCE_ID.test(value)) : [];
  if (wrong.length > 0) throw ssmError('InvalidInstanceId', `Instance ids ${wrong.join(', ')} are not valid.`);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeInstanceInformation.html */
export async function DescribeInstanceInformation(
  input: InputOf<'DescribeInstanceInformation'>,
  ctx: SsmContext,
): Promise<OutputOf<'DescribeInstanceInformation'>> {
  const older = (input.InstanceInformationFilterList ?? []).map(({ key, valueSet }) => ({
    Key: key,
    Values: valueSet,
  }));
  const filters = [...(input.Filters ?? []), ...older];
  for (const { Key, Values } of filters) checkIds(Key, Values);
  const found = (await ctx.state.nodes.list()).filter((node) =>
    filters.every(({ Key, Values }) => valuesOf(node, Key).some((value) => Values.includes(value))),
  );
  const now = ctx.clock.now();
  return paging
    .page('DescribeInstanceInformation', input, found, ({ id }) => id)
    .list((node) => describeNode(node, now));
}

const COMPARISONS: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  Equal: (value, operand) => value === operand,
  NotEqual: (value, operand) => value !== operand,
  BeginWith: (value, operand) => value.startsWith(operand),
  LessThan: (value, operand) => value.localeCompare(operand, 'en', { numeric: true }) < 0,
  GreaterThan: (value, operand) => value.localeCompare(operand, 'en', { numeric: true }) > 0,
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeInstanceProperties.html */
export async function DescribeInstanceProperties(
  input: InputOf<'DescribeInstanceProperties'>,
  ctx: SsmContext,
): Promise<OutputOf<'DescribeInstanceProperties'>> {
  const plain = (input.InstancePropertyFilterList ?? []).map(({ key, valueSet }) => ({
    Key: key,
    Values: valueSet,
    Operator: undefined,
  }));
  const filters = [...plain, ...(input.FiltersWithOperator ?? [])];
  for (const { Key, Values } of filters) checkIds(Key, Values);
  const found = (await ctx.state.nodes.list()).filter((node) =>
    filters.every(({ Key, Values, Operator = 'Equal' }) => {
      const compare = COMPARISONS[Operator]!;
      const own = valuesOf(node, Key);
      return Operator === 'NotEqual'
        ? own.every((value) => Values.every((operand) => compare(value, operand)))
        : own.some((value) => Values.some((operand) => compare(value, operand)));
    }),
  );
  const now = ctx.clock.now();
  return paging.page('DescribeInstanceProperties', input, found, ({ id }) => id).list((node) => platformOf(node, now));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeregisterManagedInstance.html */
export function DeregisterManagedInstance(
  input: InputOf<'DeregisterManagedInstance'>,
  ctx: SsmContext,
): OutputOf<'DeregisterManagedInstance'> {
  if (!ctx.state.nodes.instances.delete(input.InstanceId)) throw notManaged([input.InstanceId], ctx.accountId);
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateManagedInstanceRole.html */
export async function UpdateManagedInstanceRole(
  input: InputOf<'UpdateManagedInstanceRole'>,
  ctx: SsmContext,
): Promise<OutputOf<'UpdateManagedInstanceRole'>> {
  const { instances } = ctx.state.nodes;
  if (!instances.has(input.InstanceId)) throw notManaged([input.InstanceId], ctx.accountId);
  await checkRole(input.IamRole, ctx);
  if (!instances.has(input.InstanceId)) throw notManaged([input.InstanceId], ctx.accountId);
  instances.update(input.InstanceId, (draft) => {
    draft.role = input.IamRole;
  });
  return {};
}
