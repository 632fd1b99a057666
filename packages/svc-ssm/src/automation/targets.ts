import { parseArn } from '@emu/core/service';
import type { Target } from '@emu/service-types/ssm';
import type { SsmContext } from '../context.ts';
import { ssmError } from '../errors.ts';
import { invalidParameters } from './starting.ts';

/** Target keys that select a group of resources. */
const GROUP = /^(?:ResourceGroup|resource-groups:Name|tag:.+)$/;

/** Returns the resource id that runbooks expect: the last part of the ARN. */
const idOf = (arn: string): string => (parseArn(arn)?.resource ?? arn).split(/[/:]/).at(-1)!;

/** Converts a resource type to the tagging API's form, for example `s3` or `dynamodb:table`. */
function filterOf(targetType: string | undefined): string[] {
  const [, service, resource] = /^\/AWS::([A-Za-z0-9]+)::([A-Za-z0-9]+)$/.exec(targetType ?? '') ?? [];
  if (service === undefined) return [];
  const name = service.toLowerCase();
  return [name === 's3' || name === 'sqs' || name === 'sns' ? name : `${name}:${resource!.toLowerCase()}`];
}

async function tagged(
  key: string,
  values: readonly string[],
  targetType: string | undefined,
  ctx: SsmContext,
): Promise<string[]> {
  const { ResourceTagMappingList } = await ctx.call('resourcegroupstaggingapi', 'GetResources', {
    TagFilters: [{ Key: key, ...(values.length > 0 && { Values: [...values] }) }],
    ResourceTypeFilters: filterOf(targetType),
  });
  return (ResourceTagMappingList ?? []).map(({ ResourceARN }) => idOf(ResourceARN!));
}

async function grouped(name: string, ctx: SsmContext): Promise<string[]> {
  const { Resources, ResourceIdentifiers } = await ctx.call('resourcegroups', 'ListGroupResources', { Group: name });
  const arns =
    Resources?.map(({ Identifier }) => Identifier?.ResourceArn) ??
    ResourceIdentifiers?.map(({ ResourceArn }) => ResourceArn) ??
    [];
  return arns.flatMap((arn) => (arn === undefined ? [] : [idOf(arn)]));
}

/**
 * Returns the parameter values that targets stand for.
 * @param targetType of the runbook, for example `/AWS::S3::Bucket`
 * @throws AwsError `InvalidAutomationExecutionParametersException`, `InvalidTarget` if there are none
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/running-automations-map-targets.html
 */
export async function targetValues(
  targets: readonly Target[],
  targetType: string | undefined,
  ctx: SsmContext,
): Promise<string[]> {
  if (targets.filter(({ Key = '' }) => GROUP.test(Key)).length > 1)
    throw invalidParameters('Only one resource group or tag can be specified at a time');
  const found: string[] = [];
  for (const { Key = '', Values = [] } of targets) {
    if (Key === 'ParameterValues' || Key === 'InstanceIds') found.push(...Values);
    else if (Key.startsWith('tag:')) found.push(...(await tagged(Key.slice('tag:'.length), Values, targetType, ctx)));
    else if (GROUP.test(Key)) for (const value of Values) found.push(...(await grouped(value, ctx)));
    else
      throw invalidParameters(
        'Target key can have only following values : ParameterValues, ResourceGroup, InstanceIds, tag:<key>',
      );
  }
  if (found.length === 0) throw ssmError('InvalidTarget', "The target isn't valid or doesn't exist.");
  return [...new Set(found)];
}
