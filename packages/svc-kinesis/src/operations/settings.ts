import type { EnhancedMonitoringOutput, InputOf, MetricsName, OutputOf } from '@emu/service-types/kinesis';
import type { KinesisContext } from '../context.ts';
import { invalid, invalidArgument, limitExceeded } from '../errors.ts';
import { activeStreamOf, type StreamTarget } from '../lookup.ts';
import type { CommitmentRecord, StreamRecord } from '../records.ts';
import { newEncryption } from '../streams/encryption.ts';
import { checkWarmThroughput, describeWarmThroughput } from '../streams/throughput.ts';

const DAY = 24 * 60 * 60 * 1000;
const RETENTION = { least: 24, most: 8760 };
/** Maximum mode changes of a stream per day. */
const MAX_MODE_CHANGES = 2;
const METRICS = [
  'IncomingBytes',
  'IncomingRecords',
  'OutgoingBytes',
  'OutgoingRecords',
  'WriteProvisionedThroughputExceeded',
  'ReadProvisionedThroughputExceeded',
  'IteratorAgeMilliseconds',
] as const;

function checkRetention(hours: number): void {
  if (hours < RETENTION.least)
    throw invalidArgument(
      `Minimum allowed retention period is ${RETENTION.least} hours. Requested retention period (${hours} hours) is too short.`,
    );
  if (hours > RETENTION.most)
    throw invalidArgument(
      `Maximum allowed retention period is ${RETENTION.most} hours. Requested retention period (${hours} hours) is too long.`,
    );
}

function setRetention({ state, stream }: StreamTarget, hours: number): Record<string, never> {
  if (hours !== stream.retentionHours)
    state.transitions.begin(stream.name, 'UPDATING', (draft) => {
      draft.retentionHours = hours;
    });
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_IncreaseStreamRetentionPeriod.html */
export function IncreaseStreamRetentionPeriod(
  input: InputOf<'IncreaseStreamRetentionPeriod'>,
  ctx: KinesisContext,
): OutputOf<'IncreaseStreamRetentionPeriod'> {
  const target = activeStreamOf(input, ctx);
  const { name, retentionHours } = target.stream;
  const hours = input.RetentionPeriodHours;
  checkRetention(hours);
  if (hours < retentionHours)
    throw invalidArgument(
      `Requested retention period (${hours} hours) for stream ${name} can not be shorter than existing retention period (${retentionHours} hours). Use DecreaseRetentionPeriod API.`,
    );
  return setRetention(target, hours);
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DecreaseStreamRetentionPeriod.html */
export function DecreaseStreamRetentionPeriod(
  input: InputOf<'DecreaseStreamRetentionPeriod'>,
  ctx: KinesisContext,
): OutputOf<'DecreaseStreamRetentionPeriod'> {
  const target = activeStreamOf(input, ctx);
  const { name, retentionHours } = target.stream;
  const hours = input.RetentionPeriodHours;
  checkRetention(hours);
  if (hours > retentionHours)
    throw invalidArgument(
      `Requested retention period (${hours} hours) for stream ${name} can not be longer than existing retention period (${retentionHours} hours). Use IncreaseRetentionPeriod API.`,
    );
  return setRetention(target, hours);
}

const named = (metrics: readonly MetricsName[]): Set<string> => new Set(metrics.includes('ALL') ? METRICS : metrics);

function setMetrics({ state, stream }: StreamTarget, wanted: (metric: string) => boolean): EnhancedMonitoringOutput {
  const desired = METRICS.filter(wanted);
  const output = {
    StreamName: stream.name,
    StreamARN: state.arnOf(stream.name),
    CurrentShardLevelMetrics: [...stream.metrics],
    DesiredShardLevelMetrics: desired,
  };
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    draft.metrics = desired;
  });
  return output;
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_EnableEnhancedMonitoring.html */
export function EnableEnhancedMonitoring(
  input: InputOf<'EnableEnhancedMonitoring'>,
  ctx: KinesisContext,
): OutputOf<'EnableEnhancedMonitoring'> {
  const target = activeStreamOf(input, ctx);
  const added = named(input.ShardLevelMetrics);
  const current = new Set<string>(target.stream.metrics);
  return setMetrics(target, (metric) => current.has(metric) || added.has(metric));
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DisableEnhancedMonitoring.html */
export function DisableEnhancedMonitoring(
  input: InputOf<'DisableEnhancedMonitoring'>,
  ctx: KinesisContext,
): OutputOf<'DisableEnhancedMonitoring'> {
  const target = activeStreamOf(input, ctx);
  const removed = named(input.ShardLevelMetrics);
  const current = new Set<string>(target.stream.metrics);
  return setMetrics(target, (metric) => current.has(metric) && !removed.has(metric));
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_StartStreamEncryption.html */
export async function StartStreamEncryption(
  input: InputOf<'StartStreamEncryption'>,
  ctx: KinesisContext,
): Promise<OutputOf<'StartStreamEncryption'>> {
  const { state, stream } = activeStreamOf(input, ctx);
  if (input.EncryptionType !== 'KMS')
    throw invalidArgument('EncryptionType must be KMS; StopStreamEncryption ends the encryption of a stream.');
  const encryption = await newEncryption(input.KeyId, state.arnOf(stream.name), ctx);
  activeStreamOf(input, ctx);
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    draft.encryption = encryption;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_StopStreamEncryption.html */
export function StopStreamEncryption(
  input: InputOf<'StopStreamEncryption'>,
  ctx: KinesisContext,
): OutputOf<'StopStreamEncryption'> {
  const { state, stream } = activeStreamOf(input, ctx);
  if (input.EncryptionType !== 'KMS') throw invalidArgument('EncryptionType must be KMS.');
  if (stream.encryption && stream.encryption.keyId !== input.KeyId)
    throw invalidArgument(
      `Stream ${stream.name} under account ${state.accountId} is not encrypted by key ${input.KeyId}.`,
    );
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    delete draft.encryption;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UpdateStreamMode.html */
export function UpdateStreamMode(
  input: InputOf<'UpdateStreamMode'>,
  ctx: KinesisContext,
): OutputOf<'UpdateStreamMode'> {
  const { state, stream } = activeStreamOf(input, ctx);
  const mode = input.StreamModeDetails.StreamMode;
  const { WarmThroughputMiBps: rate } = input;
  if (mode === 'PROVISIONED' && rate !== undefined) throw onDemandOnly();
  checkWarmThroughput(rate);
  const now = Math.floor(ctx.clock.now());
  const recent = stream.modeChanges.filter((time) => time > now - DAY);
  if (mode !== stream.mode && recent.length >= MAX_MODE_CHANGES)
    throw limitExceeded(
      `Stream ${stream.name} under account ${state.accountId} cannot change its mode more than ${MAX_MODE_CHANGES} times in a rolling 24-hour period.`,
    );
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    if (mode !== draft.mode) draft.modeChanges = [...recent, now];
    draft.mode = mode;
    setWarmThroughput(draft, mode === 'ON_DEMAND' ? (rate ?? draft.warmThroughputMiBps) : undefined);
  });
  return {};
}

const onDemandOnly = () => invalid('WarmThroughputMiBps can only be specified for a stream in ON_DEMAND mode.');

function setWarmThroughput(draft: StreamRecord, rate: number | undefined): void {
  if (rate === undefined) delete draft.warmThroughputMiBps;
  else draft.warmThroughputMiBps = rate;
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UpdateStreamWarmThroughput.html */
export function UpdateStreamWarmThroughput(
  input: InputOf<'UpdateStreamWarmThroughput'>,
  ctx: KinesisContext,
): OutputOf<'UpdateStreamWarmThroughput'> {
  const { state, stream } = activeStreamOf(input, ctx);
  if (stream.mode !== 'ON_DEMAND') throw onDemandOnly();
  checkWarmThroughput(input.WarmThroughputMiBps);
  if (!state.commitment.enabled)
    throw invalid('Warm throughput needs the minimum throughput billing commitment of the account.');
  const before = describeWarmThroughput(stream);
  state.transitions.begin(stream.name, 'UPDATING', (draft) => setWarmThroughput(draft, input.WarmThroughputMiBps));
  return {
    StreamARN: state.arnOf(stream.name),
    StreamName: stream.name,
    WarmThroughput: { ...before, TargetMiBps: input.WarmThroughputMiBps },
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UpdateMaxRecordSize.html */
export function UpdateMaxRecordSize(
  input: InputOf<'UpdateMaxRecordSize'>,
  ctx: KinesisContext,
): OutputOf<'UpdateMaxRecordSize'> {
  const { state, stream } = activeStreamOf(input, ctx);
  state.transitions.begin(stream.name, 'UPDATING', (draft) => {
    draft.maxRecordKiB = input.MaxRecordSizeInKiB;
  });
  return {};
}

/** Describes the commitment. The minimum duration of the commitment is one day. */
function describeCommitment({ enabled, startedAt, endedAt }: CommitmentRecord, now: number) {
  const earliest = startedAt === undefined ? undefined : startedAt + DAY;
  const status = enabled
    ? ('ENABLED' as const)
    : earliest !== undefined && now < earliest
      ? ('ENABLED_UNTIL_EARLIEST_ALLOWED_END' as const)
      : ('DISABLED' as const);
  return {
    MinimumThroughputBillingCommitment: {
      Status: status,
      ...(startedAt !== undefined && { StartedAt: new Date(startedAt), EarliestAllowedEndAt: new Date(earliest!) }),
      ...(endedAt !== undefined && { EndedAt: new Date(endedAt) }),
    },
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DescribeAccountSettings.html */
export function DescribeAccountSettings(
  _input: InputOf<'DescribeAccountSettings'>,
  ctx: KinesisContext,
): OutputOf<'DescribeAccountSettings'> {
  return describeCommitment(ctx.state.commitment, ctx.clock.now());
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UpdateAccountSettings.html */
export function UpdateAccountSettings(
  input: InputOf<'UpdateAccountSettings'>,
  ctx: KinesisContext,
): OutputOf<'UpdateAccountSettings'> {
  const { state } = ctx;
  const enabled = input.MinimumThroughputBillingCommitment.Status === 'ENABLED';
  const now = Math.floor(ctx.clock.now());
  const { commitment } = state;
  if (enabled && !commitment.enabled) state.commitment = { enabled, startedAt: now };
  else if (!enabled && commitment.enabled)
    state.commitment = { ...commitment, enabled, endedAt: Math.max(now, commitment.startedAt! + DAY) };
  return describeCommitment(state.commitment, now);
}
