import { jsonSyntaxError } from '@emu/core/patterns';

/** Period of archived messages to replay to a subscription. Times are epoch milliseconds. */
export interface ReplayPolicy {
  start: number;
  end: number | undefined;
}

interface ReplayPolicyDocument {
  PointType?: unknown;
  StartingPoint?: unknown;
  EndingPoint?: unknown;
}

/**
 * Parses a ReplayPolicy: `{"PointType": "Timestamp", "StartingPoint": "…", "EndingPoint": "…"}`.
 * @returns undefined for an empty policy, which ends a replay
 * @throws Error created by `invalid`
 * @see https://docs.aws.amazon.com/sns/latest/dg/message-archiving-and-replay-subscriber.html
 */
export function normalizeReplayPolicy(
  value: string,
  { fifoTopic, archived }: { fifoTopic: boolean; archived: boolean },
  invalid: (reason: string) => Error,
): string | undefined {
  if (/^\s*(\{\s*\}\s*)?$/.test(value)) return undefined;
  if (!fifoTopic || !archived)
    throw invalid('ReplayPolicy: the topic must be a FIFO topic with an active ArchivePolicy');
  const error = jsonSyntaxError(value);
  if (error) throw invalid(`ReplayPolicy: failed to parse JSON. ${error}`);
  const { start, end } = readReplayPolicy(value);
  if ((JSON.parse(value) as ReplayPolicyDocument).PointType !== 'Timestamp')
    throw invalid('ReplayPolicy: PointType must be Timestamp');
  if (Number.isNaN(start)) throw invalid('ReplayPolicy: StartingPoint must be a valid timestamp');
  if (end !== undefined && !(end > start)) throw invalid('ReplayPolicy: EndingPoint must be after StartingPoint');
  return value;
}

/** Parses a valid ReplayPolicy. */
export function readReplayPolicy(json: string): ReplayPolicy {
  const { StartingPoint, EndingPoint } = (JSON.parse(json) ?? {}) as ReplayPolicyDocument;
  return { start: parseTime(StartingPoint), end: EndingPoint === undefined ? undefined : parseTime(EndingPoint) };
}

const parseTime = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN);
