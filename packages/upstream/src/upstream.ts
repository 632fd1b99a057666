import { hostNameOf } from '@emu/gateway/proxy';
import { headerOf } from '@emu/wire';
import type { AwsServices } from './aws-services.ts';
import type { SentBody } from './body.ts';
import type { AwsCredentials, CredentialProvider, IssuedCredentials } from './credentials.ts';
import { type AuthScheme, type EndpointChoice, Endpoints, NoEndpoint } from './endpoints.ts';
import { bodyForDestination } from './queue-urls.ts';
import type { Call } from './recognition.ts';
import { type IncomingResponse, type OutgoingRequest, Sender } from './sender.ts';
import { EventSigner, type Signing, signByHeaders, signByQuery } from './signing.ts';

/** Where requests go. */
export interface UpstreamOptions {
  readonly services: AwsServices;
  readonly credentials: CredentialProvider;
  readonly issued: IssuedCredentials;
  readonly endpoints: EndpointChoice;
  /** Another server that receives all requests; AWS by default. */
  readonly url?: URL | undefined;
  /** Sends the signed requests. */
  readonly sender?: Pick<Sender, 'send' | 'close'>;
}

/** A sent request with its response. */
export interface Exchange {
  readonly outgoing: OutgoingRequest;
  readonly response: IncomingResponse;
}

/** Address of a request. */
interface Target {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number | undefined;
  /** The `Host` header. */
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly schemes: readonly AuthScheme[];
}

/** Sends recognised requests to AWS, signed with the user's credentials or those that AWS has issued in an earlier response. */
export class Upstream {
  private readonly sender: Pick<Sender, 'send' | 'close'>;
  private readonly endpoints: Endpoints;

  constructor(private readonly options: UpstreamOptions) {
    this.sender = options.sender ?? new Sender();
    this.endpoints = new Endpoints(options.endpoints);
  }

  /**
   * Sends a request.
   * @throws NoEndpoint if AWS has no endpoint for it
   * @throws NoCredentials, NoResponse
   */
  async exchange(call: Call, sent: SentBody, signal: AbortSignal): Promise<Exchange> {
    const target = this.options.url ? this.targetAt(this.options.url, call) : this.targetAtAws(call, sent);
    const host = { secure: target.secure, headers: { host: target.host } };
    const body = sent.body instanceof Uint8Array ? bodyForDestination(call, host, sent.body) : sent.body;
    const outgoing: OutgoingRequest = {
      method: call.request.method,
      secure: target.secure,
      hostname: target.hostname,
      port: target.port,
      path: target.path,
      query: call.query,
      headers: { ...sent.headers, ...target.headers, host: target.host, 'accept-encoding': 'identity' },
      body,
      http2: call.request.http2 === true,
    };
    if (body instanceof Uint8Array && body !== sent.body) {
      outgoing.headers['content-length'] = String(body.length);
      // The hash is that of the client's body.
      delete outgoing.headers['x-amz-content-sha256'];
    }
    const signing = await this.signingOf(call, target);
    if (signing && isPresigned(call)) await signByQuery(outgoing, signing);
    else if (signing) {
      await signByHeaders(outgoing, signing);
      sent.signEvents?.(new EventSigner(signing, signatureOf(outgoing)));
    }
    return { outgoing, response: await this.sender.send(outgoing, signal) };
  }

  /** Closes all connections. */
  close(): void {
    this.sender.close();
  }

  /** Returns the signature that a request gets; undefined for an unsigned one. */
  private async signingOf({ scope, aws, service, region }: Call, { schemes }: Target): Promise<Signing | undefined> {
    const scheme = schemes.find(({ name }) => name.startsWith('sigv4'));
    if (!scope) return undefined;
    const credentials: AwsCredentials = this.options.issued.of(scope.accessKeyId) ?? (await this.options.credentials());
    const asymmetric = scheme?.name === 'sigv4a';
    return {
      credentials,
      service: scheme?.signingName ?? aws?.signingName ?? scope.service ?? service,
      region: asymmetric ? (scheme.signingRegionSet ?? ['*']).join(',') : (scheme?.signingRegion ?? region),
      asymmetric,
    };
  }

  private targetAt(url: URL, { request, path, wire, hostNamesResource, dataHost, scope }: Call): Target {
    const host = headerOf(request.headers, 'host') ?? url.host;
    return {
      secure: url.protocol === 'https:',
      hostname: url.hostname,
      port: url.port === '' ? undefined : Number(url.port),
      // The host name of a data plane names its resource.
      host: dataHost ? `${hostNameOf(host)}${url.port === '' ? '' : `:${url.port}`}` : url.host,
      path: hostNamesResource ? wire.path : path,
      headers: {},
      schemes: scope ? [{ name: 'sigv4', signingName: scope.service }] : [],
    };
  }

  private targetAtAws(call: Call, sent: SentBody): Target {
    const { dataHost, aws, region, path } = call;
    if (dataHost) {
      const hostname = dataHostName(call);
      return { secure: true, hostname, port: undefined, host: hostname, path, headers: {}, schemes: [] };
    }
    if (!aws) throw new NoEndpoint(`The service ${call.service} is not in the list of AWS's services`);
    const input = inputOf(call, sent);
    const parameters = { ...aws.parameters(call.operation ?? '', input), ...bucketOf(call, input) };
    const { url, headers, authSchemes } = this.endpoints.of(aws, region, parameters);
    const prefix = hostPrefixOf(call, input);
    const hostname = url.hostname.startsWith(prefix) ? url.hostname : prefix + url.hostname;
    const base = url.pathname === '/' ? '' : url.pathname;
    const rest = parameters.Bucket === undefined ? call.wire.path : withoutBucket(call);
    return {
      secure: url.protocol === 'https:',
      hostname,
      port: url.port === '' ? undefined : Number(url.port),
      host: url.port === '' ? hostname : `${hostname}:${url.port}`,
      path: `${base}${rest === '/' && base !== '' ? '' : rest}`,
      headers,
      schemes: authSchemes,
    };
  }
}

/** Whether the signature of a request is in its query. */
function isPresigned({ scope, request, query }: Call): boolean {
  return scope?.presigned === true && request.headers.authorization === undefined && query.includes('X-Amz-Signature');
}

/** Returns the decoded input as far as endpoints depend on it; empty if it is invalid. */
function inputOf({ modelled, wire }: Call, { body }: SentBody): Record<string, unknown> {
  if (!modelled) return {};
  const { protocol, operation } = modelled;
  try {
    const whole = body instanceof Uint8Array ? body : new Uint8Array();
    return protocol.decode(operation, { ...wire, body: whole }) as Record<string, unknown>;
  } catch {
    // AWS refuses it with its own message.
    return {};
  }
}

const BUCKET_PATH = /^\/([^/]+)/;

/** Returns the bucket in the path of an S3 request, also of one without an operation, such as a preflight. */
function bucketOf({ service, wire }: Call, input: Readonly<Record<string, unknown>>): { Bucket?: string } {
  if (service !== 's3' || input.Bucket !== undefined) return {};
  const bucket = BUCKET_PATH.exec(wire.path)?.[1];
  return bucket === undefined ? {} : { Bucket: decodeURIComponent(bucket) };
}

/** Returns the path of an S3 request after the bucket, which its endpoint contains. */
function withoutBucket({ service, wire }: Call): string {
  if (service !== 's3') return wire.path;
  return wire.path.replace(BUCKET_PATH, '') || '/';
}

/** Returns the labels that an operation has before its host; empty if a member that they contain is missing. */
function hostPrefixOf({ aws, operation }: Call, input: Readonly<Record<string, unknown>>): string {
  const template = operation === undefined ? undefined : aws?.hostPrefix(operation);
  if (template === undefined) return '';
  let complete = true;
  const prefix = template.replace(/\{(\w+)\}/g, (_, member: string) => {
    complete &&= typeof input[member] === 'string';
    return String(input[member]);
  });
  return complete ? prefix : '';
}

/** Domains of data planes that are not below those of the APIs. */
const DATA_DOMAINS: Readonly<Record<string, string>> = { 'lambda-url': 'on.aws' };

/** Returns AWS's host name of a data plane. */
function dataHostName({ dataHost, region, request }: Call): string {
  const { label, prefix } = dataHost!;
  const given = hostNameOf(headerOf(request.headers, 'host') ?? '');
  if (/\.(?:amazonaws\.com(?:\.cn)?|on\.aws|amazoncognito\.com)$/.test(given)) return given;
  const domain = DATA_DOMAINS[label] ?? (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');
  return [prefix, label, region, domain].filter((part) => part !== undefined).join('.');
}

/** Returns the signature in a signed request's header. */
const signatureOf = ({ headers }: OutgoingRequest): string =>
  /Signature=([0-9a-f]+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
