import { isRegionName, partitionOf } from '../aws/partitions.ts';
import type { AnyCollectionDefinition } from '../collections/collection.ts';
import type { Change } from '../persistence/persistence.ts';

/** The only partition in the state of earlier versions. */
const PLAIN = 'aws';
/** The beginning of an ARN of that partition with its region, which may be a wildcard or a policy variable. */
const ARN = /\barn:aws:(?!iam::aws:)([A-Za-z0-9*?-]+):([a-z0-9*?-]*|\$\{[^}]*\}):/g;

/**
 * Rewrites the ARNs of a record, all of which have the partition `aws`, to the partitions of their regions. ARNs
 * without a region get the server's partition; those with a wildcard or variable get that of the record's own region,
 * as they move with their resource. ARNs of policies managed by AWS are unchanged, as is the client's own data by the
 * collection's declaration. Idempotent.
 * @param definition the record's collection; undefined for one that the service no longer has
 * @param homeRegion the server's region
 */
export function withPartitions(
  change: Change,
  definition: AnyCollectionDefinition | undefined,
  homeRegion: string,
): Change {
  const content = definition?.content;
  if (content === 'all') return change;
  const rewrite = (text: string): string => rewriteArns(text, change.region || homeRegion, homeRegion);
  return {
    ...change,
    // Keys that are ARNs, or begin with one; names chosen by clients come after other parts.
    ...(change.key?.startsWith('arn:') && { key: rewrite(change.key) }),
    value: rewritten(change.value, new Set(content), rewrite),
  };
}

/** @param ownRegion region of the resource that the text belongs to */
function rewriteArns(text: string, ownRegion: string, homeRegion: string): string {
  if (!text.includes('arn:aws:')) return text;
  return text.replace(ARN, (arn, service: string, region: string) => {
    const partition = partitionOf(region === '' ? homeRegion : isRegionName(region) ? region : ownRegion);
    return partition === PLAIN ? arn : `arn:${partition}:${service}:${region}:`;
  });
}

function rewritten(value: unknown, content: ReadonlySet<string>, rewrite: (text: string) => string): unknown {
  if (typeof value === 'string') return rewrite(value);
  if (Array.isArray(value)) return value.map((element) => rewritten(element, content, rewrite));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      rewrite(name),
      content.has(name) ? member : rewritten(member, content, rewrite),
    ]),
  );
}
