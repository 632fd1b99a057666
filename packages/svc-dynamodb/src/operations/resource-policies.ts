import {
  actionsOf,
  each,
  type PolicyRules,
  PRINCIPALS,
  parsePolicy,
  stateInRegion,
  type ValuesRule,
} from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { checkRegion } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import { policyRefusal } from '../policy-problems.ts';
import { streamType, tableType } from '../resources.ts';
import type { DynamoState } from '../state.ts';

/** Value of `ExpectedRevisionId` that requires the absence of a policy. */
const NO_POLICY = 'NO_POLICY';

/** A table or stream with a policy, and its table's name. */
interface PolicyTarget {
  state: DynamoState;
  table: string;
}

/** @throws AwsError `ResourceNotFoundException` if the table or stream does not exist */
function targetOf(ctx: DynamodbContext, arn: string): PolicyTarget {
  const table = tableType.parse(arn);
  const stream = table ? undefined : streamType.parse(arn);
  const address = table ?? stream;
  if (!address) throw invalid(`Invalid ResourceArn: ${arn}`);
  checkRegion(ctx, arn, address.place);
  const state = stateInRegion(address.place, ctx);
  const found = state && (table ? tableType.find(state, table.key) : streamType.find(state, stream!.key));
  if (!state || !found)
    throw dynamodbError(
      'ResourceNotFoundException',
      `Requested resource not found: ${table ? `Table: ${table.key.table}` : `ResourcArn: ${arn}`} not found`,
    );
  return { state, table: address.key.table };
}

const policyNotFound = (reason: string) =>
  dynamodbError('PolicyNotFoundException', `Resource-based policy not found for the provided ResourceArn: ${reason}`);

/** @throws AwsError `PolicyNotFoundException` if the policy has another revision than the expected one */
function checkRevision(table: string, current: string | undefined, expected: string | undefined): void {
  if (expected === undefined || expected === (current ?? NO_POLICY)) return;
  if (expected === NO_POLICY)
    throw policyNotFound(
      `Requested policy update expecting none to be present for table ${table}, but a policy exists with revision id ${current}.`,
    );
  const update = `Requested update for policy with revision id ${expected}`;
  throw policyNotFound(
    current === undefined
      ? `${update}, but table ${table} has no associated policy.`
      : `${update}, but the policy associated to target table ${table} has revision id ${current}.`,
  );
}

/**
 * Actions on tables, their indexes and streams.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
const ACTIONS = `
  AssociateTableReplica BatchGetItem BatchWriteItem ConditionCheckItem CreateBackup CreateGlobalTable
  CreateGlobalTableWitness CreateTable CreateTableReplica DeleteGlobalTableWitness DeleteItem DeleteResourcePolicy
  DeleteTable DeleteTableReplica DescribeContinuousBackups DescribeContributorInsights
  DescribeKinesisStreamingDestination DescribeStream DescribeTable DescribeTableReplicaAutoScaling DescribeTimeToLive
  DisableKinesisStreamingDestination EnableKinesisStreamingDestination ExportTableToPointInTime GetItem GetRecords
  GetResourcePolicy GetShardIterator ImportTable ListExports ListImports ListTagsOfResource PartiQLDelete PartiQLInsert
  PartiQLSelect PartiQLUpdate PutItem PutResourcePolicy Query ReadDataForReplication ReplicateSettings
  RestoreTableFromAwsBackup RestoreTableFromBackup RestoreTableToPointInTime Scan StartAwsBackupJob TagResource
  UntagResource UpdateContinuousBackups UpdateContributorInsights UpdateGlobalTable UpdateGlobalTableSettings
  UpdateGlobalTableVersion UpdateItem UpdateKinesisStreamingDestination UpdateTable UpdateTableReplicaAutoScaling
  UpdateTimeToLive WriteDataForReplication
`
  .trim()
  .split(/\s+/);

const isAction = actionsOf('dynamodb', ACTIONS);

/** Returns all invalid actions. */
const actions: ValuesRule = (names) => {
  const wrong = names.filter((name) => isAction([name]) !== undefined);
  return wrong.length ? { value: wrong.map((name) => `"${name}"`).join(', ') } : undefined;
};

/**
 * Rules for policies of a table or stream.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/access-control-resource-based.html
 */
const RULES: PolicyRules = {
  size: { most: 20 * 1024, of: 'bytes' },
  duplicateKeys: true,
  principal: 'required',
  principals: PRINCIPALS,
  action: 'required',
  actions,
  resource: 'required',
  resources: each((resource) => /^(?:\*$|arn:)/.test(resource)),
};

/**
 * Validates a policy document.
 * @throws AwsError `ValidationException`
 */
export function checkDocument(text: string): void {
  const { problem } = parsePolicy(text, RULES);
  if (problem) throw policyRefusal(problem);
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutResourcePolicy.html */
export function PutResourcePolicy(
  input: InputOf<'PutResourcePolicy'>,
  ctx: DynamodbContext,
): OutputOf<'PutResourcePolicy'> {
  checkDocument(input.Policy);
  const { state, table } = targetOf(ctx, input.ResourceArn);
  const current = state.policies.get(input.ResourceArn);
  checkRevision(table, current?.revisionId, input.ExpectedRevisionId);
  if (current?.policy === input.Policy) return { RevisionId: current.revisionId };
  const revisionId = String(ctx.clock.now()) + ctx.ids.hex(6);
  state.policies.put(input.ResourceArn, { policy: input.Policy, revisionId });
  return { RevisionId: revisionId };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetResourcePolicy.html */
export function GetResourcePolicy(
  input: InputOf<'GetResourcePolicy'>,
  ctx: DynamodbContext,
): OutputOf<'GetResourcePolicy'> {
  const current = targetOf(ctx, input.ResourceArn).state.policies.get(input.ResourceArn);
  if (!current) throw policyNotFound(input.ResourceArn);
  return { Policy: current.policy, RevisionId: current.revisionId };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteResourcePolicy.html */
export function DeleteResourcePolicy(
  input: InputOf<'DeleteResourcePolicy'>,
  ctx: DynamodbContext,
): OutputOf<'DeleteResourcePolicy'> {
  const { state, table } = targetOf(ctx, input.ResourceArn);
  const current = state.policies.get(input.ResourceArn);
  checkRevision(table, current?.revisionId, input.ExpectedRevisionId);
  if (!current) return {};
  state.policies.delete(input.ResourceArn);
  return { RevisionId: current.revisionId };
}
