import { createHash } from 'node:crypto';
import type { StateScope } from '@emu/core/service';
import type { JobReport } from '@emu/service-types/s3control';
import { AwsError } from '@emu/wire';
import type { JobCall } from './caller.ts';
import { bytesOf, csvLine, encodedKey, linesOf, under } from './encoding.ts';
import { JobFailedError } from './errors.ts';
import type { Task, TaskResult } from './records.ts';
import { bucketOf } from './requests.ts';

/** Stored task result: bucket, key, version, success, status, code, message. */
type Row = [string, string, string, boolean, number, string, string];

/** Serializes a task result as a line. */
export function resultLine({ bucket, key, versionId = '' }: Task, result: TaskResult): string {
  const row: Row = [bucket, key, versionId, result.succeeded, result.status, result.code, result.message];
  return `${JSON.stringify(row)}\n`;
}

/** A file of a report. */
interface ReportFile {
  TaskExecutionStatus: 'succeeded' | 'failed';
  Bucket: string;
  MD5Checksum: string;
  Key: string;
}

/** Inputs of a report. */
export interface ReportSource {
  id: string;
  report: JobReport;
  succeeded: number;
  failed: number;
  /** Ids of the result bodies. */
  results: readonly string[];
}

/**
 * Writes a job's completion report: a list of successful tasks if requested, one of failed tasks, and a manifest of
 * both with their digests.
 * @throws JobFailedError if the bucket denies access
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-examples-reports.html
 */
export async function writeReport(source: ReportSource, scope: StateScope, call: JobCall): Promise<void> {
  const { id, report, succeeded, failed } = source;
  const bucket = bucketOf(report.Bucket!);
  const base = under(report.Prefix, `job-${id}`);
  const write = (Key: string, Body: string | AsyncIterable<Uint8Array>, type: string): Promise<unknown> =>
    call('s3', 'PutObject', {
      Bucket: bucket,
      Key,
      Body,
      ContentType: type,
      ServerSideEncryption: 'AES256',
      ...(report.ExpectedBucketOwner !== undefined && { ExpectedBucketOwner: report.ExpectedBucketOwner }),
    });
  const file = async (status: ReportFile['TaskExecutionStatus']): Promise<ReportFile> => {
    const key = `${base}/results/${scope.ids.hex(40)}.csv`;
    const md5 = createHash('md5');
    async function* body(): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytesOf(rowsOf(source.results, status, scope))) {
        md5.update(chunk);
        yield chunk;
      }
    }
    await write(key, body(), 'text/csv');
    return { TaskExecutionStatus: status, Bucket: bucket, MD5Checksum: md5.digest('hex'), Key: key };
  };
  try {
    const files: ReportFile[] = [];
    if (succeeded > 0 && report.ReportScope === 'AllTasks') files.push(await file('succeeded'));
    if (failed > 0) files.push(await file('failed'));
    const manifest = JSON.stringify({
      Format: report.Format,
      ReportCreationDate: new Date(scope.clock.now()).toISOString(),
      Results: files,
      ReportSchema: 'Bucket, Key, VersionId, TaskStatus, ErrorCode, HTTPStatusCode, ResultMessage',
    });
    await write(`${base}/manifest.json`, manifest, 'application/json');
    const digest = createHash('md5').update(manifest).digest('hex');
    await write(`${base}/manifest.json.md5`, digest, 'text/plain');
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new JobFailedError(error.code, `Writing the completion report failed: ${error.code}: ${error.message}`);
  }
}

/** Yields the lines of a report. AWS writes the HTTP status before the error code, contrary to the schema. */
async function* rowsOf(
  results: readonly string[],
  status: ReportFile['TaskExecutionStatus'],
  scope: StateScope,
): AsyncGenerator<string> {
  for (const id of results)
    for await (const { text } of linesOf(scope.bodies.read(id))) {
      const [bucket, key, versionId, succeeded, code, error, message] = JSON.parse(text) as Row;
      if (succeeded === (status === 'succeeded'))
        yield csvLine([bucket, encodedKey(key), versionId, status, code, error, message]);
    }
}
