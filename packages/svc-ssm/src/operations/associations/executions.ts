import type { AlarmConfiguration, AssociationExecutionFilterKey, InputOf, OutputOf } from '@emu/service-types/ssm';
import { associationAt, targetsOf } from '../../associations/describe.ts';
import { type Association, type AssociationExecution, currentVersion } from '../../associations/store.ts';
import { compares } from '../../comparisons.ts';
import type { SsmContext } from '../../context.ts';
import { resolveDocument } from '../../documents/resolve.ts';
import { ssmError } from '../../errors.ts';
import { paging } from '../../paging.ts';

/** Fields of executions that filters compare, by filter key. */
const FIELDS: Readonly<Record<AssociationExecutionFilterKey, (execution: AssociationExecution) => string>> = {
  ExecutionId: ({ id }) => id,
  Status: ({ status }) => status,
  CreatedTime: ({ createdAt }) => new Date(createdAt).toISOString(),
};

/** Returns the alarm configuration of the association version that an execution ran. */
function alarmsOf({ versions }: Association, { version }: AssociationExecution): AlarmConfiguration | undefined {
  const { AlarmConfiguration } = versions.find((one) => one.version === version)?.settings ?? {};
  return AlarmConfiguration as AlarmConfiguration | undefined;
}

/** Returns the number of targets by status, for example `{Success=1}`. */
function countsOf({ targets }: AssociationExecution): string {
  const statuses = targets.map(({ status }) => status);
  const counted = [...new Set(statuses)].map(
    (status) => `${status}=${statuses.filter((one) => one === status).length}`,
  );
  return `{${counted.join(', ')}}`;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeAssociationExecutions.html */
export function DescribeAssociationExecutions(
  input: InputOf<'DescribeAssociationExecutions'>,
  ctx: SsmContext,
): OutputOf<'DescribeAssociationExecutions'> {
  const { id } = associationAt(input.AssociationId, ctx);
  const listed = ctx.state.associations
    .executionsOf(id)
    .filter((execution) =>
      (input.Filters ?? []).every(({ Key, Value, Type }) => compares(FIELDS[Key](execution), Type, [Value])),
    );
  return paging
    .page(
      'DescribeAssociationExecutions',
      input,
      listed,
      ({ createdAt, id: own }) => `${String(createdAt).padStart(16, '0')} ${own}`,
      { descending: true },
    )
    .list((execution) => ({
      AssociationId: id,
      AssociationVersion: String(execution.version),
      ExecutionId: execution.id,
      Status: execution.status,
      DetailedStatus: execution.detailedStatus,
      CreatedTime: new Date(execution.createdAt),
      LastExecutionDate: execution.endedAt === undefined ? undefined : new Date(execution.endedAt),
      ResourceCountByStatus: countsOf(execution),
      AlarmConfiguration: alarmsOf(associationAt(id, ctx), execution),
      ...(execution.triggeredAlarms && {
        TriggeredAlarms: execution.triggeredAlarms.map((alarm) => ({ ...alarm })),
      }),
    }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeAssociationExecutionTargets.html */
export function DescribeAssociationExecutionTargets(
  input: InputOf<'DescribeAssociationExecutionTargets'>,
  ctx: SsmContext,
): OutputOf<'DescribeAssociationExecutionTargets'> {
  const { id } = associationAt(input.AssociationId, ctx);
  const execution = ctx.state.associations.executions.get(input.ExecutionId);
  if (execution?.associationId !== id)
    throw ssmError('AssociationExecutionDoesNotExist', 'The specified execution ID does not exist.');
  const listed = execution.targets.filter((target) =>
    (input.Filters ?? []).every(
      ({ Key, Value }) =>
        ({ Status: target.status, ResourceId: target.resourceId, ResourceType: target.resourceType })[Key] === Value,
    ),
  );
  return paging
    .page('DescribeAssociationExecutionTargets', input, listed, ({ resourceId }) => resourceId)
    .list((target) => ({
      AssociationId: id,
      AssociationVersion: String(execution.version),
      ExecutionId: execution.id,
      ResourceId: target.resourceId,
      ResourceType: target.resourceType,
      Status: target.status,
      DetailedStatus: target.detailedStatus,
      LastExecutionDate: new Date(target.at),
      ...(execution.outputId !== undefined && {
        OutputSource: { OutputSourceId: execution.outputId, OutputSourceType: execution.outputType },
      }),
    }));
}

/** Returns the last execution of an association on a node, with its result there. */
function lastOn(association: Association, instanceId: string, { state }: SsmContext) {
  return state.associations
    .executionsOf(association.id)
    .flatMap((execution) => execution.targets.filter(({ resourceId }) => resourceId === instanceId))
    .reduce<AssociationExecution['targets'][number] | undefined>(
      (last, target) => (last && last.at > target.at ? last : target),
      undefined,
    );
}

/** Returns the associations that name a node, apply to all nodes or have run on it. */
const associationsOf = (instanceId: string, ctx: SsmContext): Association[] =>
  [...ctx.state.associations.associations.values()].filter(
    (association) =>
      targetsOf(association, currentVersion(association).settings).some(
        ({ Key, Values = [] }) => Key === 'InstanceIds' && (Values.includes(instanceId) || Values.includes('*')),
      ) || lastOn(association, instanceId, ctx),
  );

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeEffectiveInstanceAssociations.html */
export function DescribeEffectiveInstanceAssociations(
  input: InputOf<'DescribeEffectiveInstanceAssociations'>,
  ctx: SsmContext,
): OutputOf<'DescribeEffectiveInstanceAssociations'> {
  return paging
    .page('DescribeEffectiveInstanceAssociations', input, associationsOf(input.InstanceId, ctx), ({ id }) => id, {
      defaultLimit: 5,
    })
    .list((association) => {
      const { version, settings } = currentVersion(association);
      return {
        AssociationId: association.id,
        InstanceId: input.InstanceId,
        Content: resolveDocument(ctx.state, settings.Name, settings.DocumentVersion).version.content,
        AssociationVersion: String(version),
      };
    });
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeInstanceAssociationsStatus.html */
export function DescribeInstanceAssociationsStatus(
  input: InputOf<'DescribeInstanceAssociationsStatus'>,
  ctx: SsmContext,
): OutputOf<'DescribeInstanceAssociationsStatus'> {
  return paging
    .page('DescribeInstanceAssociationsStatus', input, associationsOf(input.InstanceId, ctx), ({ id }) => id)
    .list((association) => {
      const { version, settings } = currentVersion(association);
      const last = lastOn(association, input.InstanceId, ctx);
      return {
        AssociationId: association.id,
        Name: settings.Name,
        DocumentVersion: settings.DocumentVersion,
        AssociationVersion: String(version),
        InstanceId: input.InstanceId,
        ...(last && { ExecutionDate: new Date(last.at), DetailedStatus: last.detailedStatus }),
        Status: last?.status ?? 'Pending',
        AssociationName: settings.AssociationName,
      };
    });
}
