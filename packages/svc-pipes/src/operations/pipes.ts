import type {
  CreatePipeRequest,
  InputOf,
  OutputOf,
  PipeEnrichmentParameters,
  PipeLogConfiguration,
  PipeSourceParameters,
  PipeTargetParameters,
  UpdatePipeRequest,
  UpdatePipeSourceParameters,
} from '@emu/service-types/pipes';
import type { PipesContext } from '../context.ts';
import { conflict } from '../errors.ts';
import { pipeOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { pipeKey } from '../pipe-key.ts';
import type { EncryptionRecord, PipeRecord } from '../records.ts';
import type { Pipe } from '../registry.ts';
import { tagging } from '../tags.ts';
import { checkPipe, checkRole } from '../validation.ts';

/** Returns the members of a pipe in responses to changes. */
const changed = (pipe: Pipe, ctx: PipesContext) => ({
  Arn: ctx.state.pipeArn(pipe.name),
  Name: pipe.name,
  DesiredState: pipe.desired,
  CurrentState: pipe.current,
  CreationTime: new Date(pipe.createdAt),
  LastModifiedTime: new Date(pipe.modifiedAt),
});

/** Returns a structure without undefined members. */
function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** Returns parameters without criteria that have no filter and dead-letter settings that have no queue or topic. */
function withoutEmpty(parameters: PipeSourceParameters): PipeSourceParameters {
  const { FilterCriteria, DynamoDBStreamParameters, KinesisStreamParameters, ...others } = parameters;
  const lettered = <T extends { DeadLetterConfig?: { Arn?: string | undefined } | undefined }>(given: T): T => {
    const { DeadLetterConfig, ...rest } = given;
    return { ...rest, ...(DeadLetterConfig?.Arn && { DeadLetterConfig }) } as T;
  };
  return {
    ...others,
    ...(FilterCriteria?.Filters?.length && { FilterCriteria }),
    ...(DynamoDBStreamParameters && { DynamoDBStreamParameters: lettered(DynamoDBStreamParameters) }),
    ...(KinesisStreamParameters && { KinesisStreamParameters: lettered(KinesisStreamParameters) }),
  };
}

const stateOf = (pipe: Pipe): string => pipe.current;

/** @throws AwsError `ConflictException` for a pipe in a transitional state */
function checkAtRest(pipe: Pipe, { state }: PipesContext): Pipe {
  if (state.isPassing(pipe))
    throw conflict(pipe.name, `Pipe ${pipe.name} cannot be changed while it is in the state ${stateOf(pipe)}.`);
  return pipe;
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_CreatePipe.html */
export async function CreatePipe(input: InputOf<'CreatePipe'>, ctx: PipesContext): Promise<OutputOf<'CreatePipe'>> {
  const { state } = ctx;
  const { Name: name, KmsKeyIdentifier: keyId } = input;
  const refuseOther = () => {
    if (state.pipe(name)) throw conflict(name, `Pipe ${name} already exists.`);
  };
  refuseOther();
  const { KinesisStreamParameters: kinesis, ...parameters } = present(input.SourceParameters ?? {});
  const { StartingPositionTimestamp: timestamp, ...stream } = kinesis ?? {};
  const now = ctx.clock.now();
  const record: PipeRecord = present<PipeRecord>({
    name,
    id: ctx.ids.uuid(),
    desired: input.DesiredState ?? 'RUNNING',
    current: 'CREATING',
    source: input.Source,
    sourceParameters: {
      parameters: withoutEmpty({
        ...parameters,
        ...(kinesis && { KinesisStreamParameters: present(stream) }),
      } as PipeSourceParameters),
      ...(timestamp !== undefined && { startAt: timestamp.getTime() }),
    },
    target: input.Target,
    roleArn: input.RoleArn,
    tags: tagging.merge(undefined, input.Tags ?? {}),
    createdAt: now,
    modifiedAt: now,
    ...optional(input),
  });
  checkPipe(record);
  await checkRole(name, record.roleArn, ctx);
  if (keyId) record.encryption = await newEncryption(keyId, name, ctx);
  // Another request may have been handled meanwhile.
  refuseOther();
  return changed(state.putPipe(record), ctx);
}

async function newEncryption(keyId: string, name: string, ctx: PipesContext): Promise<EncryptionRecord> {
  const { dataKey } = await pipeKey.newDataKey(keyId, ctx.state.pipeArn(name), ctx);
  return { keyId, dataKey };
}

/** Returns the settings common to both requests. An empty enrichment or description removes it. */
function optional(
  input: CreatePipeRequest | UpdatePipeRequest,
): Partial<Pick<PipeRecord, 'description' | 'enrichment' | 'enrichmentParameters' | 'targetParameters' | 'logging'>> {
  return {
    ...(input.Description && { description: input.Description }),
    ...(input.Enrichment && { enrichment: input.Enrichment }),
    ...(input.EnrichmentParameters && { enrichmentParameters: present(input.EnrichmentParameters) }),
    ...(input.TargetParameters && { targetParameters: present(input.TargetParameters) }),
    ...(input.LogConfiguration && { logging: present(input.LogConfiguration) }),
  };
}

/**
 * Merges a request into the stored settings. The parameters of each service are replaced as a whole.
 * @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_UpdatePipe.html
 */
export async function UpdatePipe(input: InputOf<'UpdatePipe'>, ctx: PipesContext): Promise<OutputOf<'UpdatePipe'>> {
  const { state } = ctx;
  const { Name: name, KmsKeyIdentifier: keyId } = input;
  const before = checkAtRest(pipeOf(name, ctx), ctx) as PipeRecord;
  const record: PipeRecord = {
    ...before,
    ...optional(input),
    desired: input.DesiredState ?? before.desired,
    current: 'UPDATING',
    target: input.Target ?? before.target,
    roleArn: input.RoleArn,
    sourceParameters: {
      ...before.sourceParameters,
      parameters: updatedSource(before.sourceParameters.parameters, input.SourceParameters),
    },
    targetParameters: { ...before.targetParameters, ...present(input.TargetParameters ?? {}) },
    modifiedAt: ctx.clock.now(),
  };
  if (input.Description === '') delete record.description;
  if (input.Enrichment === '') {
    delete record.enrichment;
    delete record.enrichmentParameters;
  }
  checkPipe(record);
  await checkRole(name, record.roleArn, ctx);
  if (keyId === '') delete record.encryption;
  else if (keyId !== undefined) record.encryption = await newEncryption(keyId, name, ctx);
  checkAtRest(pipeOf(name, ctx), ctx);
  return changed(state.putPipe(record), ctx);
}

/** Returns the source parameters after an update. The starting position does not change. */
function updatedSource(
  before: PipeSourceParameters,
  given: UpdatePipeSourceParameters | undefined,
): PipeSourceParameters {
  const after: Record<string, unknown> = { ...before };
  for (const [member, value] of Object.entries(present(given ?? {}))) {
    const { StartingPosition, QueueName, TopicName, VirtualHost, ConsumerGroupID } = (after[member] ?? {}) as Record<
      string,
      unknown
    >;
    const kept = present({ StartingPosition, QueueName, TopicName, VirtualHost, ConsumerGroupID });
    after[member] = member === 'FilterCriteria' ? value : { ...kept, ...present(value as object) };
  }
  return withoutEmpty(after as PipeSourceParameters);
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_DeletePipe.html */
export function DeletePipe({ Name }: InputOf<'DeletePipe'>, ctx: PipesContext): OutputOf<'DeletePipe'> {
  const before = checkAtRest(pipeOf(Name, ctx), ctx) as PipeRecord;
  const pipe = ctx.state.putPipe({ ...before, deleting: true, current: 'DELETING' });
  return { ...changed(pipe, ctx), DesiredState: 'DELETED' };
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_StartPipe.html */
export function StartPipe({ Name }: InputOf<'StartPipe'>, ctx: PipesContext): OutputOf<'StartPipe'> {
  const before = checkAtRest(pipeOf(Name, ctx), ctx) as PipeRecord;
  if (before.current === 'RUNNING') throw conflict(Name, `Pipe ${Name} is running already.`);
  return changed(ctx.state.putPipe({ ...before, desired: 'RUNNING', current: 'STARTING' }), ctx);
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_StopPipe.html */
export function StopPipe({ Name }: InputOf<'StopPipe'>, ctx: PipesContext): OutputOf<'StopPipe'> {
  const before = checkAtRest(pipeOf(Name, ctx), ctx) as PipeRecord;
  if (before.current === 'STOPPED') throw conflict(Name, `Pipe ${Name} is stopped already.`);
  return changed(ctx.state.putPipe({ ...before, desired: 'STOPPED', current: 'STOPPING' }), ctx);
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_DescribePipe.html */
export async function DescribePipe(
  { Name }: InputOf<'DescribePipe'>,
  ctx: PipesContext,
): Promise<OutputOf<'DescribePipe'>> {
  const pipe = pipeOf(Name, ctx);
  const { parameters, startAt } = pipe.sourceParameters;
  const { logging, encryption } = pipe;
  if (encryption) await pipeKey.decrypt(encryption, ctx.state.pipeArn(Name), ctx);
  return {
    ...changed(pipe, ctx),
    DesiredState: pipe.deleting ? 'DELETED' : pipe.desired,
    StateReason: pipe.reason,
    Description: pipe.description,
    Source: pipe.source,
    SourceParameters: {
      ...(parameters as PipeSourceParameters),
      ...(startAt !== undefined && {
        KinesisStreamParameters: {
          ...(parameters as PipeSourceParameters).KinesisStreamParameters!,
          StartingPositionTimestamp: new Date(startAt),
        },
      }),
    },
    Enrichment: pipe.enrichment,
    EnrichmentParameters: pipe.enrichmentParameters as PipeEnrichmentParameters | undefined,
    Target: pipe.target,
    TargetParameters: pipe.targetParameters as PipeTargetParameters | undefined,
    RoleArn: pipe.roleArn,
    Tags: { ...pipe.tags },
    LogConfiguration: logging as PipeLogConfiguration | undefined,
    KmsKeyIdentifier: encryption?.keyId,
  };
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_ListPipes.html */
export function ListPipes(input: InputOf<'ListPipes'>, ctx: PipesContext): OutputOf<'ListPipes'> {
  const { NamePrefix = '', SourcePrefix = '', TargetPrefix = '', DesiredState, CurrentState } = input;
  const pipes = ctx.state
    .listPipes()
    .filter(
      ({ name, source, target, desired, current }) =>
        name.startsWith(NamePrefix) &&
        source.startsWith(SourcePrefix) &&
        target.startsWith(TargetPrefix) &&
        (DesiredState === undefined || desired === DesiredState) &&
        (CurrentState === undefined || current === CurrentState),
    );
  return paging
    .page('ListPipes', input, pipes, ({ name }) => name)
    .list((pipe) => ({
      ...changed(pipe, ctx),
      StateReason: pipe.reason,
      Source: pipe.source,
      Target: pipe.target,
      Enrichment: pipe.enrichment,
    }));
}
