import { createHash, createHmac } from 'node:crypto';
import { type Clock, type Ids, parseArn, type ServiceHandle } from '@emu/core/service';
import { SignatureV4 } from '@smithy/signature-v4';
import { encodedPath } from './address.ts';
import { Fields } from './fields.ts';
import { rolePrincipal } from './functions.ts';
import type { EndpointRequest } from './outgoing.ts';
import { ACTION_PROTOCOLS, type ActionProtocol } from './service-actions.ts';

/** Milliseconds for which the credentials of a role are used. */
const SESSION = 900_000;
/** SHA-256 as the signer wants it. */
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
    throw new Error('a digest is made once');
  }
}

interface Session {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly until: number;
}

/** On whose behalf a service is called: the state of an account and region. */
export interface RequestScope {
  readonly service: Pick<ServiceHandle, 'credentials' | 'selfUrl'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

const sessions = new WeakMap<RequestScope, Map<string, Session>>();

/** Credentials of a role's session; one serves all requests for a while. */
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

/** What an integration's URI names of a service. */
interface ServiceUri {
  readonly region: string;
  readonly service: string;
  readonly subdomain: string | undefined;
  readonly kind: 'path' | 'action';
  readonly rest: string;
}

/** `<service>:path/…` of `arn:<partition>:apigateway:<region>:<service>:path/…`, where an account would stand. */
const resourceOf = (uri: string): string => uri.split(':').slice(4).join(':');

/** @returns undefined where the URI is none of a service */
function parseUri(uri: string): ServiceUri | undefined {
  const arn = parseArn(uri);
  const [, subdomain, service, kind, rest] =
    /^(?:([^.:/]+)\.)?([^.:/]+):(path|action)\/(.*)$/s.exec(resourceOf(uri)) ?? [];
  if (!arn || service === undefined) return undefined;
  return { region: arn.region, service, subdomain, kind: kind as 'path' | 'action', rest: rest! };
}

/** A request to an operation of a service, as an integration has it. */
export interface ServiceIntegration {
  /** `arn:<partition>:apigateway:<region>:<service>:path/…` or `…:action/…`, stage variables put in. */
  readonly uri: string;
  /** As whom it is called. */
  readonly role: string;
  readonly method: string;
  readonly headers: Fields;
  readonly query: Fields;
  /** Values of the variables in the URI. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A signed request to emu itself. */
export interface SignedRequest extends Pick<EndpointRequest, 'url' | 'method' | 'headers' | 'body'> {
  /** URL that AWS's endpoint would have. */
  readonly shown: string;
}

/**
 * Makes the request of an integration with a service, signed as its role.
 * @returns undefined where the URI names no service
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

/** Says which operation is meant, as the service's protocol has it. */
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

/** Signs a request as a role. */
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

/** The path as the signer takes it: it is written as it is sent. */
const decodeOnce = (path: string): string => path;
