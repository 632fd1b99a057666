import { Slices } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { type Environment, newWork } from '../asl/environment.ts';
import { runtimeFailure, StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { fill, integerAt, numberAt, value } from './fields.ts';
import { readItems } from './item-reader.ts';
import type { Batch } from './map-runs.ts';
import { transformed, writeResults } from './result-writer.ts';
import { limit, note } from './run.ts';
import { Scope } from './scope.ts';
import type { Step } from './step.ts';

/** Default concurrency; AWS's is ten thousand, which would only queue here. */
const MAX_AT_ONCE = 1000;
/** Maximum bytes of a batch's input. */
const MAX_INPUT = 256 * 1024;

/** Values that the inline Map passes to the distributed one. */
export interface MapParts {
  /** Returns the items of the state's input. */
  items(): Promise<Json[]>;
  concurrency: number;
  env: Environment;
}

/**
 * Runs a Map in distributed mode, with one child execution per item or batch.
 * @returns the state's result
 * @throws StateFailure `States.ItemReaderFailed`, `States.ExceedToleratedFailureThreshold`, `States.ResultWriterFailed`
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html
 */
export async function distributed(step: Step, { items, concurrency, env }: MapParts): Promise<Json> {
  const { run, frame, state, current } = step;
  const { maps } = run;
  const reader = state.ItemReader;
  if (!current.mapRun) {
    const given = reader ? [] : await items();
    // The number of items to read is not known yet.
    note(run, frame, 'MapStateStarted', ['mapStateStartedEventDetails', { length: given.length }]);
    const tolerance = await tolerated(step, env);
    // Evaluated first: a failure prevents the run.
    if (reader) await readingOf(step, env);
    const batches = reader ? undefined : await batched(step, await selected(step, given, env), env);
    const arn = maps.begin({
      label: state.Label ?? run.ids.uuid(),
      maxConcurrency: concurrency,
      ...tolerance,
      items: given.length,
      executions: batches?.length ?? 0,
    });
    const started = note(run, frame, 'MapRunStarted', ['mapRunStartedEventDetails', { mapRunArn: arn }]);
    current.mapRun = { arn, started, ...(batches && { batches }) };
    run.save();
  }
  const { arn, redriven } = current.mapRun;
  if (redriven) {
    delete current.mapRun.redriven;
    const redriveCount = maps.redrive(arn);
    current.mapRun.started = note(run, frame, 'MapRunRedriven', [
      'mapRunRedrivenEventDetails',
      { mapRunArn: arn, redriveCount },
    ]);
    run.save();
  }
  const { started } = current.mapRun;
  const batches = current.mapRun.batches ?? (await failing(step, arn, () => readBatches(step, arn, env)));
  await failing(step, arn, () => runBatches(step, arn, batches));
  const written = await result(step, arn, env);
  frame.last = run.emit('MapRunSucceeded', started);
  maps.end(arn, 'SUCCEEDED');
  run.emit('MapStateSucceeded', frame.last);
  // As in AWS, the exit event follows the start event of the run.
  frame.last = started;
  delete current.mapRun;
  return written;
}

/**
 * Runs a part of a Map Run, which fails with it.
 * @throws StateFailure
 */
async function failing<T>({ run, frame, scope }: Step, arn: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StateFailure) || scope.ended) throw error;
    run.maps.end(arn, 'FAILED');
    const { error: name, reason } = error;
    const details = { ...(name !== undefined && { error: name }), ...(reason !== undefined && { cause: reason }) };
    note(run, frame, 'MapRunFailed', ['mapRunFailedEventDetails', details]);
    throw error;
  }
}

/**
 * Reads the items of a run and records their number.
 * @throws StateFailure `States.ItemReaderFailed`
 */
async function readBatches(step: Step, arn: string, env: Environment): Promise<Batch[]> {
  const { run, current } = step;
  const { action, parameters, config, most } = await readingOf(step, env);
  if (most < 0) throw new StateFailure('States.ItemReaderFailed', 'field MaxItems must be positive');
  const found = await readItems(run.maps, action, parameters, config, most || Number.POSITIVE_INFINITY);
  const batches = await batched(step, await selected(step, found, env), env);
  run.maps.sized(arn, found.length, batches.length);
  current.mapRun!.batches = batches;
  run.save();
  return batches;
}

/**
 * Runs an execution per batch.
 * @throws StateFailure if more fail than tolerated
 */
async function runBatches(step: Step, arn: string, batches: readonly Batch[]): Promise<void> {
  const { run, state, scope } = step;
  const { maps } = run;
  const processor = (state.ItemProcessor ?? state.Iterator)!;
  const type = processor.ProcessorConfig?.ExecutionType === 'EXPRESS' ? 'EXPRESS' : 'STANDARD';
  const inner = new Scope(run.clock, scope);
  const total = batches.reduce((sum, { items }) => sum + items, 0);
  const waiting = [...batches];
  let failed = 0;
  let exceeded = false;
  let active = 0;
  await new Promise<void>((resolve, reject) => {
    const go = (): void => {
      const record = maps.run(arn);
      const most = Math.min(record?.maxConcurrency || MAX_AT_ONCE, MAX_AT_ONCE);
      while (!exceeded && !inner.ended && active < most && waiting.length > 0) {
        const batch = waiting.shift()!;
        active++;
        void maps.child(arn, processor, type, batch, inner).then(
          (child) => done(batch, child.status !== 'SUCCEEDED'),
          (error: unknown) => (exceeded || inner.ended ? done(batch, false) : reject(error as Error)),
        );
      }
      if (active === 0 && (waiting.length === 0 || exceeded || inner.ended)) resolve();
    };
    const done = (batch: Batch, bad: boolean): void => {
      active--;
      if (bad) failed += batch.items;
      const record = maps.run(arn);
      if (
        bad &&
        record &&
        exceedsTolerance(failed, total, record.toleratedCount, record.toleratedPercentage) &&
        !exceeded
      ) {
        exceeded = true;
        inner.end();
      }
      go();
    };
    go();
  });
  scope.check();
  if (exceeded)
    throw new StateFailure(
      'States.ExceedToleratedFailureThreshold',
      'The specified tolerated failure threshold was exceeded',
    );
}

/** Whether more items have failed than either given limit tolerates. */
function exceedsTolerance(failed: number, total: number, count: number, percentage: number): boolean {
  if (count === 0 && percentage === 0) return failed > 0;
  const tooMany = count > 0 && failed > count;
  return tooMany || (percentage > 0 && (failed / total) * 100 > percentage);
}

/** Evaluates the tolerated failures, given as number, path or expression. */
async function tolerated(
  { state }: Step,
  env: Environment,
): Promise<{ toleratedCount: number; toleratedPercentage: number }> {
  const { ToleratedFailureCountPath: countPath, ToleratedFailurePercentagePath: percentagePath } = state;
  const toleratedCount =
    countPath === undefined
      ? ((await value(state.ToleratedFailureCount ?? 0, 'ToleratedFailureCount', env, 'number')) as number)
      : integerAt(countPath, 'ToleratedFailureCountPath', env);
  if (toleratedCount < 0) throw runtimeFailure('ToleratedFailureCount cannot be negative.');
  const toleratedPercentage =
    percentagePath === undefined
      ? ((await value(state.ToleratedFailurePercentage ?? 0, 'ToleratedFailurePercentage', env, 'number')) as number)
      : numberAt(percentagePath, 'ToleratedFailurePercentagePath', env);
  if (toleratedPercentage < 0 || toleratedPercentage > 100)
    throw runtimeFailure('ToleratedFailurePercentage must be between 0 and 100.');
  return { toleratedCount, toleratedPercentage };
}

/** Returns the action of an S3 resource such as `arn:aws:states:::s3:getObject`. */
const actionOf = (resource: string): string => resource.slice(resource.lastIndexOf(':') + 1);

/**
 * Evaluates the ItemReader.
 * @throws StateFailure
 */
async function readingOf({ state, language }: Step, env: Environment) {
  const { Resource = '', Parameters = {}, Arguments = {}, ReaderConfig: config = {} } = state.ItemReader!;
  const parameters =
    language === 'JSONata'
      ? await fill(Arguments, 'ItemReader/Arguments', language, env)
      : await fill(Parameters, 'ItemReader/Parameters', language, env);
  const most =
    config.MaxItemsPath === undefined
      ? await value(config.MaxItems ?? 0, 'ItemReader/ReaderConfig/MaxItems', env, 'number')
      : integerAt(config.MaxItemsPath, 'MaxItemsPath', env);
  return { action: actionOf(Resource), parameters, config, most: most as number };
}

/** Applies ItemSelector to items. */
async function selected({ state, language }: Step, items: Json[], env: Environment): Promise<Json[]> {
  const template = state.ItemSelector ?? state.Parameters;
  if (template === undefined) return items;
  const chosen: Json[] = [];
  const slices = new Slices();
  for (const [index, item] of items.entries()) {
    const context = { ...env.context, Map: { Item: { Index: index, Value: item } } };
    const pause = slices.pause();
    if (pause) await env.wait(pause);
    chosen.push(await fill(template, 'ItemSelector', language, { ...env, work: newWork(), context }));
  }
  return chosen;
}

/** Groups items into batches for child executions, or one item each. */
async function batched({ state, language }: Step, items: readonly Json[], env: Environment): Promise<Batch[]> {
  const batcher = state.ItemBatcher;
  const text = (value: Json): string => JSON.stringify(limit(value, 'Map'));
  if (!batcher) return items.map((item, index) => ({ index, input: text(item), items: 1 }));
  const number = async (name: 'MaxItemsPerBatch' | 'MaxInputBytesPerBatch'): Promise<number> => {
    const path = batcher[`${name}Path`];
    const found =
      path === undefined
        ? await value(batcher[name] ?? 0, `ItemBatcher/${name}`, env, 'number')
        : integerAt(path, `ItemBatcher.${name}Path`, env);
    return (found as number) || Number.POSITIVE_INFINITY;
  };
  const most = await number('MaxItemsPerBatch');
  const bytes = Math.min(await number('MaxInputBytesPerBatch'), MAX_INPUT);
  const shared: JsonObject =
    batcher.BatchInput === undefined
      ? {}
      : { BatchInput: await fill(batcher.BatchInput, 'ItemBatcher/BatchInput', language, env) };
  const overhead = Buffer.byteLength(JSON.stringify({ ...shared, Items: [] }));
  const groups: Json[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const cost = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (groups.length === 0 || groups.at(-1)!.length >= most || size + cost > bytes) {
      groups.push([]);
      size = overhead;
    }
    groups.at(-1)!.push(item);
    size += cost;
  }
  return groups.map((group, index) => ({ index, input: text({ ...shared, Items: group }), items: group.length }));
}

/** Returns the state's result: the outputs, or their location. */
async function result({ run, state, language }: Step, arn: string, env: Environment): Promise<Json> {
  const writer = state.ResultWriter;
  const config = isObject(writer?.WriterConfig) ? writer.WriterConfig : {};
  const fits = (done: Json): Json => limit(done, 'Map');
  if (writer?.Resource === undefined) {
    const succeeded = run.maps.children(arn).filter(({ status }) => status === 'SUCCEEDED');
    const { Transformation } = config as { Transformation?: string };
    return fits(transformed(run.maps, succeeded, Transformation));
  }
  const parameters =
    language === 'JSONata'
      ? await fill(writer.Arguments ?? {}, 'ResultWriter/Arguments', language, env)
      : await fill(writer.Parameters ?? {}, 'ResultWriter/Parameters', language, env);
  return writeResults(run.maps, arn, parameters, config as JsonObject);
}
