import type { DeepReadonly } from '@emu/core/service';
import type { AccountPolicy, InputOf, OutputOf } from '@emu/service-types/logs';
import { parseJson } from '@emu/wire';
import type { LogsContext } from '../context.ts';
import { EXTRACTION_POLICY } from '../embedded/embedded-metrics.ts';
import { accessDenied, invalidParameter, limitExceeded, notFound } from '../errors.ts';
import { parseIndexFields } from '../index-policies.ts';
import { paging } from '../paging.ts';
import { parsePattern } from '../patterns/parse.ts';
import { parseProtection } from '../protection/policy.ts';
import { type AccountPolicyRecord, keyIn } from '../records.ts';
import type { LogsState } from '../state.ts';
import { checkTarget } from '../subscriptions/check.ts';
import { overlaps } from '../subscriptions/overlap.ts';
import { criteriaOf, parseSelection, prefixesOf } from '../subscriptions/selection.ts';
import { TRANSFORMER_POLICY } from '../transformers/transformers.ts';
import { allowFindings } from './data-protection.ts';

type Kind = AccountPolicyRecord['type'];

/** Maximum number of policies per type. */
const MAX_POLICIES: Readonly<Partial<Record<Kind, number>>> = {
  DATA_PROTECTION_POLICY: 1,
  SUBSCRIPTION_FILTER_POLICY: 1,
  FIELD_INDEX_POLICY: 20,
  TRANSFORMER_POLICY: 20,
  METRIC_EXTRACTION_POLICY: 5,
};
/** Maximum number of names in the criteria of a metric extraction policy. */
const MAX_NAMES = 50;

/** Document of a subscription policy. */
interface SubscriptionDocument {
  readonly DestinationArn?: string;
  readonly RoleArn?: string;
  readonly FilterPattern?: string;
  readonly Distribution?: 'Random' | 'ByLogStream';
}

/** Returns the key of the subscription created by an account policy. */
const subscriptionKey = (name: string): string => keyIn('', name);

/**
 * Parses the document of an account policy.
 * @throws AwsError `InvalidParameterException`
 */
export function policyDocumentIn(document: string): object {
  try {
    const value: unknown = parseJson(document);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Invalid JSON is rejected as an invalid policy document.
  }
  throw invalidParameter('The specified policy document is not valid.');
}

/**
 * Creates or replaces a policy for all log groups of the account.
 * @throws AwsError `InvalidParameterException`, `LimitExceededException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutAccountPolicy.html
 */
export async function PutAccountPolicy(
  input: InputOf<'PutAccountPolicy'>,
  ctx: LogsContext,
): Promise<OutputOf<'PutAccountPolicy'>> {
  const { policyName: name, policyType: type, policyDocument: document, selectionCriteria } = input;
  const { state } = ctx;
  parseSelection(selectionCriteria);
  if (selectionCriteria !== undefined && type === 'DATA_PROTECTION_POLICY')
    throw invalidParameter('Selection criteria is not supported for data protection policies.');
  const subscription = await checked(type, document, ctx);
  const key = keyIn(type, name);
  const existing = state.accountPolicies.get(key);
  const others = [...state.accountPolicies.values()].filter((policy) => policy.type === type && policy.name !== name);
  if (type === TRANSFORMER_POLICY) checkSeparate(selectionCriteria, others);
  if (type === EXTRACTION_POLICY) checkDistinct(selectionCriteria, others);
  if (!existing && others.length >= (MAX_POLICIES[type] ?? Number.POSITIVE_INFINITY)) throw limitExceeded();
  const record = state.accountPolicies.put(key, {
    type,
    name,
    document,
    updatedAt: ctx.clock.now(),
    ...(selectionCriteria !== undefined && { selectionCriteria }),
  });
  if (subscription) subscribe(state, name, subscription, existing !== undefined);
  return { accountPolicy: describe(record, ctx) };
}

/**
 * Rejects a second account transformer for the same group.
 * @throws AwsError `InvalidParameterException`
 */
function checkSeparate(criteria: string | undefined, others: readonly DeepReadonly<AccountPolicyRecord>[]): void {
  const prefixes = prefixesOf(criteria);
  for (const { selectionCriteria, name } of others)
    for (const other of prefixesOf(selectionCriteria))
      if (prefixes.some((prefix) => prefix.startsWith(other) || other.startsWith(prefix)))
        throw invalidParameter(`The log groups of the policy overlap with those of the policy ${name}.`);
}

/**
 * Rejects two policies for the same group.
 * @throws AwsError `InvalidParameterException`
 */
function checkDistinct(criteria: string | undefined, others: readonly DeepReadonly<AccountPolicyRecord>[]): void {
  if (criteria !== undefined && criteriaOf(criteria).names.length > MAX_NAMES)
    throw invalidParameter('The specified selection criteria is not valid.');
  for (const { selectionCriteria, name } of others)
    if (overlaps(criteria, selectionCriteria))
      throw invalidParameter(`The log groups of the policy overlap with those of the policy ${name}.`);
}

/**
 * Validates a policy according to its type.
 * @returns its subscription, if it is a subscription policy
 */
async function checked(type: Kind, document: string, ctx: LogsContext): Promise<SubscriptionDocument | undefined> {
  switch (type) {
    case 'DATA_PROTECTION_POLICY':
      await allowFindings(parseProtection(document), '*', ctx);
      return undefined;
    case 'FIELD_INDEX_POLICY':
      parseIndexFields(document);
      return undefined;
    case TRANSFORMER_POLICY:
      // Document members are validated like request members.
      await ctx.callJson('logs', 'TestTransformer', {
        transformerConfig: policyDocumentIn(document),
        logEventMessages: ['{}'],
      });
      return undefined;
    case 'SUBSCRIPTION_FILTER_POLICY': {
      const subscription = policyDocumentIn(document) as SubscriptionDocument;
      const { DestinationArn, RoleArn, FilterPattern = '' } = subscription;
      if (DestinationArn === undefined) throw invalidParameter('The policy document must have a DestinationArn.');
      parsePattern(FilterPattern);
      await checkTarget({ destinationArn: DestinationArn, roleArn: RoleArn }, undefined, ctx);
      return subscription;
    }
    case EXTRACTION_POLICY:
      policyDocumentIn(document);
      return undefined;
  }
}

function subscribe(state: LogsState, name: string, document: SubscriptionDocument, exists: boolean): void {
  const { DestinationArn, RoleArn, FilterPattern = '', Distribution = 'ByLogStream' } = document;
  const key = subscriptionKey(name);
  state.subscriptions.put(key, {
    name,
    pattern: FilterPattern,
    destinationArn: DestinationArn!,
    ...(RoleArn !== undefined && { roleArn: RoleArn }),
    distribution: Distribution,
    onTransformed: false,
    createdAt: state.clock.now(),
  });
  if (exists) for (const group of state.groups.list()) state.deliveries.wake(group);
  // Groups created later are subscribed from their creation.
  else state.deliveries.begin(key, state.groups.list());
}

/**
 * Deletes an account policy.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteAccountPolicy.html
 */
export function DeleteAccountPolicy(
  input: InputOf<'DeleteAccountPolicy'>,
  ctx: LogsContext,
): OutputOf<'DeleteAccountPolicy'> {
  const { policyName, policyType } = input;
  const { state } = ctx;
  if (!state.accountPolicies.delete(keyIn(policyType, policyName)))
    throw notFound('The specified account policy does not exist.');
  if (policyType === 'SUBSCRIPTION_FILTER_POLICY') {
    state.subscriptions.delete(subscriptionKey(policyName));
    state.deliveries.end(subscriptionKey(policyName));
  }
  return {};
}

/**
 * Lists the account's policies of one type.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeAccountPolicies.html
 */
export function DescribeAccountPolicies(
  input: InputOf<'DescribeAccountPolicies'>,
  ctx: LogsContext,
): OutputOf<'DescribeAccountPolicies'> {
  const { policyType, policyName, accountIdentifiers } = input;
  const [accountId = ctx.accountId] = accountIdentifiers ?? [];
  if (ctx.enforced && accountId !== ctx.accountId)
    throw accessDenied(`The account ${ctx.accountId} is not authorized to list the policies of account ${accountId}.`);
  const state = accountId === ctx.accountId ? ctx.state : ctx.handle.existingState(accountId, ctx.region);
  const found = [...(state?.accountPolicies.values() ?? [])].filter(
    ({ type, name }) => type === policyType && (policyName === undefined || name === policyName),
  );
  if (policyName !== undefined && !found.length) throw notFound('The specified account policy does not exist.');
  return paging
    .page('DescribeAccountPolicies', input, found, ({ name }) => name)
    .list((policy) => describe(policy, { accountId }));
}

const describe = (
  policy: DeepReadonly<AccountPolicyRecord>,
  { accountId }: { readonly accountId: string },
): AccountPolicy => ({
  policyName: policy.name,
  policyDocument: policy.document,
  lastUpdatedTime: policy.updatedAt,
  policyType: policy.type,
  scope: 'ALL',
  ...(policy.selectionCriteria !== undefined && { selectionCriteria: policy.selectionCriteria }),
  accountId,
});
