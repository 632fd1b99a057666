import type { Kernel, LoadedService } from '@emu/core';
import type { BodyLimits, ServiceManifest } from '@emu/core/service';
import {
  type AwsError,
  awsError,
  type DecodedOperation,
  type HeaderValues,
  type OperationModel,
  queryParameter,
  type ServerProtocol,
  type ServiceCodec,
  tooManyValues,
  type WireRequest,
} from '@emu/wire';
import { isChangeByLink } from '../access/links.ts';
import { isCrowded, LARGE_BODY } from '../body/json-weight.ts';
import { GZIP, RequestPayload } from '../body/payload.ts';
import { Turns } from '../body/turns.ts';
import { PayloadTooLarge } from '../http/request.ts';
import { type Identification, Identifier, isForm } from '../identify/identify.ts';
import { ServiceIndex } from '../identify/services.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import type { Authenticator } from '../sigv4/authenticator.ts';
import type { Dialect, Dialects } from '../sigv4/dialects.ts';
import { Callers } from './callers.ts';
import type { Exchange } from './exchange.ts';
import type { InjectedFaults } from './injected-faults.ts';
import { unknownOperation, unknownService } from './unidentified-errors.ts';

/** Bytes of a form that is read before anything is known of it. */
const SMALL_FORM = 64 * 1024;
const NOTHING = new Uint8Array();

/** A request on its way to its handler: what each step finds out, for those after it. */
export class Passage {
  readonly payload: RequestPayload;
  /** Path as it was signed, before a bucket's host is turned into a path. */
  readonly signedPath: string;
  /** Headers as they were sent, without those that a pre-signed URL carries. */
  readonly signedHeaders: HeaderValues;
  found!: Identification;
  manifest!: ServiceManifest;
  /** Limits of the service's bodies; of the likely service while a form has not been read. */
  bodies: BodyLimits | undefined = undefined;
  codec!: ServiceCodec;
  /** Undefined until the service is known. */
  protocol: ServerProtocol | undefined = undefined;
  /** Undefined where the model has no such operation. */
  matched: DecodedOperation | undefined = undefined;

  constructor(
    readonly exchange: Exchange,
    maxBodyBytes: number,
    turns: Turns,
  ) {
    this.payload = new RequestPayload(exchange.request, maxBodyBytes, turns);
    this.signedPath = exchange.wire.path;
    this.signedHeaders = exchange.wire.headers;
  }
}

/**
 * Something that is done about a request before its handler runs.
 * @returns a promise only where it has to wait: each costs turns of the queue, on every request
 * @throws AwsError what the request is refused with
 */
export type RequestStep = (passage: Passage) => Promise<void> | undefined;

/** What a request calls, as far as its head says. */
export interface PeekedCall {
  readonly service: LoadedService;
  readonly operation: string;
  /** Path as the model has it: with the bucket that the host names. */
  readonly resourcePath: string;
}

/** The steps of a request from its arrival to the kernel. */
export class RequestSteps {
  private readonly identifier: Identifier;
  private readonly callers: Callers;
  private authenticator: Promise<Authenticator> | undefined;
  private dialects: Promise<Dialects> | undefined;
  /** Large bodies are inflated and decoded one at a time. */
  readonly turns = new Turns();

  constructor(
    private readonly kernel: Kernel,
    private readonly options: ResolvedGatewayOptions,
    private readonly faults: InjectedFaults,
  ) {
    const { domain, region } = kernel.settings;
    this.identifier = new Identifier(new ServiceIndex(kernel.manifests), domain, region);
    this.callers = new Callers(kernel);
  }

  /**
   * In this order. The kernel goes on with validation, rates, the service's `prepare`, permissions, quotas of number and the
   * handler: what other services do for their callers counts towards quotas too, and inputs tell which of them.
   */
  readonly list: readonly RequestStep[] = [
    (passage) => this.readForm(passage),
    (passage) => this.identify(passage),
    (passage) => this.admit(passage),
    (passage) => this.loadService(passage),
    (passage) => this.inflateForm(passage),
    (passage) => this.match(passage),
    (passage) => this.refuseLink(passage),
    (passage) => this.refuseExpired(passage),
    (passage) => this.authenticate(passage),
    (passage) => this.refuseUnmatched(passage),
    (passage) => this.recordUse(passage),
    (passage) => this.strikeFault(passage),
    (passage) => this.decode(passage),
  ];

  /** See `Dispatcher.peek`. */
  async peek(wire: WireRequest): Promise<PeekedCall | undefined> {
    if (isForm(wire.headers)) return undefined;
    const found = this.identifier.identify(wire);
    if (!found.manifest) return undefined;
    const service = await this.kernel.service(found.manifest.name);
    const protocol = service.codec.protocolOf(wire) ?? service.codec.protocols[0]!;
    const resourcePath = pathOf(wire, found);
    const matched = protocol.match({ ...wire, path: resourcePath, headers: headersOf(wire, found) });
    return matched && { service, operation: matched.name, resourcePath };
  }

  /** Only a form can hide the operation, or the whole identity of the service, in the body. */
  private readForm(passage: Passage): Promise<void> | undefined {
    const { payload } = passage;
    const { wire } = passage.exchange;
    if (wire.method !== 'POST' || !isForm(wire.headers)) return undefined;
    // A large one is for a service that takes it, as far as that is known without it.
    if (!((payload.length ?? Number.POSITIVE_INFINITY) <= SMALL_FORM)) {
      const bodies = this.identifier.identify(wire).manifest?.bodies;
      passage.bodies = bodies;
      lower(payload, bodies && Math.max(bodies.bytes, ...Object.values(bodies.operations ?? {})));
    }
    const read = payload.readForm(wire);
    if (!payload.compressed || this.identifier.identify(wire).scope) return read;
    // Nothing but the form may tell for whom it is.
    return read.then(() => payload.inflate(wire));
  }

  private identify(passage: Passage): undefined {
    const { exchange } = passage;
    const found = this.identifier.identify(exchange.wire);
    const { manifest } = found;
    if (!manifest) throw unknownService(found, this.leftOutOf(exchange.wire));
    exchange.service = manifest.name;
    passage.found = found;
    passage.manifest = manifest;
    passage.bodies = manifest.bodies;
  }

  /** The service that a request is for, where this emulator was made without it. */
  private leftOutOf(wire: WireRequest): string | undefined {
    const { domain, region } = this.kernel.settings;
    return new Identifier(new ServiceIndex(this.options.leftOut), domain, region).identify(wire).manifest?.name;
  }

  /** Settles account, region and principal, and puts the resource that the host names in front of the path. */
  private admit({ exchange, found, manifest }: Passage): undefined {
    const { wire } = exchange;
    wire.path = pathOf(wire, found);
    wire.headers = headersOf(wire, found);
    exchange.region = found.region ?? this.kernel.settings.region;
    const { signatures } = manifest;
    const accessKeyId = found.scope ? found.scope.accessKeyId : signatures?.otherAccessKey?.(wire.headers, wire.query);
    const unsigned = accessKeyId === undefined && signatures?.anonymous && wire.headers.authorization === undefined;
    exchange.principal = unsigned ? this.callers.anonymous() : this.callers.principalOf(accessKeyId, exchange.region);
    exchange.accountId = exchange.principal.accountId;
  }

  private loadService(passage: Passage): Promise<void> | undefined {
    const { name } = passage.manifest;
    const loaded = this.kernel.loadedService(name);
    if (!loaded)
      return this.kernel.service(name).then(({ codec }) => {
        passage.codec = codec;
      });
    passage.codec = loaded.codec;
    return undefined;
  }

  /** Inflates a compressed form, which names its operation inside, for a service that takes any. */
  private inflateForm({ exchange: { wire }, payload, bodies, codec }: Passage): Promise<void> | undefined {
    if (payload.raw !== wire.body || !payload.compressed) return undefined;
    const takers = bodies?.gzip ? codec.model.operations : compressible(codec.model.operations);
    const names = Object.keys(takers);
    if (names.length === 0) return undefined;
    // Which of them it is for is known only when it is inflated.
    if (bodies) lower(payload, Math.max(...names.map((name) => bodies.operations?.[name] ?? bodies.bytes)));
    return payload.inflate(wire);
  }

  private match(passage: Passage): undefined {
    const { exchange, codec } = passage;
    const protocol = codec.protocolOf(exchange.wire) ?? codec.protocols[0]!;
    passage.protocol = protocol;
    exchange.protocol = protocol.protocol;
    const matched = protocol.match(exchange.wire);
    if (!matched) return;
    const { payload, bodies } = passage;
    // It was inflated only to see what it is for.
    if (payload.raw && payload.raw !== exchange.wire.body && !inflatedFor(passage, matched)) {
      exchange.wire.body = payload.raw;
      return;
    }
    passage.matched = matched;
    exchange.operation = matched.name;
    if (!bodies) return;
    lower(payload, bodies.operations?.[matched.name] ?? bodies.bytes);
    if (exchange.wire.body.length > payload.limit) throw new PayloadTooLarge(payload.limit);
  }

  /** Refuses what a link on a page could do; where signatures are checked, a request without one is refused anyway. */
  private refuseLink(passage: Passage): Promise<void> | undefined {
    const { protocol, matched } = passage;
    if (this.options.verifySigv4 || !matched || !isChangeByLink(passage.exchange.wire, protocol!, matched))
      return undefined;
    return this.dialectOf(passage).then((dialect) => {
      throw dialect.error({ kind: 'missing' });
    });
  }

  /** Refuses expired pre-signed URLs where signatures are not verified. */
  private refuseExpired(passage: Passage): Promise<void> | undefined {
    const { found, manifest } = passage;
    const { headers, query } = passage.exchange.wire;
    if (this.options.verifySigv4 || query === '' || !manifest.signatures?.presignedHeaders) return undefined;
    const presigned = found.scope
      ? found.scope.presigned
      : manifest.signatures.otherAccessKey?.(headers, query) !== undefined;
    return presigned ? this.checkExpiry(passage) : undefined;
  }

  private async checkExpiry(passage: Passage): Promise<void> {
    const { headers, query } = passage.exchange.wire;
    const { expiredUrl } = await import('../sigv4/expired-url.ts');
    const refusal = expiredUrl(headers, query, this.kernel, await this.dialectOf(passage));
    if (refusal) throw refusal;
  }

  /** Checks the signature, where signatures are checked, and receives the body, in the order that the signature asks for. */
  private authenticate(passage: Passage): Promise<void> | undefined {
    if (!this.options.verifySigv4) return receive(passage);
    this.authenticator ??= import('../sigv4/authenticator.ts').then(
      ({ Authenticator }) => new Authenticator(this.kernel, this.callers),
    );
    const { exchange, signedPath, signedHeaders, payload, manifest, matched } = passage;
    const protocol = passage.protocol!;
    return this.authenticator.then((authenticator) =>
      authenticator.authenticate({
        exchange,
        signedPath,
        signedHeaders,
        payload,
        manifest,
        protocol: protocol.protocol,
        unsignedAllowed: matched?.operation.auth === 'none',
        streams: matched && protocol.streams(matched.name),
        receive: () => receive(passage),
      }),
    );
  }

  private async dialectOf({ manifest, protocol }: Passage): Promise<Dialect> {
    this.dialects ??= import('../sigv4/dialects.ts').then(({ Dialects }) => new Dialects());
    return (await this.dialects).of(manifest, protocol!.protocol);
  }

  private refuseUnmatched({ matched, codec, protocol, exchange }: Passage): undefined {
    if (!matched) throw unmatched(codec, protocol!, exchange.wire);
  }

  /** Remembers what an access key was last used for; uses of keys that nobody registered are nobody's. */
  private recordUse({ exchange: { principal, region }, found, manifest }: Passage): undefined {
    const { accessKeyId } = principal;
    if (accessKeyId === undefined) return;
    const service = found.scope?.service ?? manifest.signingNames[0]!;
    this.kernel.credentials.recordUse(accessKeyId, { at: this.kernel.clock.now(), service, region });
  }

  private strikeFault({ exchange, payload }: Passage): Promise<void> | undefined {
    if (!this.faults.active) return undefined;
    // A fault may take its time.
    payload.endTurn();
    return this.faults.strike(exchange);
  }

  private decode(passage: Passage): Promise<void> | undefined {
    const { exchange, protocol } = passage;
    if (exchange.wire.body.length > LARGE_BODY) return decodeLarge(passage);
    exchange.input = protocol!.decode(exchange.operation, exchange.wire);
    passage.payload.endTurn();
    return undefined;
  }
}

/** Decodes a large body in its turn, unless it holds more values than memory should, and lets its bytes go. */
async function decodeLarge({ exchange, protocol, payload, bodies, codec, matched }: Passage): Promise<void> {
  await payload.takeTurn();
  const { operation, wire } = exchange;
  const json = isJson(protocol!) && !hasOwnPayload(codec, matched!.operation.input);
  if (json && (await isCrowded(wire.body))) {
    const own = bodies?.crowded?.(operation);
    throw own ? awsError(own.code, own.message, { status: own.status }) : tooManyValues();
  }
  exchange.input = protocol!.decode(operation, wire);
  // A form is looked at again where it is answered.
  if (json) wire.body = NOTHING;
  payload.raw = undefined;
  payload.endTurn();
}

const isJson = ({ protocol }: ServerProtocol): boolean =>
  protocol === 'awsJson1_0' || protocol === 'awsJson1_1' || protocol === 'restJson1';

/** Those of the operations that take compressed bodies. */
const compressible = (operations: Readonly<Record<string, OperationModel>>): Record<string, OperationModel> =>
  Object.fromEntries(Object.entries(operations).filter(([, operation]) => takesGzip(operation)));

const takesGzip = ({ requestCompression }: OperationModel): boolean => requestCompression?.includes(GZIP) === true;

/** Whether the body of a request or response is one member that the protocol leaves as it is: bytes or a text. */
export function hasOwnPayload({ model }: ServiceCodec, ref: OperationModel['input']): boolean {
  const shape = ref && model.shapes[ref.shape];
  const payload = shape?.payload === undefined ? undefined : shape.members?.[shape.payload];
  const type = payload && model.shapes[payload.shape]?.type;
  return type === 'blob' || type === 'string';
}

/** Whether a compressed body is inflated for an operation; elsewhere it is taken as it is, which is no input. */
const inflatedFor = ({ bodies }: Passage, { operation }: DecodedOperation): boolean =>
  bodies?.gzip === true || takesGzip(operation);

/** Lowers the limit of a body. */
function lower(payload: RequestPayload, limit: number | undefined): void {
  if (limit !== undefined && limit < payload.limit) payload.limit = limit;
}

/** Returns the path of a request as the model has it: with the resource of its host, and without what an endpoint is below. */
function pathOf({ path, headers }: WireRequest, { resource, scope, manifest }: Identification): string {
  if (resource !== undefined) return `/${encodeURIComponent(resource)}${path}`;
  return manifest?.operationPath?.(path, headers, scope?.service) ?? path;
}

/** Returns the headers of a request with those that a pre-signed URL carries: they can decide which operation it calls. */
const headersOf = ({ headers, query }: WireRequest, { manifest, scope }: Identification): HeaderValues =>
  (scope?.presigned && manifest?.signatures?.presignedHeaders?.(headers, query)) || headers;

/** Reads the body into the request, or hands it on as it arrives; nothing is read for an operation that is unknown. */
function receive(passage: Passage): Promise<void> | undefined {
  const { payload, protocol, matched } = passage;
  const { wire } = passage.exchange;
  if (!matched) return undefined;
  if (!protocol!.streams(matched.name))
    return payload.raw ? undefined : payload.read(wire, inflatedFor(passage, matched));
  const small = payload.readSmall(wire);
  if (small) return small;
  payload.stream(wire);
  return undefined;
}

/** What a request is told whose operation the model does not have. */
function unmatched(codec: ServiceCodec, protocol: ServerProtocol, wire: WireRequest): AwsError {
  const { buffer, byteOffset, byteLength } = wire.body;
  const form = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  return unknownOperation(codec, protocol, queryParameter(wire.query, 'Action') ?? queryParameter(form, 'Action'));
}
