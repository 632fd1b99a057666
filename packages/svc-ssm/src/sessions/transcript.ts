import { logWriter, type StateScope } from '@emu/core/service';
import { asSsm } from '../parameters/events.ts';
import type { Session } from './records.ts';

/** Maximum bytes of session output kept for the transcript. */
const MAX = 1024 * 1024;

/** Output of a session, for its transcript. */
export class Transcript {
  private readonly parts: Buffer[] = [];
  private length = 0;

  add(bytes: Uint8Array): void {
    if (this.length >= MAX) return;
    const part = Buffer.from(bytes.subarray(0, MAX - this.length));
    this.parts.push(part);
    this.length += part.length;
  }

  /**
   * Writes the transcript to the session's bucket and log group.
   * @throws Error if a write fails
   * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/session-manager-logging.html
   */
  async write({ id, plan }: Session, scope: StateScope): Promise<void> {
    const { accountId, region, clock } = scope;
    const body = Buffer.concat(this.parts);
    if (body.length === 0 || !plan) return;
    const { bucket, bucketPrefix, logGroup } = plan;
    if (bucket !== undefined) {
      const prefix = bucketPrefix === undefined ? '' : `${bucketPrefix.replace(/\/$/, '')}/`;
      const input = { Bucket: bucket, Key: `${prefix}${id}.log`, Body: body };
      await scope.call('s3', 'PutObject', input, asSsm(accountId, region, id));
    }
    if (logGroup === undefined) return;
    const timestamp = Math.floor(clock.now());
    const lines = body
      .toString('utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    const writer = await scope.service.capability(logWriter);
    await writer?.write(
      { accountId, region, group: logGroup, stream: id },
      lines.map((message) => ({ timestamp, message })),
    );
  }
}
