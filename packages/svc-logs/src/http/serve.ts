import { gunzipSync } from 'node:zlib';
import { type DataPlaneRequest, type DataPlaneResponse, readAtMost, type ServiceHandle } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { invalidParameter } from '../errors.ts';
import { cutoffOf } from '../groups/retention.ts';
import { admit, checkBatch } from '../ingestion/batch.ts';
import { ingest } from '../ingestion/ingestion.ts';
import { groupType, streamArn } from '../resources.ts';
import type { LogsState } from '../state.ts';
import { type Caller, callerOf } from './caller.ts';
import { endpoints } from './endpoints.ts';
import { type Endpoint, PayloadError } from './formats/format.ts';

/** Maximum bytes of a request, compressed or not: a batch, which JSON escapes may enlarge. */
const MAX_BODY = 8 * 1024 * 1024;
const MAX_EVENTS = 10_000;

const headerOf = ({ headers }: DataPlaneRequest, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Whether a request is for an endpoint, rather than for an S3 object with the same path. */
const isForLogs = (request: DataPlaneRequest): boolean =>
  request.host?.label === 'logs' ||
  /^Bearer |Credential=[^/]+\/[^/]+\/[^/]+\/logs\//.test(headerOf(request, 'authorization') ?? '') ||
  headerOf(request, 'x-aws-log-group') !== undefined;

/** Returns the region of a request. */
const regionOf = (request: DataPlaneRequest, otherwise: string): string =>
  request.host?.region ??
  /Credential=[^/]+\/[^/]+\/([^/]+)\/logs\//.exec(headerOf(request, 'authorization') ?? '')?.[1] ??
  otherwise;

/**
 * Serves the HTTP ingestion endpoints.
 * @returns undefined if the request is for no endpoint
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_HTTP_Endpoints.html
 */
export async function serve(
  request: DataPlaneRequest,
  handle: ServiceHandle<LogsState>,
): Promise<DataPlaneResponse | undefined> {
  const endpoint = endpoints.get(request.path);
  if (!endpoint || !isForLogs(request)) return undefined;
  const region = regionOf(request, handle.settings.region);
  try {
    const caller = await callerOf(request, region, handle);
    if (!caller)
      return refusal(401, 'UnrecognizedClientException', 'The security token included in the request is invalid.');
    return await take(request, endpoint, { caller, region, handle });
  } catch (error) {
    if (error instanceof PayloadError) return refusal(400, 'InvalidParameterException', error.message);
    if (!(error instanceof AwsError)) throw error;
    const status = error.code === 'AccessDeniedException' || error.status === 403 ? 403 : 400;
    return refusal(status, error.code, error.message);
  }
}

interface Taking {
  readonly caller: Caller;
  readonly region: string;
  readonly handle: ServiceHandle<LogsState>;
}

async function take(
  request: DataPlaneRequest,
  endpoint: Endpoint,
  { caller, region, handle }: Taking,
): Promise<DataPlaneResponse> {
  const group = nameOf(request, endpoint, 'x-aws-log-group', 'logGroup');
  const stream = nameOf(request, endpoint, 'x-aws-log-stream', 'logStream');
  const { principal, bearer } = caller;
  const { accountId } = principal;
  const place = { accountId, region };
  const groupArn = groupType.arn({ name: group }, place);
  const asked = { stream: streamArn(groupArn, stream), group: `${groupArn}:*`, bearer };
  const options = { ...place, principal, authorize: { dryRun: true }, cause: request.requestId };
  await handle.call('logs', 'IngestLogs', asked, options);
  const state = handle.state(accountId, region);
  const target = state.groups.find(group);
  if (bearer && target && !target.record.bearerTokens)
    return refusal(
      401,
      'AccessDeniedException',
      'Bearer token authentication is not enabled for the specified log group.',
    );
  const into = target?.stream(stream);
  if (!target || !into)
    return refusal(
      400,
      'ResourceNotFoundException',
      target ? 'The specified log stream does not exist.' : 'The specified log group does not exist.',
    );
  const contentType = (headerOf(request, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (!endpoint.contentTypes.includes(contentType))
    throw invalidParameter(`The content type must be ${endpoint.contentTypes.join(' or ')}.`);
  const now = state.clock.now();
  const events = endpoint.read({ contentType, body: await bodyOf(request), now });
  if (events.length > MAX_EVENTS) throw invalidParameter(`A request can have at most ${MAX_EVENTS} log events.`);
  events.sort((a, b) => a.timestamp - b.timestamp);
  checkBatch(events);
  const { events: taken, rejected } = admit(events, now, cutoffOf(target.record, now));
  state.retention.enforce();
  await ingest({ state, group: target, stream: into }, taken, () => request.requestId);
  const tooOld = rejected?.tooOldLogEventEndIndex ?? 0;
  const answer = endpoint.answer?.(contentType, {
    tooOld,
    tooNew: events.length - (rejected?.tooNewLogEventStartIndex ?? events.length),
    expired: Math.max((rejected?.expiredLogEventEndIndex ?? 0) - tooOld, 0),
  });
  const type = typeof answer === 'object' ? contentType : 'application/json';
  return { status: 200, headers: { 'content-type': type }, body: answer ?? '{}' };
}

/**
 * Returns the group or stream from a header or query parameter.
 * @throws AwsError `InvalidParameterException`
 */
function nameOf(request: DataPlaneRequest, { byQuery }: Endpoint, header: string, parameter: string): string {
  const inHeader = headerOf(request, header);
  const inQuery = byQuery ? (new URLSearchParams(request.query).get(parameter) ?? undefined) : undefined;
  if (inHeader !== undefined && inQuery !== undefined)
    throw invalidParameter(`${parameter} cannot be specified both as a header and as a query parameter.`);
  const name = inHeader ?? inQuery;
  if (!name) throw invalidParameter(`${parameter} is required.`);
  return name;
}

/**
 * Decompresses the body.
 * @throws AwsError `InvalidParameterException`
 */
async function bodyOf(request: DataPlaneRequest): Promise<Buffer> {
  const body = await readAtMost(request.body, MAX_BODY);
  const encoding = headerOf(request, 'content-encoding');
  if (!body) throw invalidParameter(`The request body can have at most ${MAX_BODY} bytes.`);
  if (encoding === undefined || encoding === 'identity') return body;
  if (encoding !== 'gzip') throw invalidParameter('The content encoding must be gzip.');
  try {
    return gunzipSync(body, { maxOutputLength: MAX_BODY });
  } catch {
    throw invalidParameter('The request body cannot be decompressed.');
  }
}

const refusal = (status: number, code: string, message: string): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': code },
  body: JSON.stringify({ __type: code, message }),
});
