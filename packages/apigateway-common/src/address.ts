import { type DataPlaneRequest, type DataPlaneResponse, isRegionName, percentDecoded } from '@emu/core/service';

/** API and path of a request. */
export interface ApiAddress {
  readonly apiId: string;
  /** Undefined unless the host has AWS's form. */
  readonly region: string | undefined;
  /**
   * Path after the API's URL, percent-encoded, with leading slash: starts with the stage unless the API has a
   * `$default` stage. If the URL contains the stage separately, `stage` is set instead.
   */
  readonly path: string;
  /** Stage, if the URL contains it separately from the path. */
  readonly stage: string | undefined;
}

const HOST = /^([a-z0-9-]+)\.execute-api(?:\.([a-z0-9-]+))?(?:[.:]|$)/;
const AWS_PATH = '/_aws/execute-api/';
const USER_REQUEST = /^\/restapis\/([^/]+)\/([^/]+)\/_user_request_(\/.*)?$/;
/** Management API of WebSocket APIs, which uses the same hosts. */
const CONNECTIONS = /^(?:\/[^/]+)?\/(?:@|%40)connections\//i;
/** `$default` stage in a path, which AWS's paths never contain. */
const DEFAULT_STAGE = /^\/(?:\$|%24)default(\/.*)?$/i;
/** VPC endpoint id after an API id. */
const VPC_ENDPOINT = /-vpce-[0-9a-z]+$/;

/**
 * Whether a request may be for an API: for `claims` of a service manifest.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-call-api.html
 */
export function claimsApi(_method: string, path: string, host: string): boolean {
  if (host.includes('.execute-api.')) return !CONNECTIONS.test(path);
  if (path.charCodeAt(1) === 95) return path.startsWith(AWS_PATH) && !CONNECTIONS.test(afterApi(path));
  return path.startsWith('/restapis/') && path.includes('/_user_request_');
}

/** Returns `/<stage>/…` of `/_aws/execute-api/<api>/<stage>/…`. */
function afterApi(path: string): string {
  const end = path.indexOf('/', AWS_PATH.length);
  return end < 0 ? '' : path.slice(end);
}

/**
 * Returns the API of a request with a host of AWS's form or one of emu's paths for clients that cannot set the host:
 * `<api>.execute-api.<region>.<domain>/<stage>/…`, `/_aws/execute-api/<api>/<stage>/…` and
 * `/restapis/<api>/<stage>/_user_request_/…`. These paths may contain the stage `$default`, unlike AWS's URLs. Returns
 * undefined for a custom domain.
 */
export function apiAddressOf(
  request: Pick<DataPlaneRequest, 'path' | 'headers'> & Partial<Pick<DataPlaneRequest, 'host'>>,
): ApiAddress | undefined {
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

/**
 * Returns the API in a host name of AWS's form, with or without a region before the domain; undefined for another name.
 * @param name in lower case
 */
export function apiOfHost(name: string): { readonly apiId: string; readonly region: string | undefined } | undefined {
  const [, label, region] = HOST.exec(name) ?? [];
  if (label === undefined) return undefined;
  return {
    apiId: label.replace(VPC_ENDPOINT, ''),
    region: region !== undefined && isRegionName(region) ? region : undefined,
  };
}

/** Returns emu's path of the API in a host name: for `pathOfHost` of a service plugin. @param name in lower case */
export function apiPathOfHost(name: string): string | undefined {
  const host = apiOfHost(name);
  return host && `${AWS_PATH}${host.apiId}`;
}

/** Percent-encodes a path value except slashes and existing escapes. */
export const encodedPath = (value: string): string =>
  value
    .split('/')
    .map((part) => encodeURIComponent(percentDecoded(part)))
    .join('/');

/**
 * Returns the response for an unknown API: for `unserved` of a service plugin.
 * @returns undefined for a request without a URL of API Gateway
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
