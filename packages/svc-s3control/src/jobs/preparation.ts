import type { StateScope, StoredBody } from '@emu/core/service';
import type { JobManifestLocation } from '@emu/service-types/s3control';
import type { JobCall } from './caller.ts';
import { bytesOf, linesOf } from './encoding.ts';
import { deliverManifest, generatedTasks } from './generator.ts';
import { manifestTasks } from './manifest.ts';
import type { JobRequest, Task } from './records.ts';

/** Task list of a job, retained by its writer. */
export interface PreparedTasks {
  body: StoredBody;
  total: number;
  generated: JobManifestLocation | undefined;
}

/**
 * Reads or generates a job's manifest and stores a copy, because the manifest may change while the job runs.
 * @throws JobFailedError
 */
export async function prepareTasks(
  request: JobRequest,
  jobId: string,
  scope: StateScope,
  call: JobCall,
): Promise<PreparedTasks> {
  const generator = request.ManifestGenerator?.S3JobManifestGenerator;
  const source = generator
    ? generatedTasks(generator, call, request.Operation.S3ReplicateObject !== undefined)
    : manifestTasks(
        request.Manifest!,
        (input) => call('s3', 'GetObject', input),
        async (Body, Columns) => (await scope.call('s3', 'ReadParquet', { Body, Columns })).Rows,
      );
  let total = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const { bucket, key, versionId } of source) {
      total++;
      yield `${JSON.stringify([bucket, key, ...(versionId === undefined ? [] : [versionId])])}\n`;
    }
  }
  const body = await scope.bodies.write(bytesOf(lines()));
  try {
    const generated = generator && (await deliverManifest(generator, jobId, keptTasks(body, scope), call));
    return { body, total, generated };
  } catch (error) {
    scope.bodies.release(body.id);
    throw error;
  }
}

async function* keptTasks({ id }: StoredBody, scope: StateScope): AsyncGenerator<Task> {
  for await (const { text } of linesOf(scope.bodies.read(id))) {
    const [bucket, key, versionId] = JSON.parse(text) as [string, string, string | undefined];
    yield { bucket, key, versionId };
  }
}
