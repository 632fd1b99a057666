import { parseArn } from '@emu/core/service';
import type { PolledRecord } from '@emu/polling';
import { TARGETS, type TargetKind, targetKind } from '../definition/targets.ts';
import { pipeKey } from '../pipe-key.ts';
import { callerFor } from './addresses.ts';
import { deliver } from './deliver.ts';
import { enrich, enriched } from './enrich.ts';
import { type Failure, failureOf, StepFailure } from './failure.ts';
import { PipeLog } from './pipe-log.ts';
import { type PipeEvent, type PipeFacts, transform } from './template.ts';
import type { PipeWork } from './work.ts';

/** Outcome of a batch. */
export interface BatchOutcome {
  /** Indexes of failed records. */
  readonly failed: ReadonlySet<number>;
  /** Whether some records succeeded, or may have. */
  readonly partial: boolean;
}

const everyOf = (records: readonly unknown[]): ReadonlySet<number> => new Set(records.keys());

/** Processes a batch of records once: enrichment, transformation and delivery to the target. */
export async function execute(work: PipeWork, records: readonly PolledRecord[]): Promise<BatchOutcome> {
  const { state, pipe } = work;
  const log = new PipeLog(work);
  const begun = state.clock.now();
  state.report(pipe.name, 'Invocations', 1);
  state.report(pipe.name, 'EventCount', records.length);
  const size = records.reduce((sum, record) => sum + record.size, 0);
  state.report(pipe.name, 'EventSize', size, 'Bytes');
  log.note('INFO', 'EXECUTION_STARTED', { payload: records.map(({ value }) => value) });
  const outcome = await run(work, records, log, begun);
  state.report(pipe.name, 'Duration', state.clock.now() - begun, 'Milliseconds');
  await log.write();
  return outcome;
}

async function run(
  work: PipeWork,
  records: readonly PolledRecord[],
  log: PipeLog,
  ingestedAt: number,
): Promise<BatchOutcome> {
  const { state, pipe } = work;
  // An execution has one cause: that of the first record.
  const cause = records[0]!.cause;
  const facts: PipeFacts = {
    pipeArn: state.pipeArn(pipe.name),
    pipeName: pipe.name,
    sourceArn: pipe.source,
    enrichmentArn: pipe.enrichment,
    targetArn: pipe.target,
    ingestedAt,
  };
  const failed = (stage: 'EnrichmentStageFailed' | 'TargetStageFailed', failure: Failure): BatchOutcome => {
    state.report(pipe.name, stage, 1);
    state.report(pipe.name, 'ExecutionFailed', 1);
    log.note('ERROR', 'EXECUTION_FAILED', { error: failure });
    return { failed: everyOf(records), partial: false };
  };
  let events: readonly PipeEvent[] = records;
  if (pipe.enrichment !== undefined) {
    const answer = await enrichment(work, records, facts, cause, log);
    if ('failure' in answer) return failed('EnrichmentStageFailed', answer.failure);
    events = answer.events;
  }
  if (!events.length) {
    state.report(pipe.name, 'TargetStageSkipped', 1);
    log.note('TRACE', 'TARGET_INVOCATION_SKIPPED');
  } else {
    const outcome = await targetStage(work, events, records, facts, cause, log);
    if ('failure' in outcome) return failed('TargetStageFailed', outcome.failure);
    if (outcome.failed.size) {
      state.report(pipe.name, 'TargetStagePartiallyFailed', 1);
      state.report(pipe.name, 'ExecutionPartiallyFailed', 1);
      log.note('ERROR', 'EXECUTION_PARTIALLY_FAILED');
      return { failed: outcome.failed, partial: true };
    }
  }
  log.note('INFO', 'EXECUTION_SUCCEEDED');
  return { failed: new Set(), partial: false };
}

/** Enriches a batch. */
async function enrichment(
  work: PipeWork,
  records: readonly PolledRecord[],
  facts: PipeFacts,
  cause: string | undefined,
  log: PipeLog,
): Promise<{ events: PipeEvent[] } | { failure: Failure }> {
  const { state, pipe } = work;
  const begun = state.clock.now();
  log.note('INFO', 'ENRICHMENT_STAGE_ENTERED', { payload: records.map(({ value }) => value) });
  try {
    const template = pipe.enrichmentParameters?.InputTemplate;
    if (template) log.note('TRACE', 'ENRICHMENT_TRANSFORMATION_STARTED');
    await unlock(work, cause);
    const values = records.map((record) => transform(template, record, facts));
    if (template) log.note('TRACE', 'ENRICHMENT_TRANSFORMATION_SUCCEEDED', { payload: values });
    log.note('TRACE', 'ENRICHMENT_INVOCATION_STARTED', { awsRequest: values });
    const answer = await enrich(work, records, values, cause);
    log.note('TRACE', 'ENRICHMENT_INVOCATION_SUCCEEDED', { awsResponse: answer ?? '' });
    const events = enriched(answer);
    log.note('INFO', 'ENRICHMENT_STAGE_EXITED', { payload: events.map(({ value }) => value) });
    return { events };
  } catch (error) {
    const failure = failureOf(error, parseArn(pipe.enrichment!)!.service);
    log.note('ERROR', 'ENRICHMENT_INVOCATION_FAILED', { error: failure });
    return { failure };
  } finally {
    state.report(pipe.name, 'EnrichmentStageDuration', state.clock.now() - begun, 'Milliseconds');
  }
}

/** Delivers a batch to the target. @returns indexes of the failed input records */
async function targetStage(
  work: PipeWork,
  events: readonly PipeEvent[],
  records: readonly PolledRecord[],
  facts: PipeFacts,
  cause: string | undefined,
  log: PipeLog,
): Promise<{ failed: ReadonlySet<number> } | { failure: Failure }> {
  const { state, pipe } = work;
  const kind: TargetKind = targetKind(pipe.target)!;
  const { service } = parseArn(pipe.target)!;
  const begun = state.clock.now();
  log.note('INFO', 'TARGET_STAGE_ENTERED', { payload: events.map(({ value }) => value) });
  try {
    const { most } = TARGETS[kind];
    if (events.length > most)
      throw new StepFailure({
        message: `The enrichment returned ${events.length} events, more than the ${most} that the target takes.`,
        status: 400,
        service,
      });
    const template = pipe.targetParameters?.InputTemplate;
    if (template) log.note('TRACE', 'TARGET_TRANSFORMATION_STARTED');
    await unlock(work, cause);
    const payloads = events.map((event) => ({ event, value: transform(template, event, facts) }));
    const values = payloads.map(({ value }) => value);
    if (template) log.note('TRACE', 'TARGET_TRANSFORMATION_SUCCEEDED', { payload: values });
    log.note('TRACE', 'TARGET_INVOCATION_STARTED', { awsRequest: values });
    const ids = records.map(({ id }) => id);
    const { failed, message = '', response } = await deliver({ work, payloads, cause }, ids);
    if (failed.size) {
      log.note('ERROR', 'TARGET_INVOCATION_PARTIALLY_FAILED', { error: { message, status: 200, service } });
      // Without one index per record, the failed ones cannot be identified.
      return { failed: events.length === records.length || response !== undefined ? failed : everyOf(records) };
    }
    log.note('TRACE', 'TARGET_INVOCATION_SUCCEEDED', { awsResponse: response ?? '' });
    log.note('INFO', 'TARGET_STAGE_EXITED');
    return { failed };
  } catch (error) {
    const failure = failureOf(error, service);
    log.note('ERROR', 'TARGET_INVOCATION_FAILED', { error: failure });
    return { failure };
  } finally {
    state.report(pipe.name, 'TargetStageDuration', state.clock.now() - begun, 'Milliseconds');
  }
}

/** Decrypts the encrypted parts of the pipe with KMS. @throws AwsError from KMS */
async function unlock(work: PipeWork, cause: string | undefined): Promise<void> {
  const { state, pipe } = work;
  if (!pipe.encryption) return;
  const arn = state.pipeArn(pipe.name);
  await pipeKey.decrypt(pipe.encryption, arn, state, callerFor(work, arn, cause));
}
