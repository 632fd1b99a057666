import { formatArn, isRoleArn, type OperationContext, type Principal } from '@emu/core/service';
import type { AlarmConfiguration, ExecutionMode, Target, TargetLocation } from '@emu/service-types/ssm';
import { AwsError, isObject, textOf } from '@emu/wire';
import { type JsonObject, objectsIn } from '../documents/content.ts';
import {
  boundParameters,
  declaredParameters,
  type ParameterValues,
  parameterProblem,
} from '../documents/parameters.ts';
import { substitute } from '../documents/references.ts';
import { type ResolvedDocument, resolveDocument } from '../documents/resolve.ts';
import { ssmError } from '../errors.ts';
import type { AutomationRecord, Parameters, Plan, PlanItem, StepRecord } from './records.ts';
import type { AutomationHost, Execution } from './types.ts';
import { textsOf } from './values.ts';

/** Members of a request to start an execution, from the API or another part of the service. */
export interface AutomationRequest {
  readonly DocumentName: string;
  readonly DocumentVersion?: string | undefined;
  readonly Parameters?: ParameterValues | undefined;
  readonly Mode?: ExecutionMode | undefined;
  readonly TargetParameterName?: string | undefined;
  readonly Targets?: Target[] | undefined;
  readonly TargetMaps?: Parameters[] | undefined;
  readonly MaxConcurrency?: string | undefined;
  readonly MaxErrors?: string | undefined;
  readonly TargetLocations?: TargetLocation[] | undefined;
  readonly AlarmConfiguration?: AlarmConfiguration | undefined;
}

/** Principal that starts an execution, and what the execution belongs to. */
export interface Starter {
  readonly principal: Principal;
  readonly cause: string | undefined;
  readonly tags?: Record<string, string>;
  readonly clientToken?: string | undefined;
  readonly parent?: string;
  readonly target?: string | undefined;
  /** Role for the steps, which overrides the runbook's role. */
  readonly role?: string | undefined;
  /** Id of the association that started the execution. */
  readonly associationId?: string | undefined;
}

export const invalidParameters = (message: string) =>
  ssmError('InvalidAutomationExecutionParametersException', message);

const DEFAULT_CONCURRENCY = '10';

/**
 * Returns the runbook of a request.
 * @throws AwsError `AutomationDefinitionNotFoundException`, `…VersionNotFoundException`
 */
export function runbookOf(automations: AutomationHost, name: string, version: string | undefined): ResolvedDocument {
  let document: ResolvedDocument;
  try {
    document = resolveDocument(automations.owner, name, version);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'InvalidDocument')
      throw ssmError('AutomationDefinitionNotFoundException', `Automation Definition ${name} not found.`);
    if (code === 'InvalidDocumentVersion')
      throw ssmError(
        'AutomationDefinitionVersionNotFoundException',
        `Automation Definition ${name} Version ${version ?? '$DEFAULT'} not found.`,
      );
    throw error;
  }
  if (document.type !== 'Automation' && document.type !== 'Automation.ChangeTemplate')
    throw ssmError('AutomationDefinitionNotFoundException', `Automation Definition ${name} not found.`);
  return document;
}

/**
 * Validates the parameters of a runbook.
 * @throws AwsError `InvalidAutomationExecutionParametersException`
 */
export function checkParameters(content: JsonObject, given: ParameterValues): void {
  const problem = parameterProblem(content, given);
  switch (problem?.code) {
    case 'missing':
      throw invalidParameters(`Missing required parameter: ${problem.name} in user inputs.`);
    case 'unknown':
      throw invalidParameters(`Parameter "${problem.name}" is not declared.`);
    case 'value':
      throw invalidParameters(problem.message);
  }
}

/** Returns the role that a runbook assumes with the given parameters; undefined if it has none. */
function roleOf(content: JsonObject, given: ParameterValues): string | undefined {
  if (typeof content.assumeRole !== 'string') return undefined;
  const parameters = boundParameters(content, given);
  const role = substitute(content.assumeRole, (reference) => parameters[reference] ?? '');
  if (typeof role !== 'string' || role.trim() === '') return undefined;
  if (!isRoleArn(role)) throw invalidParameters('The defined assume role is unable to be assumed.');
  return role;
}

/**
 * Returns the role of a runbook's execution, for which the caller needs `iam:PassRole`.
 * @returns undefined if the execution uses the caller's identity or cannot start
 */
export function passedRole(
  automations: AutomationHost,
  { DocumentName, DocumentVersion, Parameters = {} }: AutomationRequest,
): string | undefined {
  try {
    return roleOf(runbookOf(automations, DocumentName, DocumentVersion).content, Parameters);
  } catch (error) {
    // The operation itself reports invalid requests, to authorized callers only.
    if (error instanceof AwsError) return undefined;
    throw error;
  }
}

/** Returns the values of all parameters as shown in responses. */
const shownParameters = (content: JsonObject, given: ParameterValues): Parameters =>
  Object.fromEntries(
    Object.entries(declaredParameters(content)).map(([name, { default: value }]) => [
      name,
      given[name] ? [...given[name]] : value === undefined ? [] : textsOf(value),
    ]),
  );

/** Returns the records of a runbook's top-level steps before they start. */
function pendingSteps(content: JsonObject, uuid: () => string): StepRecord[] {
  const steps = objectsIn(content.mainSteps);
  return steps.map(({ name = '', action = '' }) => ({
    id: uuid(),
    name: textOf(name),
    action: textOf(action),
    status: 'Pending',
    inputs: {},
    outputs: {},
    progress: {},
  }));
}

/** Maximum nesting depth of executions, which ends runbooks that run themselves. AWS documents no limit. */
const MAX_DEPTH = 20;

/** @throws AwsError `AutomationExecutionLimitExceededException` */
function checkDepth(automations: AutomationHost, starter: Starter): void {
  let depth = 0;
  for (let id = starter.parent; id !== undefined; id = automations.get(id)?.parent)
    if (++depth >= MAX_DEPTH)
      throw ssmError(
        'AutomationExecutionLimitExceededException',
        `Automations can be nested at most ${MAX_DEPTH} levels deep.`,
      );
}

/**
 * Validates a request and returns the record of its execution.
 * @param plan distribution over targets; undefined for an execution of its own steps
 * @param document the runbook, if it differs from the request's
 * @throws AwsError `InvalidAutomationExecutionParametersException`, `AutomationDefinitionNotFoundException`,
 * `AutomationExecutionLimitExceededException`
 */
export function makeAutomation(
  automations: AutomationHost,
  request: AutomationRequest,
  starter: Starter,
  plan?: Plan,
  document = runbookOf(automations, request.DocumentName, request.DocumentVersion),
): AutomationRecord {
  checkDepth(automations, starter);
  const { ids, clock } = automations.scope;
  const { content } = document;
  const given = request.Parameters ?? {};
  if (!plan) checkParameters(content, given);
  const role = starter.role ?? roleOf(content, given);
  const variables = isObject(content.variables) ? content.variables : {};
  const { TargetParameterName, Targets, TargetMaps, TargetLocations, AlarmConfiguration: alarms } = request;
  return {
    id: ids.uuid(),
    documentName: document.name,
    documentVersion: String(document.version.version),
    content: JSON.stringify(content),
    parameters: plan
      ? Object.fromEntries(Object.entries(given).map(([name, values]) => [name, [...values]]))
      : shownParameters(content, given),
    mode: request.Mode ?? 'Auto',
    status: 'Pending',
    startedAt: Math.floor(clock.now()),
    failed: false,
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, declared]) => [
        name,
        isObject(declared) ? (declared.default ?? '') : declared,
      ]),
    ),
    steps: plan ? [] : pendingSteps(content, () => ids.uuid()),
    principal: { ...starter.principal },
    ...(role !== undefined && { role }),
    ...(starter.cause !== undefined && { cause: starter.cause }),
    ...(starter.parent !== undefined && { parent: starter.parent }),
    ...(starter.target !== undefined && { target: starter.target }),
    ...(starter.clientToken !== undefined && { clientToken: starter.clientToken }),
    ...(starter.associationId !== undefined && { associationId: starter.associationId }),
    ...(TargetParameterName !== undefined && { targetParameterName: TargetParameterName }),
    ...(Targets && { targets: Targets }),
    ...(TargetMaps && { targetMaps: TargetMaps }),
    ...(TargetLocations && { targetLocations: TargetLocations }),
    ...(plan && { plan }),
    ...(alarms && { alarms }),
    tags: starter.tags ?? {},
  };
}

/**
 * Starts a child execution.
 * @returns its id
 */
export function beginItem(
  automations: AutomationHost,
  parent: Execution,
  item: Readonly<PlanItem>,
  there: AutomationHost,
): string {
  const { documentName, documentVersion, id, principal, cause } = parent;
  const owned = parent.documentName.startsWith('arn:') || there === automations;
  const request: AutomationRequest = {
    DocumentName: owned ? documentName : automations.owner.documentArn(documentName),
    DocumentVersion: documentVersion,
    Parameters: item.parameters,
    AlarmConfiguration: item.alarms,
  };
  const starter: Starter = {
    principal: { ...principal },
    cause,
    parent: id,
    target: item.target,
    role: item.role ?? parent.role,
  };
  if (!item.targets) return there.start(makeAutomation(there, request, starter)).id;
  const plan = valuesPlan(
    there,
    item.targets,
    parent.targetParameterName,
    item.parameters,
    item.maxConcurrency,
    item.maxErrors,
  );
  return there.start(makeAutomation(there, { ...request, Targets: item.targets }, starter, plan)).id;
}

/**
 * Returns a plan for targets with values in the request.
 * @throws AwsError if the values have to be looked up
 */
function valuesPlan(
  { owner: { accountId, region } }: AutomationHost,
  targets: readonly Target[],
  parameter: string | undefined,
  parameters: ParameterValues,
  maxConcurrency = DEFAULT_CONCURRENCY,
  maxErrors = '0',
): Plan {
  if (parameter === undefined) throw invalidParameters('TargetParameterName is required where there are Targets.');
  const values = targets.flatMap(({ Key, Values }) => (Key === 'ParameterValues' ? (Values ?? []) : []));
  return planOf(values, parameter, parameters, { accountId, region, maxConcurrency, maxErrors });
}

/** Returns a plan with one execution per value of a parameter. */
export function planOf(
  values: readonly string[],
  parameter: string,
  parameters: ParameterValues,
  {
    accountId,
    region,
    maxConcurrency,
    maxErrors,
  }: { accountId: string; region: string; maxConcurrency?: string | undefined; maxErrors?: string | undefined },
): Plan {
  const given = Object.fromEntries(Object.entries(parameters).map(([name, list]) => [name, [...list]]));
  return {
    kind: 'targets',
    items: values.map((value) => ({
      accountId,
      region,
      parameters: { ...given, [parameter]: [value] },
      target: value,
    })),
    maxConcurrency: maxConcurrency ?? DEFAULT_CONCURRENCY,
    maxErrors: maxErrors ?? '0',
  };
}

/** Returns a plan with one execution per map of parameters. */
export function mapsPlan(
  maps: readonly Parameters[],
  parameters: ParameterValues,
  place: { accountId: string; region: string; maxConcurrency?: string | undefined; maxErrors?: string | undefined },
): Plan {
  const plan = planOf([], '', parameters, place);
  const given = Object.fromEntries(Object.entries(parameters).map(([name, list]) => [name, [...list]]));
  plan.items = maps.map((map) => ({
    accountId: place.accountId,
    region: place.region,
    parameters: { ...given, ...map },
    target: JSON.stringify(map),
  }));
  return plan;
}

/** Returns a plan with one execution per account and region. */
export function locationsPlan(
  locations: readonly TargetLocation[],
  request: AutomationRequest,
  { accountId, region }: Pick<OperationContext, 'accountId' | 'region'>,
): Plan {
  const given = Object.fromEntries(Object.entries(request.Parameters ?? {}).map(([name, list]) => [name, [...list]]));
  const items = locations.flatMap((location) => {
    const { Accounts = [accountId], Regions = [region], ExcludeAccounts = [] } = location;
    const name = location.ExecutionRoleName ?? 'AWS-SystemsManager-AutomationExecutionRole';
    const targets = location.Targets ?? request.Targets;
    return Accounts.filter((account) => !ExcludeAccounts.includes(account)).flatMap((account) =>
      Regions.map(
        (place): PlanItem => ({
          accountId: account,
          region: place,
          parameters: given,
          target: `${account}:${place}`,
          role: formatArn({ service: 'iam', region: '', accountId: account, resource: `role/${name}` }, region),
          ...(targets && { targets }),
          ...(location.TargetLocationAlarmConfiguration && { alarms: location.TargetLocationAlarmConfiguration }),
          ...(location.TargetsMaxConcurrency !== undefined && { maxConcurrency: location.TargetsMaxConcurrency }),
          ...(location.TargetsMaxErrors !== undefined && { maxErrors: location.TargetsMaxErrors }),
        }),
      ),
    );
  });
  const [first] = locations;
  return {
    kind: 'locations',
    items,
    maxConcurrency: first?.TargetLocationMaxConcurrency ?? '1',
    maxErrors: first?.TargetLocationMaxErrors ?? '0',
  };
}
