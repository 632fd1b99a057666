import { awsError } from '@emu/wire';
import { type Context, invalid, stateAt } from '../context.ts';
import type {
  DeleteResourcePolicyInput,
  DeleteResourcePolicyOutput,
  GetResourcePolicyInput,
  GetResourcePolicyOutput,
  PutResourcePolicyInput,
  PutResourcePolicyOutput,
} from '../generated/dynamodb.ts';
import { streamType, tableType } from '../resources.ts';
import type { DynamoState } from '../state.ts';

const MAX_BYTES = 20 * 1024;
/** What `ExpectedRevisionId` says where there must be no policy yet. */
const NO_POLICY = 'NO_POLICY';

/** The state that holds the policy of a table or stream. @throws AwsError where there is no such resource */
function stateOf(ctx: Context, arn: string): DynamoState {
  const table = tableType.parse(arn);
  const stream = table ? undefined : streamType.parse(arn);
  const address = table ?? stream;
  if (!address) throw invalid(`Invalid ResourceArn: ${arn}`);
  const state = stateAt(address.place, ctx);
  const found = state && (table ? tableType.find(state, table.key) : streamType.find(state, stream!.key));
  if (!state || !found)
    throw awsError('ResourceNotFoundException', `Requested resource not found: ResourcArn: ${arn} not found`);
  return state;
}

function checkRevision(arn: string, current: string | undefined, expected: string | undefined): void {
  if (expected === undefined) return;
  if (expected === (current ?? NO_POLICY)) return;
  throw awsError(
    'PolicyNotFoundException',
    `Resource-based policy not found for the provided ResourceArn: ${arn} with the expected revision ${expected}`,
  );
}

const refuse = (reason: string) =>
  invalid(`One or more parameter values were invalid: Invalid policy document: ${reason}`);

/** Checks that a policy is one. @throws AwsError `ValidationException` */
export function checkDocument(text: string): void {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw invalid(`One or more parameter values were invalid: Maximum policy size of ${MAX_BYTES} bytes exceeded`);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw refuse('This policy contains invalid Json');
  }
  const { Statement: statements } = (document ?? {}) as { Statement?: unknown };
  const list = Array.isArray(statements) ? statements : statements ? [statements] : [];
  if (!list.length) throw refuse('Could not parse the policy: Statement is empty!');
  for (const statement of list as Record<string, unknown>[])
    for (const names of [
      ['Effect'],
      ['Principal', 'NotPrincipal'],
      ['Action', 'NotAction'],
      ['Resource', 'NotResource'],
    ])
      if (!names.some((name) => statement?.[name] !== undefined)) throw refuse(`Missing required field ${names[0]}`);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutResourcePolicy.html */
export function PutResourcePolicy(input: PutResourcePolicyInput, ctx: Context): PutResourcePolicyOutput {
  checkDocument(input.Policy);
  const state = stateOf(ctx, input.ResourceArn);
  const current = state.policies.get(input.ResourceArn);
  checkRevision(input.ResourceArn, current?.revisionId, input.ExpectedRevisionId);
  if (current?.policy === input.Policy) return { RevisionId: current.revisionId };
  const revisionId = String(ctx.clock.now()) + ctx.ids.hex(6);
  state.policies.put(input.ResourceArn, { policy: input.Policy, revisionId });
  return { RevisionId: revisionId };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetResourcePolicy.html */
export function GetResourcePolicy(input: GetResourcePolicyInput, ctx: Context): GetResourcePolicyOutput {
  const current = stateOf(ctx, input.ResourceArn).policies.get(input.ResourceArn);
  if (!current)
    throw awsError(
      'PolicyNotFoundException',
      `Resource-based policy not found for the provided ResourceArn: ${input.ResourceArn}`,
    );
  return { Policy: current.policy, RevisionId: current.revisionId };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteResourcePolicy.html */
export function DeleteResourcePolicy(input: DeleteResourcePolicyInput, ctx: Context): DeleteResourcePolicyOutput {
  const state = stateOf(ctx, input.ResourceArn);
  const current = state.policies.get(input.ResourceArn);
  checkRevision(input.ResourceArn, current?.revisionId, input.ExpectedRevisionId);
  if (!current) return {};
  state.policies.delete(input.ResourceArn);
  return { RevisionId: current.revisionId };
}
