import type { DeepReadonly } from '@emu/core/service';
import type { CORSRule } from '@emu/service-types/s3';
import type { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import { s3Error } from '../errors.ts';

/** CORS properties of a browser's request or preflight. */
export interface CrossOrigin {
  readonly origin: string;
  readonly method: string;
  /** Header names to be sent; undefined for an actual request. */
  readonly headers: readonly string[] | undefined;
}

const VARY = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method';

/** Whether a text matches a pattern with at most one star. */
function matches(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === text;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

/** Returns the first rule that permits a request. */
function ruleFor(
  rules: DeepReadonly<CORSRule[]>,
  { origin, method, headers = [] }: CrossOrigin,
): DeepReadonly<CORSRule> | undefined {
  return rules.find(
    (rule) =>
      rule.AllowedMethods.includes(method) &&
      rule.AllowedOrigins.some((allowed) => matches(allowed, origin)) &&
      headers.every((header) => rule.AllowedHeaders?.some((allowed) => matches(allowed.toLowerCase(), header))),
  );
}

/**
 * Returns the CORS headers for a page; undefined if the bucket does not permit it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/cors.html
 */
export function corsHeaders({ record }: Bucket, request: CrossOrigin): Record<string, string> | undefined {
  const rule = ruleFor(record.configurations.cors ?? [], request);
  if (!rule) return undefined;
  const anybody = rule.AllowedOrigins.includes('*');
  return {
    'access-control-allow-origin': anybody ? '*' : request.origin,
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    ...(request.headers?.length && { 'access-control-allow-headers': request.headers.join(', ') }),
    ...(rule.ExposeHeaders?.length && { 'access-control-expose-headers': rule.ExposeHeaders.join(', ') }),
    ...(rule.MaxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.MaxAgeSeconds) }),
    ...(!anybody && { 'access-control-allow-credentials': 'true' }),
    vary: VARY,
  };
}

/** Returns the names in a header list, in lower case. */
export const headerNames = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');

export const missingOrigin = (): AwsError =>
  s3Error('BadRequest', 'Insufficient information. Origin request header needed.', { status: 400 });

/** @param why S3's text after `CORSResponse: ` */
export const corsForbidden = (why: string, method: string, resourceType: 'BUCKET' | 'OBJECT'): AwsError =>
  s3Error('AccessForbidden', `CORSResponse: ${why}`, {
    status: 403,
    members: { Method: method, ResourceType: resourceType },
  });

export const NOT_ENABLED = 'CORS is not enabled for this bucket.';
export const NOT_ALLOWED =
  "This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.";
