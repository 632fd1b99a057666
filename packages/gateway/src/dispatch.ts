import { constants } from 'node:buffer';
import type { Kernel, LoadedService, ReplyFacts } from '@emu/core';
import { AwsError, type DecodedOperation, type ServerProtocol, type ServiceCodec, type WireRequest } from '@emu/wire';
import { isChangeByLink } from './access/links.ts';
import { Callers } from './callers.ts';
import type { Exchange } from './exchange.ts';
import { internalFailure, payloadTooLarge, protocolOfNobody, unknownOperation, unknownService } from './faults.ts';
import { type Identification, Identifier, isForm } from './identify.ts';
import { DroppedConnection, type InjectedFaults } from './injected-faults.ts';
import type { ResolvedGatewayOptions } from './options.ts';
import { RequestPayload } from './payload.ts';
import { queryParameter } from './query.ts';
import { ClientGone, type GatewayResponse, PayloadTooLarge } from './request.ts';
import { ServiceIndex } from './services.ts';
import type { Authenticator } from './sigv4/authenticator.ts';
import { accessKeyOfV2 } from './sigv4/signature-v2.ts';

/** Takes requests of AWS clients from identification to the encoded answer. */
export class Dispatcher {
  private readonly identifier: Identifier;
  private readonly callers: Callers;
  private authenticator: Promise<Authenticator> | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly options: ResolvedGatewayOptions,
    private readonly faults: InjectedFaults,
  ) {
    this.identifier = new Identifier(
      new ServiceIndex(kernel.manifests),
      kernel.settings.domain,
      kernel.settings.region,
    );
    this.callers = new Callers(kernel);
  }

  /** Answers a request; errors of any kind become responses. */
  dispatch(exchange: Exchange): Promise<GatewayResponse> {
    return this.kernel.observers.active ? this.observe(exchange) : this.answer(exchange);
  }

  /**
   * What a request calls, told by its head alone; nothing is run.
   * @returns undefined where a body may name something else, and where it calls nothing that emu has
   */
  async peek(wire: WireRequest): Promise<{ service: LoadedService; operation: string } | undefined> {
    if (isForm(wire.headers)) return undefined;
    const found = this.identifier.identify(wire);
    if (!found.manifest) return undefined;
    const service = await this.kernel.service(found.manifest.name);
    const protocol = service.codec.protocolOf(wire) ?? service.codec.protocols[0]!;
    const matched = protocol.match({ ...wire, path: pathOf(wire, found) });
    return matched && { service, operation: matched.name };
  }

  /** Answers a request and tells those of it who observe its service. */
  private async observe(exchange: Exchange): Promise<GatewayResponse> {
    const { kernel } = this;
    const receivedAt = kernel.clock.now();
    const started = performance.now();
    const response = await this.answer(exchange);
    if (response.drop || exchange.service === '' || !kernel.observers.watches(exchange.service)) return response;
    const { service, operation, requestId, cause, principal, accountId, region, input, http, request } = exchange;
    const waiting = kernel.observers.tell({
      service,
      operation,
      requestId,
      cause,
      principal,
      accountId,
      region,
      input,
      http,
      target: request.target,
      status: response.status,
      errorCode: exchange.errorCode,
      bytesSent: bytesOf(response),
      receivedAt,
      duration: performance.now() - started,
      via: undefined,
    });
    if (!waiting) return response;
    try {
      await waiting;
      return response;
    } catch (error) {
      return this.refuse(exchange, kernel.loadedService(service)?.codec.protocolOf(exchange.wire), error);
    }
  }

  private async answer(exchange: Exchange): Promise<GatewayResponse> {
    const { kernel } = this;
    const { wire } = exchange;
    let protocol: ServerProtocol | undefined;
    try {
      const payload = new RequestPayload(exchange.request, this.options.maxRequestBodyBytes);
      // Only a form can hide the operation, or the whole identity of the service, in the body.
      const form = wire.method === 'POST' && isForm(wire.headers);
      if (form) await payload.readForm(wire);
      const found = this.identifier.identify(wire);
      if (!found.manifest) throw unknownService(found);
      const { name } = found.manifest;
      exchange.service = name;
      const { path } = wire;
      this.admit(exchange, found);
      const { codec } = kernel.loadedService(name) ?? (await kernel.service(name));
      protocol = codec.protocolOf(wire) ?? codec.protocols[0]!;
      exchange.protocol = protocol.protocol;
      const matched = protocol.match(wire);
      if (matched) exchange.operation = matched.name;
      if (matched && isChangeByLink(wire, protocol, matched) && !this.options.verifySigv4)
        throw await missingToken(protocol, name);
      if (this.options.verifySigv4) await this.authenticate(exchange, path, payload, protocol, matched);
      else {
        const receiving = receive(payload, wire, protocol, matched);
        if (receiving) await receiving;
      }
      if (!matched) throw unmatched(codec, protocol, wire);
      this.recordUse(exchange, found);
      const operation = matched.name;
      if (this.faults.active) await this.faults.strike(exchange);
      exchange.input = protocol.decode(operation, wire);
      const running = kernel.invoke(exchange);
      const output = running instanceof Promise ? await running : running;
      const writing = kernel.settled(exchange);
      if (writing) await writing;
      const response = protocol.encode(operation, output, exchange.requestId);
      return exchange.reply ? amended(response, exchange.reply) : response;
    } catch (error) {
      if (error instanceof DroppedConnection) return { status: 0, headers: {}, body: '', drop: true };
      return this.refuse(exchange, protocol, error);
    }
  }

  /** Settles account, region and principal, and turns a virtual-hosted bucket into the path-style request it is. */
  private admit(exchange: Exchange, found: Identification): void {
    const { wire } = exchange;
    wire.path = pathOf(wire, found);
    exchange.region = found.region ?? this.kernel.settings.region;
    const older = found.scope || found.manifest?.name !== 's3' ? undefined : accessKeyOfV2(wire.headers, wire.query);
    exchange.principal = this.callers.principalOf(found.scope?.accessKeyId ?? older, exchange.region);
    exchange.accountId = exchange.principal.accountId;
  }

  /** Remembers what an access key was last used for; uses of keys that nobody registered are nobody's. */
  private recordUse({ principal, region }: Exchange, { manifest, scope }: Identification): void {
    const { accessKeyId } = principal;
    if (accessKeyId === undefined) return;
    const service = scope?.service ?? manifest!.signingNames[0]!;
    this.kernel.credentials.recordUse(accessKeyId, { at: this.kernel.clock.now(), service, region });
  }

  /** Checks the signature and receives the body, in the order that the signature asks for. */
  private async authenticate(
    exchange: Exchange,
    signedPath: string,
    payload: RequestPayload,
    protocol: ServerProtocol,
    matched: DecodedOperation | undefined,
  ): Promise<void> {
    this.authenticator ??= import('./sigv4/authenticator.ts').then(
      ({ Authenticator }) => new Authenticator(this.kernel),
    );
    const authenticator = await this.authenticator;
    await authenticator.authenticate({
      exchange,
      signedPath,
      payload,
      protocol: protocol.protocol,
      unsignedAllowed: matched?.operation.auth === 'none',
      streams: matched && protocol.streams(matched.name),
      receive: () => receive(payload, exchange.wire, protocol, matched),
    });
  }

  private refuse(exchange: Exchange, protocol: ServerProtocol | undefined, error: unknown): GatewayResponse {
    const { requestId, wire } = exchange;
    const writer = protocol ?? protocolOfNobody(wire.headers, queryParameter(wire.query, 'Action') !== undefined);
    const refusal = this.awsErrorOf(exchange, error);
    exchange.errorCode = refusal.code;
    const response = writer.encodeError(refusal, requestId, exchange.operation || undefined);
    return exchange.reply ? amended(response, { headers: exchange.reply.headers }) : response;
  }

  private awsErrorOf(exchange: Exchange, error: unknown): AwsError {
    if (error instanceof AwsError) return error;
    if (error instanceof PayloadTooLarge) return payloadTooLarge(error.limit);
    // A body within the limit may still be too long for a text.
    if ((error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG')
      return payloadTooLarge(constants.MAX_STRING_LENGTH);
    if (!(error instanceof ClientGone)) {
      const { requestId, service, operation } = exchange;
      this.kernel.log.error('a request failed unexpectedly', { requestId, service, operation, error });
    }
    return internalFailure(error);
  }
}

/** The path of a request as one without a bucket in its host would have it. */
const pathOf = ({ path }: WireRequest, { bucket }: Identification): string =>
  bucket === undefined ? path : `/${encodeURIComponent(bucket)}${path}`;

/** What a request is told that would have to be signed. */
async function missingToken({ protocol }: ServerProtocol, service: string): Promise<AwsError> {
  const { authError, authStyle } = await import('./sigv4/errors.ts');
  return authError({ kind: 'missing' }, authStyle(protocol, service));
}

/** Bytes of a response's body; undefined for a stream whose length nobody has said. */
function bytesOf({ body, headers }: GatewayResponse): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  const length = headers['content-length'] ?? headers['Content-Length'];
  return length === undefined ? undefined : Number(length);
}

/** The answer with what the handler had to add to it. */
function amended(response: GatewayResponse, { status, headers }: ReplyFacts): GatewayResponse {
  return { ...response, status: status ?? response.status, headers: { ...response.headers, ...headers } };
}

/** Reads the body into the request, or hands it on as it arrives; nothing is read for an operation that is unknown. */
function receive(
  payload: RequestPayload,
  wire: WireRequest,
  protocol: ServerProtocol,
  matched: DecodedOperation | undefined,
): Promise<void> | undefined {
  if (!matched) return undefined;
  if (!protocol.streams(matched.name)) return payload.raw ? undefined : payload.read(wire, matched.operation);
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
