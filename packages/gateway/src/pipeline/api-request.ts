import type { Invocation, Kernel } from '@emu/core';
import type { BodyLimits, HttpDetails, Principal, ReplyDetails, ServiceManifest } from '@emu/core/service';
import type { DecodedOperation, HeaderValues, ServerProtocol, ServiceCodec, WireRequest } from '@emu/wire';
import { RequestPayload } from '../body/payload.ts';
import type { Turns } from '../body/turns.ts';
import type { Identification } from '../identify/identify.ts';
import { endpointOf } from '../request/endpoint.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import type { LocatedRequest } from '../request/visit.ts';

const NO_BODY = new Uint8Array(0);

/**
 * A request of a service's API. Protocols decode it, the kernel runs it, and handlers read its HTTP details, without a
 * copy. Each step of the pipeline sets members for the following steps.
 */
export class ApiRequest implements WireRequest, Invocation, HttpDetails {
  /** The received request. Its headers and `signedPath` are those that were signed. */
  readonly received: GatewayRequest;
  readonly signedPath: string;
  readonly requestId: string;
  readonly authorize = true;
  readonly payload: RequestPayload;

  readonly method: string;
  /** As sent; in the form of the model, with the resource of the host, once the service is known. */
  path: string;
  readonly query: string;
  /** As sent; with those in the query of a pre-signed URL once the service is known. */
  headers: HeaderValues;
  body: Uint8Array = NO_BODY;
  stream?: AsyncIterable<Uint8Array>;

  found!: Identification;
  manifest!: ServiceManifest;
  service = '';
  /** Limits of the service's bodies; before a form has been read, those of the likely service. */
  bodies: BodyLimits | undefined;
  region = '';
  principal!: Principal;
  accountId = '';
  codec!: ServiceCodec;
  /** Undefined until the service is known. */
  serverProtocol: ServerProtocol | undefined;
  /** Undefined for an operation that is not in the model. */
  matched: DecodedOperation | undefined;
  operation = '';
  input: unknown;

  reply: ReplyDetails | undefined;
  changes: Invocation['changes'];
  /** The handler's output. */
  output: unknown;
  /** Code of the error in the response. */
  errorCode: string | undefined;
  errorMessage: string | undefined;

  /**
   * @param maxBodyBytes most bytes of a buffered body
   * @param turns in which large bodies are inflated and decoded
   */
  constructor(
    private readonly kernel: Kernel,
    { request, path, query }: LocatedRequest,
    maxBodyBytes: number,
    turns: Turns,
  ) {
    this.received = request;
    this.signedPath = path;
    this.method = request.method;
    this.path = path;
    this.query = query;
    this.headers = request.headers;
    this.requestId = kernel.ids.uuid();
    this.payload = new RequestPayload(request, maxBodyBytes, turns);
  }

  /** Name of the protocol; empty until the service is known. */
  get protocol(): string {
    return this.serverProtocol?.protocol ?? '';
  }

  get http(): HttpDetails {
    return this;
  }

  get remoteAddress(): string | undefined {
    return this.received.remoteAddress;
  }

  get secure(): boolean {
    return this.received.secure;
  }

  get tlsVersion(): string | undefined {
    return this.received.tlsVersion;
  }

  get cause(): string | undefined {
    return this.kernel.credentials.causeOf(this.principal.accessKeyId) ?? this.received.program?.cause();
  }

  get endpoint(): string {
    return endpointOf(this.received, this.kernel.settings);
  }

  signal(): AbortSignal {
    return this.received.signal();
  }
}
