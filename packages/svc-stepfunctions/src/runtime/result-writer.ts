import { isObject } from '@emu/wire';
import { StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import type { ExecutionRecord } from '../records.ts';
import type { MapRunner } from './map-runs.ts';

type Child = Readonly<ExecutionRecord>;

/** Evaluated ResultWriter settings. */
export interface WriterConfig {
  readonly Transformation?: string;
  readonly OutputType?: string;
}

/** Applies a Transformation to results: outputs only, flattened outputs, or complete descriptions. */
export function transformed(maps: MapRunner, children: readonly Child[], transformation: string | undefined): Json[] {
  if (transformation === 'NONE') return children.map((child) => described(maps, child));
  const outputs = children.map(({ output }) => JSON.parse(output ?? 'null') as Json);
  return transformation === 'FLATTEN' ? outputs.flat(1) : outputs;
}

/** Returns the written description of an execution. */
function described(maps: MapRunner, child: Child): JsonObject {
  const arns = maps.arnsOf(child);
  const { name, status, input, output, error, cause, startedAt, stoppedAt } = child;
  const included = { Included: true };
  return {
    ExecutionArn: arns.execution,
    ...(error !== undefined && { Error: error }),
    ...(cause !== undefined && { Cause: cause }),
    Input: input,
    InputDetails: included,
    Name: name,
    ...(output !== undefined && { Output: output, OutputDetails: included }),
    RedriveCount: 0,
    RedriveStatus: 'NOT_REDRIVABLE',
    RedriveStatusReason: `Execution is ${status} and cannot be redriven`,
    StartDate: new Date(startedAt).toISOString(),
    StateMachineArn: arns.machine,
    Status: status,
    ...(stoppedAt !== undefined && { StopDate: new Date(stoppedAt).toISOString() }),
  };
}

/**
 * Writes the results of a Map Run to a bucket, with a manifest.
 * @returns their description in the state's output
 * @throws StateFailure `States.ResultWriterFailed`
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/input-output-resultwriter.html
 */
export async function writeResults(
  maps: MapRunner,
  arn: string,
  parameters: Json,
  { Transformation = 'NONE', OutputType = 'JSON' }: WriterConfig,
): Promise<JsonObject> {
  const { Bucket, Prefix = '' } = isObject(parameters) ? parameters : {};
  if (typeof Bucket !== 'string' || typeof Prefix !== 'string')
    throw new StateFailure('States.ResultWriterFailed', 'ResultWriter needs a Bucket and a Prefix.');
  const folder = `${Prefix === '' ? '' : `${Prefix.replace(/\/$/, '')}/`}${arn.slice(arn.lastIndexOf(':') + 1)}`;
  const put = async (name: string, text: string): Promise<JsonObject> => {
    const Key = `${folder}/${name}`;
    const body = Buffer.from(text);
    try {
      await maps.call('s3', 'PutObject', { Bucket, Key, Body: body.toString('base64') });
    } catch (error) {
      throw new StateFailure('States.ResultWriterFailed', (error as Error).message);
    }
    return { Key, Size: body.length };
  };
  const children = maps.children(arn);
  const files: Record<string, Json[]> = { FAILED: [], PENDING: [], SUCCEEDED: [] };
  for (const [kind, wanted] of [
    ['SUCCEEDED', ['SUCCEEDED']],
    ['FAILED', ['FAILED', 'TIMED_OUT', 'ABORTED']],
  ] as const) {
    const chosen = children.filter(({ status }) => (wanted as readonly string[]).includes(status));
    if (chosen.length === 0) continue;
    const list = kind === 'SUCCEEDED' ? transformed(maps, chosen, Transformation) : transformed(maps, chosen, 'NONE');
    const lines = OutputType === 'JSONL';
    const text = lines ? list.map((item) => `${JSON.stringify(item)}\n`).join('') : JSON.stringify(list);
    files[kind]!.push(await put(`${kind}_0.${lines ? 'jsonl' : 'json'}`, text));
  }
  const manifest = { DestinationBucket: Bucket, MapRunArn: arn, ResultFiles: files };
  const { Key } = await put('manifest.json', JSON.stringify(manifest));
  const written = children.filter(({ status }) => status === 'SUCCEEDED');
  maps.written(
    arn,
    written.length,
    written.reduce((sum, { batch }) => sum + (batch?.items ?? 1), 0),
  );
  return { MapRunArn: arn, ResultWriterDetails: { Bucket, Key: Key! } };
}
