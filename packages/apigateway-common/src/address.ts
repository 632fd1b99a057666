import { type DataPlaneRequest, type DataPlaneResponse, percentDecoded } from '@emu/core/service';

/** Where a request for an API goes. */
export interface ApiAddress {
  readonly apiId: string;
  /** Undefined where the address names none, which are all but those by a host of AWS's form. */
  readonly region: string | undefined;
  /**
   * What follows the API's own address, percent-encoded and with its slash: begins with the stage where the API has no
   * `$default` stage. `stage` is set instead where the address itself has the stage.
   */
  readonly path: string;
  /** The stage, where the address names it apart from the path. */
  readonly stage: string | undefined;
}

const HOST = /^([a-z0-9-]+)\.execute-api\.(?:([a-z0-9-]+)\.)?/;
const AWS_PATH = '/_aws/execute-api/';
const USER_REQUEST = /^\/restapis\/([^/]+)\/([^/]+)\/_user_request_(\/.*)?$/;
/** The management API of WebSocket APIs, which has the same hosts. */
const CONNECTIONS = /^(?:\/[^/]+)?\/(?:@|%40)connections\//i;
/** The stage that has no part of AWS's paths, where a path names it all the same. */
const DEFAULT_STAGE = /^\/(?:\$|%24)default(\/.*)?$/i;
/** An endpoint of a VPC after an API's id. */
const VPC_ENDPOINT = /-vpce-[0-9a-z]+$/;

/**
 * Whether a request may be for an API: for the `claims` of a service's manifest.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-call-api.html
 */
export function claimsApi(_method: string, path: string, host: string): boolean {
  if (host.includes('.execute-api.')) return !CONNECTIONS.test(path);
  if (path.charCodeAt(1) === 95) return path.startsWith(AWS_PATH) && !CONNECTIONS.test(afterApi(path));
  return path.startsWith('/restapis/') && path.includes('/_user_request_');
}

/** `/<stage>/…` of `/_aws/execute-api/<api>/<stage>/…`. */
function afterApi(path: string): string {
  const end = path.indexOf('/', AWS_PATH.length);
  return end < 0 ? '' : path.slice(end);
}

/**
 * The API that a request by a host of AWS's form, or by emu's own paths for clients that cannot set hosts, is for:
 * `<api>.execute-api.<region>.<domain>/<stage>/…`, `/_aws/execute-api/<api>/<stage>/…` and
 * `/restapis/<api>/<stage>/_user_request_/…`. These paths may name the stage `$default`, which addresses of AWS never do.
 * Undefined for a custom domain.
 */
export function apiAddressOf(request: DataPlaneRequest): ApiAddress | undefined {
  const { path } = request;
  if (path.startsWith(AWS_PATH)) {
    const rest = path.slice(AWS_PATH.length);
    const end = rest.indexOf('/');
    const apiId = (end < 0 ? rest : rest.slice(0, end)).toLowerCase();
    const after = end < 0 ? '/' : rest.slice(end);
    const named = DEFAULT_STAGE.exec(after);
    return named
      ? { apiId, region: undefined, stage: '$default', path: named[1] ?? '/' }
      : { apiId, region: undefined, stage: undefined, path: after };
  }
  const [, userApi, stage, rest = '/'] = USER_REQUEST.exec(path) ?? [];
  if (userApi !== undefined)
    return { apiId: userApi.toLowerCase(), region: undefined, stage: percentDecoded(stage!), path: rest };
  const host = String(request.headers.host ?? '').toLowerCase();
  const [, label] = HOST.exec(host) ?? [];
  if (label === undefined) return undefined;
  const named = request.headers['x-apigw-api-id'];
  const apiId = label.startsWith('vpce-') && typeof named === 'string' ? named.toLowerCase() : label;
  return { apiId: apiId.replace(VPC_ENDPOINT, ''), region: request.host?.region, stage: undefined, path };
}

/** A value of a path, percent-encoded but for its slashes; what is encoded already stays as it is. */
export const encodedPath = (value: string): string =>
  value
    .split('/')
    .map((part) => encodeURIComponent(percentDecoded(part)))
    .join('/');

/**
 * What whoever calls an API is answered that does not exist: for the `unserved` of a service's plugin.
 * @returns undefined for a request that is not by an address of API Gateway
 */
export function noSuchApi(request: DataPlaneRequest): DataPlaneResponse | undefined {
  if (!apiAddressOf(request)) return undefined;
  return {
    status: 403,
    headers: {
      'content-type': 'application/json',
      'x-amzn-requestid': request.requestId,
      'x-amzn-errortype': 'ForbiddenException',
    },
    body: '{"message":"Forbidden"}',
  };
}
