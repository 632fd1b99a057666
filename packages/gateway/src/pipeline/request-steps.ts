import type { Kernel, LoadedService } from '@emu/core';
import {
  type AwsError,
  awsError,
  type DecodedOperation,
  type OperationModel,
  queryParameter,
  type ServerProtocol,
  type ServiceCodec,
  tooManyValues,
  type WireRequest,
} from '@emu/wire';
import { isChangeByLink } from '../access/links.ts';
import { isCrowded, LARGE_BODY } from '../body/json-weight.ts';
import { GZIP, type RequestPayload } from '../body/payload.ts';
import { Turns } from '../body/turns.ts';
import { headersOf, Identifier, isForm, pathOf } from '../identify/identify.ts';
import { ServiceIndex } from '../identify/services.ts';
import { unknownOperation, unknownService } from '../identify/unidentified-errors.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import { PayloadTooLarge } from '../request/gateway-request.ts';
import type { LocatedRequest } from '../request/visit.ts';
import type { Dialect, Dialects } from '../sigv4/dialects.ts';
import type { ApiRequest } from './api-request.ts';
import type { Authenticator } from './authenticator.ts';
import { Callers } from './callers.ts';
import type { InjectedFaults } from './injected-faults.ts';

/** Largest form, in bytes, that is read before identification. */
const SMALL_FORM = 64 * 1024;
const NOTHING = new Uint8Array();

/**
 * A step of a request before its handler runs.
 * @returns a promise only if it has to wait, because each costs turns of the microtask queue on every request
 * @throws AwsError the error of a refused request
 */
export type RequestStep = (request: ApiRequest) => Promise<void> | undefined;

/** The operation in the head of a request. */
export interface PeekedCall {
  readonly service: LoadedService;
  readonly operation: string;
  /** Path in the form of the model, with the resource of the host. */
  readonly resourcePath: string;
}

/** Runs the steps of a request from its arrival to the kernel. */
export class RequestSteps {
  private readonly identifier: Identifier;
  readonly callers: Callers;
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
   * The steps in order. The kernel continues with validation, rates, the service's `prepare`, permissions, quotas and
   * the handler. Quotas also count what services do for their callers, and depend on inputs.
   */
  readonly list: readonly RequestStep[] = [
    (request) => this.readForm(request),
    (request) => this.identify(request),
    (request) => this.admit(request),
    (request) => this.loadService(request),
    (request) => this.inflateForm(request),
    (request) => this.match(request),
    (request) => this.refuseLink(request),
    (request) => this.refuseExpired(request),
    (request) => this.authenticate(request),
    (request) => this.refuseUnmatched(request),
    (request) => this.recordUse(request),
    (request) => this.strikeFault(request),
    (request) => this.decode(request),
  ];

  /** See `Dispatcher.peek`. */
  async peek({ request, path, query }: LocatedRequest): Promise<PeekedCall | undefined> {
    const { method, headers } = request;
    if (isForm(headers)) return undefined;
    const wire: WireRequest = { method, path, query, headers, body: NOTHING };
    const found = this.identifier.identify(wire);
    if (!found.manifest) return undefined;
    const service = await this.kernel.service(found.manifest.name);
    const protocol = service.codec.protocolOf(wire) ?? service.codec.protocols[0]!;
    const resourcePath = pathOf(wire, found);
    const matched = protocol.match({ ...wire, path: resourcePath, headers: headersOf(wire, found) });
    return matched && { service, operation: matched.name, resourcePath };
  }

  /** Reads a form, the only body that can name the operation or the service. */
  private readForm(request: ApiRequest): Promise<void> | undefined {
    const { payload } = request;
    if (request.method !== 'POST' || !isForm(request.headers)) return undefined;
    // Large forms are limited by the service that the head suggests.
    if (!((payload.length ?? Number.POSITIVE_INFINITY) <= SMALL_FORM)) {
      const bodies = this.identifier.identify(request).manifest?.bodies;
      request.bodies = bodies;
      lower(payload, bodies && Math.max(bodies.bytes, ...Object.values(bodies.operations ?? {})));
    }
    const read = payload.readForm(request);
    if (!payload.compressed || this.identifier.identify(request).scope) return read;
    // Without a scope, only the form may name the service.
    return read.then(() => payload.inflate(request));
  }

  private identify(request: ApiRequest): undefined {
    const found = this.identifier.identify(request);
    const { manifest } = found;
    if (!manifest) throw unknownService(found, this.leftOutOf(request));
    request.service = manifest.name;
    request.found = found;
    request.manifest = manifest;
    request.bodies = manifest.bodies;
  }

  /** Returns the service of a request, if this emulator was created without it. */
  private leftOutOf(wire: WireRequest): string | undefined {
    const { domain, region } = this.kernel.settings;
    return new Identifier(new ServiceIndex(this.options.leftOut), domain, region).identify(wire).manifest?.name;
  }

  /** Sets account, region and principal, and puts the resource of the host in front of the path. */
  private admit(request: ApiRequest): undefined {
    const { found, manifest, query } = request;
    request.path = pathOf(request, found);
    request.headers = headersOf(request, found);
    request.region = found.region ?? this.kernel.settings.region;
    const { signatures } = manifest;
    const accessKeyId = found.scope ? found.scope.accessKeyId : signatures?.otherAccessKey?.(request.headers, query);
    const unsigned = accessKeyId === undefined && signatures?.anonymous && request.headers.authorization === undefined;
    request.principal = unsigned ? this.callers.anonymous() : this.callers.principalOf(accessKeyId, request.region);
    request.accountId = request.principal.accountId;
  }

  private loadService(request: ApiRequest): Promise<void> | undefined {
    const { name } = request.manifest;
    const loaded = this.kernel.loadedService(name);
    if (!loaded)
      return this.kernel.service(name).then(({ codec }) => {
        request.codec = codec;
      });
    request.codec = loaded.codec;
    return undefined;
  }

  /**
   * Inflates a compressed form, which contains the name of its operation, if the service has operations with compressed
   * input.
   */
  private inflateForm(request: ApiRequest): Promise<void> | undefined {
    const { payload, bodies, codec } = request;
    if (payload.raw !== request.body || !payload.compressed) return undefined;
    const takers = bodies?.gzip ? codec.model.operations : compressible(codec.model.operations);
    const names = Object.keys(takers);
    if (names.length === 0) return undefined;
    // The operation is unknown before inflation.
    if (bodies) lower(payload, Math.max(...names.map((name) => bodies.operations?.[name] ?? bodies.bytes)));
    return payload.inflate(request);
  }

  private match(request: ApiRequest): undefined {
    const { codec, payload, bodies } = request;
    const protocol = codec.protocolOf(request) ?? codec.protocols[0]!;
    request.serverProtocol = protocol;
    const matched = protocol.match(request);
    if (!matched) return;
    // It was inflated only to find the operation.
    if (payload.raw && payload.raw !== request.body && !inflatedFor(request, matched)) {
      request.body = payload.raw;
      return;
    }
    request.matched = matched;
    request.operation = matched.name;
    if (!bodies) return;
    lower(payload, bodies.operations?.[matched.name] ?? bodies.bytes);
    if (request.body.length > payload.limit) throw new PayloadTooLarge(payload.limit);
  }

  /**
   * Refuses changes that a link on a page could make. Where signatures are verified, unsigned requests are refused
   * anyway.
   */
  private refuseLink(request: ApiRequest): Promise<void> | undefined {
    const { serverProtocol, matched } = request;
    if (this.options.verifySigv4 || !matched || !isChangeByLink(request, serverProtocol!, matched)) return undefined;
    return this.dialectOf(request).then((dialect) => {
      throw dialect.error({ kind: 'missing' });
    });
  }

  /** Refuses expired pre-signed URLs where signatures are not verified. */
  private refuseExpired(request: ApiRequest): Promise<void> | undefined {
    const { found, manifest, headers, query } = request;
    if (this.options.verifySigv4 || query === '' || !manifest.signatures?.presignedHeaders) return undefined;
    const presigned = found.scope
      ? found.scope.presigned
      : manifest.signatures.otherAccessKey?.(headers, query) !== undefined;
    return presigned ? this.checkExpiry(request) : undefined;
  }

  private async checkExpiry(request: ApiRequest): Promise<void> {
    const { expiredUrl } = await import('../sigv4/expired-url.ts');
    const refusal = expiredUrl(request.headers, request.query, this.kernel, await this.dialectOf(request));
    if (refusal) throw refusal;
  }

  /**
   * Verifies the signature, where signatures are verified, and receives the body in the order that the signature
   * requires.
   */
  private authenticate(request: ApiRequest): Promise<void> | undefined {
    if (!this.options.verifySigv4) return receive(request);
    this.authenticator ??= import('./authenticator.ts').then(
      ({ Authenticator }) => new Authenticator(this.kernel, this.callers),
    );
    return this.authenticator.then((authenticator) => authenticator.authenticate(request, receive));
  }

  private async dialectOf({ manifest, serverProtocol }: ApiRequest): Promise<Dialect> {
    this.dialects ??= import('../sigv4/dialects.ts').then(({ Dialects }) => new Dialects());
    return (await this.dialects).of(manifest, serverProtocol!.protocol);
  }

  private refuseUnmatched(request: ApiRequest): undefined {
    if (!request.matched) throw unmatched(request);
  }

  /** Records the last use of an access key. Unregistered keys have no record. */
  private recordUse({ principal, region, found, manifest }: ApiRequest): undefined {
    const { accessKeyId } = principal;
    if (accessKeyId === undefined) return;
    const service = found.scope?.service ?? manifest.signingNames[0]!;
    this.kernel.credentials.recordUse(accessKeyId, { at: this.kernel.clock.now(), service, region });
  }

  private strikeFault(request: ApiRequest): Promise<void> | undefined {
    if (!this.faults.active) return undefined;
    // A fault may delay the request.
    request.payload.endTurn();
    return this.faults.strike(request);
  }

  private decode(request: ApiRequest): Promise<void> | undefined {
    if (request.body.length > LARGE_BODY) return decodeLarge(request);
    request.input = request.serverProtocol!.decode(request.operation, request);
    request.payload.endTurn();
    return undefined;
  }
}

/** Decodes a large body in its turn and releases its bytes. Rejects bodies whose values would need too much memory. */
async function decodeLarge(request: ApiRequest): Promise<void> {
  const { operation, payload, bodies, codec, matched } = request;
  await payload.takeTurn();
  const protocol = request.serverProtocol!;
  const json = isJson(protocol) && !hasOwnPayload(codec, matched!.operation.input);
  if (json && (await isCrowded(request.body))) {
    const own = bodies?.crowded?.(operation);
    throw own ? awsError(own.code, own.message, { status: own.status }) : tooManyValues();
  }
  request.input = protocol.decode(operation, request);
  // The response to a form depends on the form.
  if (json) request.body = NOTHING;
  payload.raw = undefined;
  payload.endTurn();
}

const isJson = ({ protocol }: ServerProtocol): boolean =>
  protocol === 'awsJson1_0' || protocol === 'awsJson1_1' || protocol === 'restJson1';

/** Returns the operations with compressed input. */
const compressible = (operations: Readonly<Record<string, OperationModel>>): Record<string, OperationModel> =>
  Object.fromEntries(Object.entries(operations).filter(([, operation]) => takesGzip(operation)));

const takesGzip = ({ requestCompression }: OperationModel): boolean => requestCompression?.includes(GZIP) === true;

/** Whether the body of a request or response is one member in raw form: bytes or a text. */
export function hasOwnPayload({ model }: ServiceCodec, ref: OperationModel['input']): boolean {
  const shape = ref && model.shapes[ref.shape];
  const payload = shape?.payload === undefined ? undefined : shape.members?.[shape.payload];
  const type = payload && model.shapes[payload.shape]?.type;
  return type === 'blob' || type === 'string';
}

/** Whether an operation takes a compressed body inflated; others take it as sent, which is invalid input. */
const inflatedFor = ({ bodies }: ApiRequest, { operation }: DecodedOperation): boolean =>
  bodies?.gzip === true || takesGzip(operation);

/** Lowers the limit of a body. */
function lower(payload: RequestPayload, limit: number | undefined): void {
  if (limit !== undefined && limit < payload.limit) payload.limit = limit;
}

/** Reads the body, or passes it on as a stream. For an unknown operation, nothing is read. */
function receive(request: ApiRequest): Promise<void> | undefined {
  const { payload, serverProtocol, matched } = request;
  if (!matched) return undefined;
  if (!serverProtocol!.streams(matched.name))
    return payload.raw ? undefined : payload.read(request, inflatedFor(request, matched));
  const small = payload.readSmall(request);
  if (small) return small;
  payload.stream(request);
  return undefined;
}

/** Returns the error of a request whose operation is not in the model. */
function unmatched({ codec, serverProtocol, query, body }: ApiRequest): AwsError {
  const form = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  return unknownOperation(codec, serverProtocol!, queryParameter(query, 'Action') ?? queryParameter(form, 'Action'));
}
