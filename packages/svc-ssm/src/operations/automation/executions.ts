import { numericKey, readAtMost } from '@emu/core/service';
import type {
  AutomationExecutionFilter,
  InputOf,
  OutputOf,
  StepExecution,
  StepExecutionFilter,
  TargetLocation,
} from '@emu/service-types/ssm';
import { parseJson, piecesOf } from '@emu/wire';
import { describeExecution, describeSteps, identifyExecution } from '../../automation/describe.ts';
import { checkLocations } from '../../automation/locations.ts';
import type { Plan } from '../../automation/records.ts';
import {
  type AutomationRequest,
  invalidParameters,
  locationsPlan,
  makeAutomation,
  mapsPlan,
  planOf,
  runbookOf,
  type Starter,
} from '../../automation/starting.ts';
import { targetValues } from '../../automation/targets.ts';
import type { Execution } from '../../automation/types.ts';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';

/** Maximum number of tags in a start request. */
const MAX_TAGS = 5;
/** Maximum bytes of a file with target locations; AWS documents no limit. */
const MAX_LOCATIONS = 1024 * 1024;

/**
 * Returns an execution of the request's account.
 * @throws AwsError `AutomationExecutionNotFoundException`
 */
export function executionOf(id: string, ctx: SsmContext): Execution {
  const record = ctx.state.automations.get(id);
  if (!record) throw ssmError('AutomationExecutionNotFoundException', `Execution ${id} is not found in this account.`);
  return record;
}

/**
 * Returns the plan of an execution with several targets; undefined if it runs its own steps.
 * @throws AwsError as StartAutomationExecution does
 */
export async function planFor(
  input: AutomationRequest,
  locations: TargetLocation[] | undefined,
  ctx: SsmContext,
): Promise<Plan | undefined> {
  const { automations, accountId, region } = ctx.state;
  const { Targets, TargetMaps, TargetParameterName, Parameters = {}, MaxConcurrency, MaxErrors } = input;
  const place = { accountId, region, maxConcurrency: MaxConcurrency, maxErrors: MaxErrors };
  const document = runbookOf(automations, input.DocumentName, input.DocumentVersion);
  if (Targets?.length && TargetMaps?.length)
    throw invalidParameters("Both Targets and TargetMaps can't be specified together.");
  if (Targets?.length && TargetParameterName === undefined)
    throw invalidParameters('TargetParameterName is required where there are Targets.');
  if (TargetParameterName !== undefined && !Targets?.length && !locations?.some(({ Targets: own }) => own?.length))
    throw invalidParameters('Targets are required where there is a TargetParameterName.');
  if (locations) {
    checkLocations(locations, input.Targets);
    return locationsPlan(locations, input, ctx);
  }
  if (TargetMaps?.length) return mapsPlan(TargetMaps, Parameters, place);
  if (!Targets?.length) return undefined;
  const values = await targetValues(Targets, document.version.targetType, ctx);
  return planOf(values, TargetParameterName!, Parameters, place);
}

/**
 * Reads target locations from a file in S3 as the caller.
 * @throws AwsError `InvalidAutomationExecutionParametersException`
 */
export async function locationsAt(url: string | undefined, ctx: SsmContext): Promise<TargetLocation[] | undefined> {
  if (url === undefined) return undefined;
  const { hostname, pathname } = new URL(url);
  const [Bucket = ''] = hostname.split('.s3');
  try {
    const object = { Bucket, Key: decodeURIComponent(pathname.slice(1)) };
    const { Body } = await ctx.call('s3', 'GetObject', object, { authorize: {} });
    const content = await readAtMost(piecesOf(Body), MAX_LOCATIONS);
    if (!content) throw new RangeError(`it has more than ${MAX_LOCATIONS} bytes`);
    const locations = parseJson(content.toString()) as TargetLocation[];
    if (!Array.isArray(locations) || locations.length === 0)
      throw new TypeError('the content is not a list of locations');
    return locations;
  } catch (error) {
    throw invalidParameters(`The target locations could not be read from ${url}: ${(error as Error).message}`);
  }
}

/**
 * Starts an execution, for the API and for other parts of the service.
 * @returns its id
 * @throws AwsError as StartAutomationExecution does
 */
async function startAutomation(input: AutomationRequest, starter: Starter, ctx: SsmContext): Promise<string> {
  const plan = await planFor(input, input.TargetLocations, ctx);
  return ctx.state.automations.start(makeAutomation(ctx.state.automations, input, starter, plan)).id;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StartAutomationExecution.html */
export async function StartAutomationExecution(
  input: InputOf<'StartAutomationExecution'>,
  ctx: SsmContext,
): Promise<OutputOf<'StartAutomationExecution'>> {
  const { ClientToken, Tags: _tags, TargetLocationsURL, ...asked } = input;
  const request = { ...asked, TargetLocationsURL };
  const { id } = await ctx.state.automations.tokens.once(
    'StartAutomationExecution',
    { ...request, ClientToken: ClientToken?.toLowerCase() },
    () => start(input, JSON.stringify(request), ctx),
  );
  return { AutomationExecutionId: id };
}

async function start(input: InputOf<'StartAutomationExecution'>, request: string, ctx: SsmContext): Promise<Execution> {
  const { ClientToken, Tags, TargetLocationsURL, ...asked } = input;
  if ((Tags?.length ?? 0) > MAX_TAGS)
    throw ssmError('TooManyTagsError', `The number of tags exceeds the limit of ${MAX_TAGS}.`);
  if (asked.TargetLocations && TargetLocationsURL !== undefined)
    throw invalidParameters("Both TargetLocations and TargetLocationsURL can't be specified together.");
  const tags = tagging.merge(undefined, Tags);
  const TargetLocations = asked.TargetLocations ?? (await locationsAt(TargetLocationsURL, ctx));
  const starter: Starter = { principal: ctx.principal, cause: ctx.requestId, tags, clientToken: ClientToken };
  const id = await startAutomation({ ...asked, TargetLocations }, starter, ctx);
  return ctx.state.automations.update(id, (draft) => {
    if (ClientToken !== undefined || TargetLocationsURL !== undefined) draft.request = request;
    if (TargetLocationsURL !== undefined) draft.targetLocationsUrl = TargetLocationsURL;
  });
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetAutomationExecution.html */
export function GetAutomationExecution(
  input: InputOf<'GetAutomationExecution'>,
  ctx: SsmContext,
): OutputOf<'GetAutomationExecution'> {
  return {
    AutomationExecution: describeExecution(executionOf(input.AutomationExecutionId, ctx), ctx.state.automations),
  };
}

/**
 * Parses the time in a filter.
 * @throws AwsError `InvalidFilterValue`
 */
function filterTime(value: string): number {
  const time = Date.parse(value);
  if (Number.isNaN(time))
    throw ssmError('InvalidFilterValue', "The filter value isn't valid. Verify the value and try again.");
  return time;
}

function executionTest({ Key, Values }: AutomationExecutionFilter): (record: Execution) => boolean {
  const any = (test: (value: string) => boolean): boolean => Values.some(test);
  switch (Key) {
    case 'DocumentNamePrefix':
      return ({ documentName }) => any((value) => documentName.startsWith(value));
    case 'ExecutionStatus':
      return ({ status }) => Values.includes(status);
    case 'ExecutionId':
      return ({ id }) => Values.includes(id);
    case 'ParentExecutionId':
      return ({ parent }) => parent !== undefined && Values.includes(parent);
    case 'CurrentAction':
      return ({ steps }) =>
        steps.some(
          ({ action, startedAt, endedAt }) =>
            startedAt !== undefined && endedAt === undefined && Values.includes(action),
        );
    case 'StartTimeBefore': {
      const times = Values.map(filterTime);
      return ({ startedAt }) => times.some((time) => startedAt < time);
    }
    case 'StartTimeAfter': {
      const times = Values.map(filterTime);
      return ({ startedAt }) => times.some((time) => startedAt > time);
    }
    case 'AutomationType':
      return ({ plan }) => Values.includes(plan?.kind === 'locations' ? 'CrossAccount' : 'Local');
    case 'TagKey':
      return ({ tags }) => any((value) => Object.hasOwn(tags, value));
    case 'TargetResourceGroup':
      return ({ targets = [] }) =>
        targets.some(
          ({ Key: key, Values: groups = [] }) =>
            key === 'ResourceGroup' && groups.some((group) => Values.includes(group)),
        );
    case 'AutomationSubtype':
      return ({ change }) => Values.includes(change ? 'ChangeRequest' : '');
    default:
      return () => false;
  }
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeAutomationExecutions.html */
export function DescribeAutomationExecutions(
  input: InputOf<'DescribeAutomationExecutions'>,
  ctx: SsmContext,
): OutputOf<'DescribeAutomationExecutions'> {
  const tests = (input.Filters ?? []).map(executionTest);
  const found = [...ctx.state.automations.all()]
    .filter((record) => tests.every((test) => test(record)))
    .map((record, order) => ({ record, order }))
    .reverse();
  return paging
    .page('DescribeAutomationExecutions', input, found, ({ order }) => numericKey(order), { descending: true })
    .list(({ record }) => identifyExecution(record));
}

function stepTest({ Key, Values }: StepExecutionFilter): (step: StepExecution) => boolean {
  const has = (value: string | undefined): boolean => value !== undefined && Values.includes(value);
  switch (Key) {
    case 'StartTimeBefore': {
      const times = Values.map(filterTime);
      return ({ ExecutionStartTime: start }) => start !== undefined && times.some((time) => Number(start) < time);
    }
    case 'StartTimeAfter': {
      const times = Values.map(filterTime);
      return ({ ExecutionStartTime: start }) => start !== undefined && times.some((time) => Number(start) > time);
    }
    case 'StepExecutionStatus':
      return ({ StepStatus }) => has(StepStatus);
    case 'StepExecutionId':
      return ({ StepExecutionId }) => has(StepExecutionId);
    case 'StepName':
      return ({ StepName }) => has(StepName);
    case 'Action':
      return ({ Action }) => has(Action);
    case 'ParentStepExecutionId':
      return ({ ParentStepDetails: parent }) => has(parent?.StepExecutionId);
    case 'ParentStepIteration':
      return ({ ParentStepDetails: parent }) => has(parent && String(parent.Iteration));
    default:
      return ({ ParentStepDetails: parent }) => has(parent?.IteratorValue);
  }
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeAutomationStepExecutions.html */
export function DescribeAutomationStepExecutions(
  input: InputOf<'DescribeAutomationStepExecutions'>,
  ctx: SsmContext,
): OutputOf<'DescribeAutomationStepExecutions'> {
  const tests = (input.Filters ?? []).map(stepTest);
  const { ReverseOrder = false } = input;
  const steps = describeSteps(executionOf(input.AutomationExecutionId, ctx)).map((step, order) => ({ step, order }));
  const found = steps.filter(({ step }) => tests.every((test) => test(step)));
  return paging
    .page(
      'DescribeAutomationStepExecutions',
      input,
      ReverseOrder ? found.reverse() : found,
      ({ order }) => numericKey(order),
      { descending: ReverseOrder },
    )
    .list(({ step }) => step);
}
