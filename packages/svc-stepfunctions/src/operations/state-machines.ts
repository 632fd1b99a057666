import { type DeepReadonly, isRoleArn } from '@emu/core/service';
import type {
  CreateStateMachineInput,
  InputOf,
  LoggingConfiguration,
  OutputOf,
} from '@emu/service-types/stepfunctions';
import type { JsonObject } from '../asl/json.ts';
import { validate } from '../asl/validate.ts';
import { warningsOf } from '../asl/warnings.ts';
import type { StepfunctionsContext } from '../context.ts';
import { describeEncryption, newEncryption, useKey } from '../encryption.ts';
import { invalid, invalidArn, invalidDefinition, stepfunctionsError } from '../errors.ts';
import { checkName, executionOf, type Machine, machineOf, machineTarget, qualifiedArn } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { MachineRecord, MachineType, Revision } from '../records.ts';
import { logGroupOf } from '../runtime/execution-log.ts';
import { sealerOf } from '../sealing.ts';
import { tagging } from '../tags.ts';
import { publish } from './versions.ts';

/**
 * Validates a logging configuration.
 * @throws AwsError `InvalidLoggingConfiguration`
 */
async function checkLogging(logging: LoggingConfiguration | undefined, ctx: StepfunctionsContext): Promise<void> {
  const invalidLogging = (why: string) =>
    stepfunctionsError('InvalidLoggingConfiguration', `Invalid Logging Configuration: ${why}`);
  const { level = 'OFF', destinations = [] } = logging ?? {};
  if (level === 'OFF' && destinations.length === 0) return;
  if (destinations.length !== 1) throw invalidLogging('Must specify exactly one Log Destination.');
  const group = logGroupOf(logging!);
  if (!group) throw invalidLogging('Log Destination not found.');
  const { accountId, region, logGroupName } = group;
  const input = { logGroupNamePrefix: logGroupName };
  const { logGroups = [] } = await ctx.call('logs', 'DescribeLogGroups', input, { accountId, region });
  if (!logGroups.some((found) => found.logGroupName === logGroupName))
    throw invalidLogging('Log Destination not found.');
}

/** Returns the logging configuration in responses. */
const loggingOf = ({ logging }: DeepReadonly<Revision>): LoggingConfiguration =>
  (logging as LoggingConfiguration | undefined) ?? { level: 'OFF', includeExecutionData: false };

/** Returns the stored form of a logging configuration. */
const keptLogging = ({
  level = 'OFF',
  includeExecutionData = false,
  ...rest
}: LoggingConfiguration): LoggingConfiguration => ({
  level,
  includeExecutionData,
  ...rest,
});

/**
 * Validates a definition.
 * @throws AwsError `InvalidDefinition`
 */
export function checkDefinition(definition: string, type: MachineType): void {
  const problems = validate(definition, type);
  if (problems.length > 0)
    throw invalidDefinition(
      problems
        .map(({ code, message, location }) =>
          code === 'INVALID_JSON_DESCRIPTION' ? `${code}: ${message}` : `${code}: ${message} at ${location ?? null}`,
        )
        .join(', '),
    );
}

/**
 * Validates the ARN of a role.
 * @throws AwsError `InvalidArn`
 */
export function checkRole(roleArn: string): void {
  if (!isRoleArn(roleArn)) throw invalidArn(`Invalid Role Arn: '${roleArn}'`);
}

const same = (machine: Machine, input: CreateStateMachineInput): boolean =>
  sealerOf(machine.encryption).open(machine.definition) === input.definition &&
  machine.roleArn === input.roleArn &&
  machine.type === (input.type ?? 'STANDARD') &&
  machine.tracing === (input.tracingConfiguration?.enabled ?? false) &&
  machine.encryption?.keyId === input.encryptionConfiguration?.kmsKeyId;

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachine.html */
export async function CreateStateMachine(
  input: InputOf<'CreateStateMachine'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'CreateStateMachine'>> {
  const { state } = ctx;
  const { name, definition, roleArn, type = 'STANDARD' } = input;
  checkName(name);
  if (input.versionDescription !== undefined && !input.publish)
    throw invalid('Version description can only be set when publish is true');
  checkRole(roleArn);
  checkDefinition(definition, type);
  const arn = state.machineArn(name);
  const encryption = await newEncryption(input.encryptionConfiguration, arn, ctx);
  await checkLogging(input.loggingConfiguration, ctx);
  await useKey(state.machine(name)?.encryption, ctx);
  let machine = state.machine(name);
  if (machine && !same(machine, input))
    throw stepfunctionsError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
  machine ??= state.putMachine({
    name,
    type,
    definition: sealerOf(encryption).seal(definition),
    roleArn,
    createdAt: ctx.clock.now(),
    tracing: input.tracingConfiguration?.enabled ?? false,
    ...(encryption && { encryption }),
    ...(input.loggingConfiguration && { logging: keptLogging(input.loggingConfiguration) }),
    lastVersion: 0,
    tags: tagging.merge(undefined, input.tags),
  });
  const version = input.publish ? publish(state, machine, input.versionDescription) : undefined;
  return {
    stateMachineArn: arn,
    creationDate: new Date(machine.createdAt),
    ...(version && { stateMachineVersionArn: qualifiedArn(state, name, version.number) }),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_UpdateStateMachine.html */
export async function UpdateStateMachine(
  input: InputOf<'UpdateStateMachine'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'UpdateStateMachine'>> {
  const { machine } = machineOf(input.stateMachineArn, ctx);
  const { definition, roleArn, loggingConfiguration: logging, tracingConfiguration: tracing } = input;
  if (!definition && !roleArn && !logging && !tracing && !input.encryptionConfiguration)
    throw stepfunctionsError(
      'MissingRequiredParameter',
      'Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified',
    );
  if (input.versionDescription !== undefined && !input.publish)
    throw invalid('Version description can only be set when publish is true');
  if (definition !== undefined) checkDefinition(definition, machine.type);
  if (roleArn !== undefined) checkRole(roleArn);
  const given = input.encryptionConfiguration;
  const encryption = await newEncryption(given, ctx.state.machineArn(machine.name), ctx);
  await checkLogging(logging, ctx);
  // An unchanged definition is decrypted, a new one is encrypted with the existing key.
  if (definition === undefined ? given : !given) await useKey(machine.encryption, ctx);
  // It may have been deleted in the meantime.
  const { state, machine: current } = machineOf(input.stateMachineArn, ctx);
  const reads = definition === undefined && given !== undefined;
  const text = definition ?? (reads ? sealerOf(current.encryption).open(current.definition) : undefined);
  const kept = text === undefined ? undefined : sealerOf(given ? encryption : current.encryption).seal(text);
  const revisionId = ctx.ids.uuid();
  const updated = state.updateMachine(machine.name, (draft: MachineRecord) => {
    if (kept !== undefined) draft.definition = kept;
    if (roleArn !== undefined) draft.roleArn = roleArn;
    if (tracing?.enabled !== undefined) draft.tracing = tracing.enabled;
    if (logging) draft.logging = keptLogging(logging);
    if (given) delete draft.encryption;
    if (encryption) draft.encryption = encryption;
    draft.revisionId = revisionId;
  });
  const version = input.publish ? publish(state, updated, input.versionDescription) : undefined;
  return {
    updateDate: new Date(ctx.clock.now()),
    revisionId,
    ...(version && { stateMachineVersionArn: qualifiedArn(state, machine.name, version.number) }),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachine.html */
export function DeleteStateMachine(
  input: InputOf<'DeleteStateMachine'>,
  ctx: StepfunctionsContext,
): OutputOf<'DeleteStateMachine'> {
  const found = existing(() => machineOf(input.stateMachineArn, ctx));
  if (found) found.state.deleteMachine(found.machine.name);
  return {};
}

/** Returns the result of a look-up; undefined for an unknown state machine, whose deletion succeeds. */
function existing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as { code?: string }).code === 'StateMachineDoesNotExist') return undefined;
    throw error;
  }
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeStateMachine.html */
export async function DescribeStateMachine(
  input: InputOf<'DescribeStateMachine'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'DescribeStateMachine'>> {
  const { state, machine, revision, version } = machineTarget(input.stateMachineArn, ctx);
  const { includedData } = input;
  if (includedData !== 'METADATA_ONLY') await useKey(revision.encryption, ctx);
  return {
    stateMachineArn: version ? qualifiedArn(state, machine.name, version.number) : state.machineArn(machine.name),
    name: machine.name,
    status: 'ACTIVE',
    definition: includedData === 'METADATA_ONLY' ? '{}' : sealerOf(revision.encryption).open(revision.definition),
    roleArn: revision.roleArn,
    type: machine.type,
    creationDate: new Date(version?.createdAt ?? machine.createdAt),
    loggingConfiguration: loggingOf(revision),
    tracingConfiguration: { enabled: revision.tracing },
    encryptionConfiguration: describeEncryption(revision.encryption),
    ...(revision.revisionId !== undefined && { revisionId: revision.revisionId }),
    ...(version?.description !== undefined && { description: version.description }),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListStateMachines.html */
export function ListStateMachines(
  input: InputOf<'ListStateMachines'>,
  ctx: StepfunctionsContext,
): OutputOf<'ListStateMachines'> {
  const { state } = ctx;
  return paging
    .page('ListStateMachines', input, state.listMachines(), ({ name }) => name)
    .list(({ name, type, createdAt }) => ({
      stateMachineArn: state.machineArn(name),
      name,
      type,
      creationDate: new Date(createdAt),
    }));
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeStateMachineForExecution.html */
export async function DescribeStateMachineForExecution(
  input: InputOf<'DescribeStateMachineForExecution'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'DescribeStateMachineForExecution'>> {
  const { state, execution } = executionOf(input.executionArn, ctx);
  if (input.includedData !== 'METADATA_ONLY') await useKey(execution.encryption, ctx);
  const machine = state.machine(execution.machine);
  return {
    stateMachineArn: state.machineArn(execution.machine),
    name: execution.machine,
    definition:
      input.includedData === 'METADATA_ONLY' ? '{}' : sealerOf(execution.encryption).open(execution.definition),
    roleArn: execution.roleArn,
    updateDate: new Date(machine?.createdAt ?? execution.startedAt),
    loggingConfiguration: loggingOf(execution),
    tracingConfiguration: { enabled: execution.tracing },
    encryptionConfiguration: describeEncryption(execution.encryption),
    ...(execution.revisionId !== undefined && { revisionId: execution.revisionId }),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ValidateStateMachineDefinition.html */
export function ValidateStateMachineDefinition(
  input: InputOf<'ValidateStateMachineDefinition'>,
): OutputOf<'ValidateStateMachineDefinition'> {
  const { definition, type = 'STANDARD', severity = 'ERROR', maxResults = 0 } = input;
  const problems = validate(definition, type).map((problem) => ({ severity: 'ERROR' as const, ...problem }));
  const warnings =
    severity === 'WARNING' && problems.length === 0
      ? warningsOf(JSON.parse(definition) as JsonObject).map((warning) => ({
          severity: 'WARNING' as const,
          ...warning,
        }))
      : [];
  const found = [...problems, ...warnings];
  const most = maxResults === 0 ? 100 : maxResults;
  return {
    result: problems.length === 0 ? 'OK' : 'FAIL',
    diagnostics: found.slice(0, most),
    truncated: found.length > most,
  };
}
