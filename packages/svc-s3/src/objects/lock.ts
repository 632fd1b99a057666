import type { Clock } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { accessDenied, invalidArgument, invalidRequest } from '../errors.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import type { VersionRecord } from '../records.ts';

/** Object lock members of a write request. */
export interface ObjectLockInput {
  ObjectLockMode?: string | undefined;
  ObjectLockRetainUntilDate?: Date | undefined;
  ObjectLockLegalHoldStatus?: string | undefined;
}

type Lock = Pick<VersionRecord, 'retention' | 'legalHold'>;
const DAY = 86_400_000;

/**
 * Returns the lock of a new object, from its request or the bucket's default retention.
 * @throws AwsError `InvalidArgument`, `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
export function lockOf({ record }: Bucket, input: ObjectLockInput, clock: Pick<Clock, 'now'>): Lock | undefined {
  const { ObjectLockMode: mode, ObjectLockRetainUntilDate: until, ObjectLockLegalHoldStatus: hold } = input;
  const asked = mode !== undefined || until !== undefined || hold !== undefined;
  if (!record.objectLock) {
    if (asked) throw missingConfiguration();
    return undefined;
  }
  const now = clock.now();
  if (mode !== undefined && until === undefined) throw bothNeeded('x-amz-object-lock-retain-until-date');
  if (mode === undefined && until !== undefined) throw bothNeeded('x-amz-object-lock-mode');
  if (mode !== undefined && mode !== 'GOVERNANCE' && mode !== 'COMPLIANCE')
    throw invalidArgument('Unknown wormMode directive.', 'x-amz-object-lock-mode', mode);
  if (hold !== undefined && hold !== 'ON' && hold !== 'OFF')
    throw invalidArgument("Legal Hold must be either of 'ON' or 'OFF'", 'x-amz-object-lock-legal-hold', hold);
  if (until && until.getTime() <= now) throw pastDate('x-amz-object-lock-retain-until-date', until);
  const retention: VersionRecord['retention'] =
    mode && until
      ? { mode: mode as 'GOVERNANCE' | 'COMPLIANCE', until: until.getTime() }
      : defaultRetention(record, now);
  return { ...(retention && { retention }), ...(hold && { legalHold: hold }) };
}

function defaultRetention({ configurations }: Bucket['record'], now: number): VersionRecord['retention'] {
  const rule = configurations.objectLock;
  if (!rule?.Mode) return undefined;
  const days = rule.Days ?? (rule.Years ?? 0) * 365;
  return { mode: rule.Mode, until: now + days * DAY };
}

export const missingConfiguration = (): Error => invalidRequest('Bucket is missing Object Lock Configuration');

const bothNeeded = (name: string): Error =>
  invalidArgument('x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied', name);

export const pastDate = (name: string, date: Date): Error =>
  invalidArgument('The retain until date must be in the future!', name, spelled(date));

const PACIFIC = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  weekday: 'short',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
  year: 'numeric',
});

/** Formats a date as in S3's errors: `Tue Dec 31 16:00:00 PST 2019`. */
function spelled(date: Date): string {
  const parts = new Map(PACIFIC.formatToParts(date).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${part('weekday')} ${part('month')} ${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName')} ${part('year')}`;
}

const protectedByLock = (): Error => accessDenied('Access Denied because object protected by object lock.');

/**
 * Rejects the deletion or replacement of a locked version.
 * @throws AwsError `AccessDenied`
 */
export function checkDeletable(version: ObjectVersion, bypassGovernance: boolean, now: number): void {
  if (version.legalHold === 'ON') throw protectedByLock();
  const { retention } = version;
  if (!retention || retention.until <= now) return;
  if (retention.mode === 'COMPLIANCE' || !bypassGovernance) throw protectedByLock();
}

/**
 * Checks whether a retention may replace another.
 * @param next undefined to remove it
 * @throws AwsError `AccessDenied`
 */
export function checkRetentionChange(
  version: ObjectVersion,
  next: VersionRecord['retention'],
  bypassGovernance: boolean,
  now: number,
): void {
  const { retention } = version;
  if (!retention || retention.until <= now) return;
  const weaker =
    !next || next.until < retention.until || (retention.mode === 'COMPLIANCE' && next.mode !== 'COMPLIANCE');
  const changed = weaker || next.mode !== retention.mode;
  if (!changed) return;
  if (retention.mode === 'COMPLIANCE' ? weaker : !bypassGovernance) throw protectedByLock();
}

/** Adds an object's lock to a response. */
export function addLockMembers(
  output: {
    ObjectLockMode?: 'GOVERNANCE' | 'COMPLIANCE' | undefined;
    ObjectLockRetainUntilDate?: Date | undefined;
    ObjectLockLegalHoldStatus?: 'ON' | 'OFF' | undefined;
  },
  { retention, legalHold }: ObjectVersion,
): void {
  if (retention) {
    output.ObjectLockMode = retention.mode;
    output.ObjectLockRetainUntilDate = new Date(retention.until);
  }
  if (legalHold) output.ObjectLockLegalHoldStatus = legalHold;
}
