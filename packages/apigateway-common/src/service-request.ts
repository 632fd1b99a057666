import { createHash, createHmac } from 'node:crypto';
import { type Clock, type Ids, parseArn, type ServiceHandle } from '@emu/core/service';
import { SignatureV4 } from '@smithy/signature-v4';
import { encodedPath } from './address.ts';
import { Fields } from './fields.ts';
import { rolePrincipal } from './functions.ts';
import type { EndpointRequest } from './outgoing.ts';
import { ACTION_PROTOCOLS, type ActionProtocol } from './service-actions.ts';

/** Milliseconds for which a role session is reused. */
const SESSION = 900_000;
/** SHA-256 with the signer's interface. */
class Sha256 {
  private readonly hash;
  constructor(secret?: unknown) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(typeof data === 'string' ? data : Buffer.from(data as Uint8Array));
  }
  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }
  reset(): void {
    throw new Error('a digest can be computed only once');
  }
}

interface Session {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly until: number;
}

/** Account and region on whose behalf a service is called. */
export interface RequestScope {
  readonly service: Pick<ServiceHandle, 'credentials' | 'names' | 'selfUrl'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

const sessions = new WeakMap<RequestScope, Map<string, Session>>();

/** Returns a role session, which is reused for a while. */
function sessionOf(scope: RequestScope, role: string): Session {
  let known = sessions.get(scope);
  if (!known) {
    known = new Map();
    sessions.set(scope, known);
  }
  const { clock, ids, service } = scope;
  const now = clock.now();
  const session = known.get(role);
  if (session && session.until > now) return session;
  if (known.size > 100) known.clear();
  const made: Session = {
    accessKeyId: `ASIA${ids.chars(16)}`,
    secretAccessKey: ids.hex(40),
    sessionToken: ids.hex(64),
    until: now + SESSION,
  };
  const { accessKeyId, secretAccessKey, sessionToken, until } = made;
  service.credentials.put({
    accessKeyId,
    secretAccessKey,
    sessionToken,
    expiresAt: until + SESSION,
    active: true,
    principal: rolePrincipal(role),
    session: { roleArn: role, name: 'BackplaneAssumeRoleSession', issuedAt: now },
  });
  known.set(role, made);
  return made;
}

/** Parsed service URI of an integration. */
interface ServiceUri {
  readonly region: string;
  readonly service: string;
  readonly subdomain: string | undefined;
  readonly kind: 'path' | 'action';
  readonly rest: string;
}

/**
 * Returns `<service>:path/…` of `arn:<partition>:apigateway:<region>:<service>:path/…`, which has the service in place
 * of the account.
 */
const resourceOf = (uri: string): string => uri.split(':').slice(4).join(':');

/**
 * Parses the URI of a service.
 * @returns undefined for other URIs
 */
function parseUri(uri: string): ServiceUri | undefined {
  const arn = parseArn(uri);
  const [, subdomain, service, kind, rest] =
    /^(?:([^.:/]+)\.)?([^.:/]+):(path|action)\/(.*)$/s.exec(resourceOf(uri)) ?? [];
  if (!arn || service === undefined) return undefined;
  return { region: arn.region, service, subdomain, kind: kind as 'path' | 'action', rest: rest! };
}

/** An integration's request to a service operation. */
export interface ServiceIntegration {
  /** `arn:<partition>:apigateway:<region>:<service>:path/…` or `…:action/…`, with stage variables resolved. */
  readonly uri: string;
  /** Role for the call. */
  readonly role: string;
  readonly method: string;
  readonly headers: Fields;
  readonly query: Fields;
  /** Values of the URI's variables. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A signed request to emu. */
export interface SignedRequest extends Pick<EndpointRequest, 'url' | 'method' | 'headers' | 'body'> {
  /** URL at AWS, for logs. */
  readonly shown: string;
}

/**
 * Builds an integration's service request, signed with its role.
 * @returns undefined if the URI does not name a service
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-integration-types.html
 */
export async function serviceRequest(
  scope: RequestScope,
  integration: ServiceIntegration,
): Promise<SignedRequest | undefined> {
  const named = parseUri(integration.uri);
  if (!named) return undefined;
  const { region, service, subdomain, kind, rest } = named;
  const { headers, query, method, role } = integration;
  const filled = fill(rest, integration.path);
  const [path = '', ownQuery = ''] = kind === 'path' ? filled.split('?') : [''];
  for (const [name, value] of new URLSearchParams(ownQuery)) query.add(name, value);
  const endpoint = `${subdomain === undefined ? '' : `${subdomain}.`}${service}`;
  const protocol = ACTION_PROTOCOLS[endpoint] ?? ACTION_PROTOCOLS[service] ?? {};
  if (kind === 'action') addAction(protocol, filled, integration);
  const host = `${endpoint}.${region}.amazonaws.com`;
  const url = new URL(`${await scope.service.selfUrl()}/${path.replace(/^\//, '')}`);
  for (const [name, values] of query.entries()) for (const value of values) url.searchParams.append(name, value);
  const body = method === 'GET' || method === 'HEAD' ? undefined : integration.body;
  const { signingName = service } = protocol;
  const signed = await sign(scope, role, { method, url, host, headers, body, region, service: signingName });
  return { url, method, headers: signed, body, shown: `https://${host}/${path}` };
}

const fill = (text: string, path: Readonly<Record<string, string>>): string =>
  text.replace(/\{([^{}]+?)\+?\}/g, (whole, name: string) =>
    Object.hasOwn(path, name) ? encodedPath(path[name]!) : whole,
  );

/** Adds the operation name in the form of the service's protocol. */
function addAction(protocol: ActionProtocol, given: string, { headers, query }: ServiceIntegration): void {
  const [action = '', parameters = ''] = given.split('&', 2).length > 1 ? split(given) : [given, ''];
  const { target, json, version } = protocol;
  if (target !== undefined) {
    headers.set('X-Amz-Target', `${target}.${action}`);
    headers.set('Content-Type', `application/x-amz-json-${json}`);
    return;
  }
  query.set('Action', action);
  for (const [name, value] of new URLSearchParams(parameters)) query.set(name, value);
  if (version !== undefined && !query.has('Version')) query.set('Version', version);
}

function split(given: string): [string, string] {
  const at = given.indexOf('&');
  return [given.slice(0, at), given.slice(at + 1)];
}

interface Unsigned {
  readonly method: string;
  readonly url: URL;
  readonly host: string;
  readonly headers: Fields;
  readonly body: Buffer | undefined;
  readonly region: string;
  readonly service: string;
}

/** Signs a request with a role. */
async function sign(scope: RequestScope, role: string, request: Unsigned): Promise<Fields> {
  const { method, url, host, headers, body = Buffer.alloc(0), region, service } = request;
  const signer = new SignatureV4({
    credentials: sessionOf(scope, role),
    region,
    service,
    sha256: Sha256 as never,
    uriEscapePath: service !== 's3',
  });
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name);
    query[name] = values.length === 1 ? values[0]! : values;
  }
  const sent: Record<string, string> = { ...headers.joined(), host };
  if (service === 's3') sent['x-amz-content-sha256'] = createHash('sha256').update(body).digest('hex');
  const signed = await signer.sign(
    { method, protocol: 'https:', hostname: host, path: decodeOnce(url.pathname), query, headers: sent, body },
    { signingDate: new Date(scope.clock.now()) },
  );
  return Fields.headers(Object.entries(signed.headers));
}

/** Returns the path for the signer unchanged, as it is already encoded. */
const decodeOnce = (path: string): string => path;
