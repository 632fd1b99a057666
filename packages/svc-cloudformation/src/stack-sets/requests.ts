import type {
  CallAs,
  DeploymentTargets,
  Parameter,
  StackSetOperationAction,
  StackSetOperationPreferences,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { askerOf } from '../context.ts';
import { cloudformationError, invalid, noStackSet } from '../errors.ts';
import { checkPreviousValue } from '../templates/parameters.ts';
import { objectAddress, readObject } from '../templates/template-url.ts';
import type { ResultRecord, StackSetOperationRecord } from './records.ts';
import type { Place, StackSet } from './store.ts';

/** Pattern of region names. */
const REGION = /^[a-z]{2,4}(-[a-z]+){1,2}-\d{1,2}$/;

/**
 * Returns the stack set that a request names.
 * @throws AwsError `StackSetNotFoundException`
 */
export function stackSetNamed(name: string, { state }: CloudformationContext): StackSet {
  const set = state.stackSets.find(name);
  if (set?.status !== 'ACTIVE') throw noStackSet(name);
  return set;
}

/**
 * Rejects requests as a delegated administrator: no account is one.
 * @throws AwsError `ValidationError`
 */
export function checkCallAs({ CallAs: as }: { CallAs?: CallAs | undefined }): void {
  if (as === 'DELEGATED_ADMIN') throw invalid('Account used is not a delegated administrator');
}

/** Deployment targets of a request. */
export interface TargetRequest {
  Accounts?: string[] | undefined;
  DeploymentTargets?: DeploymentTargets | undefined;
  Regions?: string[] | undefined;
}

/**
 * Accounts × regions of a request, without duplicates.
 * @throws AwsError `ValidationError`
 */
export async function placesOf(
  { Accounts, DeploymentTargets: targets, Regions = [] }: TargetRequest,
  ctx: CloudformationContext,
): Promise<Place[]> {
  if (Accounts && targets) throw invalid('You can specify Accounts or DeploymentTargets, but not both.');
  if (targets?.OrganizationalUnitIds || targets?.AccountFilterType)
    throw invalid('StackSets with SELF_MANAGED permission model can only have accounts as target');
  const accounts = [...new Set([...(Accounts ?? targets?.Accounts ?? []), ...(await accountsAt(targets, ctx))])];
  if (accounts.length === 0)
    throw invalid('You must specify at least one value for either Accounts or DeploymentTargets.');
  if (Regions.length === 0) throw invalid('You must specify at least one value for Regions.');
  for (const region of Regions) if (!REGION.test(region)) throw invalid(`Region ${region} is not supported`);
  return [...new Set(Regions)].flatMap((region) => accounts.map((account) => ({ account, region })));
}

/** Reads account ids from a file in S3. */
async function accountsAt(targets: DeploymentTargets | undefined, ctx: CloudformationContext): Promise<string[]> {
  if (targets?.AccountsUrl === undefined) return [];
  const text = await readObject(objectAddress(targets.AccountsUrl, ctx.endpoint, 'AccountsUrl'), ctx, 'AccountsUrl');
  return wordsOf(text, /^\d{12}$/, 'account');
}

/**
 * Splits a file at white space and commas.
 * @throws AwsError `ValidationError` for an entry that is not an account id
 */
export function wordsOf(text: string, form: RegExp, what: string): string[] {
  const words = text.split(/[\s,]+/).filter(Boolean);
  for (const word of words) if (!form.test(word)) throw invalid(`${word} is not a valid ${what} id`);
  return words;
}

/**
 * Rejects contradictory preferences.
 * @throws AwsError `ValidationError`
 */
function checkPreferences({
  FailureToleranceCount,
  FailureTolerancePercentage,
  MaxConcurrentCount,
  MaxConcurrentPercentage,
  ConcurrencyMode,
}: StackSetOperationPreferences): void {
  if (FailureToleranceCount !== undefined && FailureTolerancePercentage !== undefined)
    throw invalid('You can specify either FailureToleranceCount or FailureTolerancePercentage, but not both.');
  if (MaxConcurrentCount !== undefined && MaxConcurrentPercentage !== undefined)
    throw invalid('You can specify either MaxConcurrentCount or MaxConcurrentPercentage, but not both.');
  const strict = ConcurrencyMode !== 'SOFT_FAILURE_TOLERANCE';
  if (strict && MaxConcurrentCount !== undefined && MaxConcurrentCount > (FailureToleranceCount ?? 0) + 1)
    throw invalid('MaxConcurrentCount cannot be more than one above FailureToleranceCount.');
}

/** Arguments to start an operation. */
export interface OperationRequest {
  readonly action: StackSetOperationAction;
  readonly input: { OperationId?: string | undefined; OperationPreferences?: StackSetOperationPreferences | undefined };
  readonly places: readonly (Place & Pick<ResultRecord, 'stackId'>)[];
  readonly retain?: boolean;
  readonly imports?: true;
  readonly roles?: Partial<Pick<StackSetOperationRecord, 'administrationRoleArn' | 'executionRoleName'>>;
}

/**
 * Checks whether an operation may start on a stack set.
 * @returns the id of an identical earlier request
 * @throws AwsError `OperationIdAlreadyExistsException`, `OperationInProgressException`, `ValidationError`
 */
export function checkOperation(
  set: StackSet,
  { input, action }: Pick<OperationRequest, 'input' | 'action'>,
  ctx: CloudformationContext,
): string | undefined {
  const { stackSets } = ctx.state;
  const known = input.OperationId === undefined ? undefined : stackSets.operation(set.id, input.OperationId);
  if (known) {
    if (known.request === fingerprint(action, input)) return known.id;
    throw cloudformationError('OperationIdAlreadyExistsException', `Operation with id ${known.id} already exists`);
  }
  const busy = stackSets.pending().find((operation) => operation.set === set.id);
  if (busy && !set.managed)
    throw cloudformationError(
      'OperationInProgressException',
      `Another Operation on StackSet ${stackSets.arn(set)} is in progress: ${busy.id}`,
    );
  checkPreferences(input.OperationPreferences ?? {});
  return undefined;
}

const fingerprint = (action: string, input: object): string => JSON.stringify([action, input]);

/**
 * Starts an operation.
 * @returns its id
 */
export function beginOperation(set: StackSet, request: OperationRequest, ctx: CloudformationContext): string {
  const { state } = ctx;
  const { action, input, places, retain, imports, roles = {} } = request;
  const { administrationRoleArn, executionRoleName } = set;
  const id = input.OperationId ?? ctx.ids.uuid();
  const { endpoint, cause } = askerOf(ctx);
  const waits = state.stackSets.pending().some((operation) => operation.set === set.id);
  const { id: begun } = state.stackSetRunner.begin({
    set: set.id,
    id,
    action,
    status: waits ? 'QUEUED' : 'RUNNING',
    request: fingerprint(action, input),
    preferences: structuredClone(input.OperationPreferences ?? {}),
    ...(retain !== undefined && { retain }),
    ...(imports && { imports }),
    administrationRoleArn: roles.administrationRoleArn ?? administrationRoleArn,
    executionRoleName: roles.executionRoleName ?? executionRoleName,
    createdAt: ctx.clock.now(),
    results: places.map((place) => ({ ...place, status: 'PENDING' })),
    enforced: ctx.enforced,
    endpoint,
    ...(cause !== undefined && { cause }),
  });
  return begun;
}

/**
 * Resolves UsePreviousValue in parameters.
 * @param previous current parameters
 */
export function parametersAfter(given: readonly Parameter[], previous: readonly Parameter[]): Parameter[] {
  return given.map((parameter) => {
    const { ParameterKey, ParameterValue, UsePreviousValue } = parameter;
    if (!UsePreviousValue) return { ParameterKey, ParameterValue: ParameterValue ?? '' };
    checkPreviousValue(parameter);
    const before = previous.find((one) => one.ParameterKey === ParameterKey);
    return { ParameterKey, ...(before?.ParameterValue !== undefined && { ParameterValue: before.ParameterValue }) };
  });
}
