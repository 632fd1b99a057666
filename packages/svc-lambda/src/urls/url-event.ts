import { type DataPlaneRequest, type Principal, percentDecoded } from '@emu/core/service';

/** Inputs of an event besides the request. */
export interface UrlEventSources {
  /** The URL's id. */
  urlId: string;
  host: string;
  /** Path below the URL, percent-encoded. */
  path: string;
  traceHeader: string;
  /** Epoch milliseconds. */
  now: number;
  /** Signer of the request; undefined for public URLs. */
  caller: Principal | undefined;
  body: Buffer;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Content types with text bodies. */
const TEXT =
  /^(?:text\/|application\/(?:json|javascript|xml|x-www-form-urlencoded|graphql)(?:;|$)|[^;]+\+(?:json|xml)(?:;|$))/i;

/**
 * Returns the event for a request to a function URL: API Gateway's payload format 2.0.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
 */
export function urlEvent(request: DataPlaneRequest, sources: UrlEventSources): object {
  const { method, query, requestId, remoteAddress = '127.0.0.1', secure } = request;
  const { urlId, host, path, traceHeader, now, caller, body } = sources;
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    if (name === 'cookie') cookies.push(...[value].flat().flatMap((part) => part.split(/;\s*/)));
    else if (name !== 'connection') headers[name] = [value].flat().join(',');
  }
  Object.assign(headers, {
    host,
    'x-amzn-trace-id': traceHeader,
    'x-forwarded-for': remoteAddress,
    'x-forwarded-proto': secure ? 'https' : 'http',
    'x-forwarded-port': host.split(':')[1] ?? (secure ? '443' : '80'),
  });
  const text = body.length === 0 || TEXT.test(headers['content-type'] ?? '');
  const parameters = queryParameters(query);
  const rawPath = percentDecoded(path);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(parameters && { queryStringParameters: parameters }),
    requestContext: {
      accountId: caller ? caller.accountId : 'anonymous',
      apiId: urlId,
      ...(caller && {
        authorizer: {
          iam: {
            accessKey: caller.accessKeyId,
            accountId: caller.accountId,
            callerId: caller.userId,
            cognitoIdentity: null,
            principalOrgId: null,
            userArn: caller.arn,
            userId: caller.userId,
          },
        },
      }),
      domainName: host.split(':')[0],
      domainPrefix: urlId,
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: remoteAddress,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: requestTime(now),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: text ? body.toString() : body.toString('base64') }),
    isBase64Encoded: !text,
  };
}

/** Returns the query parameters by name, repeated ones joined by commas; undefined without parameters. */
function queryParameters(query: string): Record<string, string> | undefined {
  if (query === '') return undefined;
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query))
    parameters[name] = Object.hasOwn(parameters, name) ? `${parameters[name]},${value}` : value;
  return parameters;
}

/** Formats a time, e.g. `12/Mar/2020:19:03:58 +0000`. */
function requestTime(now: number): string {
  const date = new Date(now);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  return `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
}
