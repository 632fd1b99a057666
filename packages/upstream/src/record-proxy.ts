import type { EmulatorSettings, Logger, ServiceManifest } from '@emu/core/service';
import {
  Access,
  type Front,
  type GatewayRequest,
  type GatewayResponse,
  type Listener,
  PortServer,
  refuse,
  resolveOptions,
  visitOf,
} from '@emu/gateway/proxy';
import type { Masker, RecordingWriter } from '@emu/recording';
import type { AwsServices } from './aws-services.ts';
import { prepareBody, type SentBody } from './body.ts';
import { type CredentialProvider, IssuedCredentials } from './credentials.ts';
import type { EndpointChoice } from './endpoints.ts';
import { errorResponse, failureOf, readOnlyRefusal } from './failures.ts';
import { type Identity, identityIn, identityRequest } from './identity.ts';
import { MAX_RECORDED_BODY, MAX_WHOLE_RESPONSE } from './limits.ts';
import { bodyForClient } from './queue-urls.ts';
import { type Call, isReadOnly, Recogniser } from './recognition.ts';
import { type Answered, credentialsIn, recordOf } from './records.ts';
import type { IncomingResponse } from './sender.ts';
import { Tap } from './tap.ts';
import { type Exchange, Upstream } from './upstream.ts';

/** Options of a proxy that records. */
export interface RecordOptions {
  readonly manifests: readonly ServiceManifest[];
  readonly services: AwsServices;
  readonly settings: EmulatorSettings;
  readonly log: Logger;
  readonly credentials: CredentialProvider;
  readonly endpoints: EndpointChoice;
  /** Another server that receives all requests; AWS by default. */
  readonly url?: URL | undefined;
  /** Region of requests that name none. */
  readonly region: string;
  readonly masker: Masker;
  readonly writer: RecordingWriter;
  /** Whether requests that change something are refused. */
  readonly readOnly: boolean;
}

/** Passes requests on to AWS and writes each with its response to a recording. */
export class RecordProxy implements Front {
  readonly kernel: Front['kernel'];
  readonly options: Front['options'];
  private readonly access: Access;
  private readonly recogniser: Recogniser;
  private readonly upstream: Upstream;
  private readonly issued = new IssuedCredentials();
  private readonly writes = new Set<Promise<void>>();
  /** Responses whose bodies are being passed on. */
  private readonly open = new Set<Promise<void>>();
  private listener: Listener | undefined;
  private count = 0;

  constructor(private readonly record: RecordOptions) {
    const { settings, log, manifests, services, credentials, endpoints, url, region } = record;
    this.kernel = { settings, log };
    // A request lasts as long as AWS takes, e.g. for an upload of gigabytes.
    this.options = resolveOptions({ requestTimeout: 0, stallTimeout: 0 }, settings);
    this.access = new Access(settings, log, () => false);
    this.recogniser = new Recogniser(manifests, services, settings.domain, region);
    this.upstream = new Upstream({ services, credentials, issued: this.issued, endpoints, url });
  }

  /** Opens a port of the loopback interface. @returns its URL */
  async listen(): Promise<string> {
    this.listener = await new PortServer(this).listen({ host: '127.0.0.1', port: 0 });
    this.access.addPort(this.listener.port);
    return this.listener.url;
  }

  /** Waits for running requests and their records, and closes all connections. */
  async close(): Promise<void> {
    await this.listener?.close();
    this.upstream.close();
    while (this.open.size + this.writes.size > 0) await Promise.all([...this.open, ...this.writes]);
  }

  /** Number of requests that were passed on. */
  get requests(): number {
    return this.count;
  }

  /** See `Front.handle`. */
  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    const { path, query } = visitOf(request, false);
    let call: Call | undefined;
    try {
      const refusal = this.access.refusalOf(request);
      if (refusal !== undefined) return await refuse(request, path, query, refusal);
      const arrived = { at: new Date(), since: performance.now() };
      call = await this.recogniser.recognise(request);
      if (this.record.readOnly && !isReadOnly(call))
        return await errorResponse(call, request, readOnlyRefusal(call, '--read-only'));
      const n = ++this.count;
      const sent = await prepareBody(call, MAX_RECORDED_BODY);
      const exchange = await this.upstream.exchange(call, sent, request.signal());
      return await this.answer({ n, ...arrived }, call, sent, exchange);
    } catch (error) {
      return errorResponse(call, request, failureOf(error, this.record.log));
    }
  }

  /**
   * Returns the user whose credentials sign the requests. Its request is not recorded.
   * @throws NoCredentials, NoResponse, UnknownIdentity
   */
  async identity(): Promise<Identity> {
    const request = identityRequest(this.record.region);
    const call = await this.recogniser.recognise(request);
    const sent = await prepareBody(call, 0);
    const { response } = await this.upstream.exchange(call, sent, request.signal());
    const tap = new Tap(MAX_WHOLE_RESPONSE);
    for await (const bytes of response.body) tap.add(bytes);
    return identityIn({ call, status: response.status, body: tap.bytes });
  }

  private async answer(
    arrival: { n: number; at: Date; since: number },
    call: Call,
    sent: SentBody,
    { outgoing, response }: Exchange,
  ): Promise<GatewayResponse> {
    const streams = !call.modelled || streamsOutput(call, response);
    const tap = new Tap(streams ? MAX_RECORDED_BODY : MAX_WHOLE_RESPONSE);
    const answered: Answered = { ...arrival, call, sent, outgoing, response, received: tap };
    const { status, headers } = response;
    if (streams) return { status, headers, body: this.recorded(tap.copying(response.body), answered) };
    // Read as a whole, so that credentials are known before the client uses them.
    const source = response.body[Symbol.asyncIterator]();
    while (tap.length < MAX_WHOLE_RESPONSE) {
      const next = await source.next();
      if (next.done) {
        tap.end();
        this.issued.remember(credentialsIn(answered));
        this.write(answered);
        return whole(response, bodyForClient(call, outgoing, tap.bytes));
      }
      tap.add(next.value);
    }
    const rest = tap.copying({ [Symbol.asyncIterator]: () => source });
    return { status, headers, body: this.recorded(joined(tap.bytes, rest), answered) };
  }

  /** Passes a body on, and records the request at its end, also if the connection breaks. */
  private recorded(body: AsyncIterable<Uint8Array>, answered: Answered): AsyncIterable<Uint8Array> {
    const source = body[Symbol.asyncIterator]();
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    }).then(() => {
      this.open.delete(ended);
      this.write(answered);
    });
    this.open.add(ended);
    const iterator: AsyncIterator<Uint8Array, void> = {
      async next() {
        try {
          const next = await source.next();
          if (next.done) end();
          return next as IteratorResult<Uint8Array, void>;
        } catch (error) {
          end();
          throw error;
        }
      },
      async return() {
        end();
        await source.return?.();
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  /** Writes a record, after the response is sent. */
  private write(answered: Answered): void {
    const { masker, writer, log } = this.record;
    const milliseconds = Math.round((performance.now() - answered.since) * 10) / 10;
    const writing = new Promise<void>((resolve) => setImmediate(resolve))
      .then(async () => writer.write(await recordOf(answered, milliseconds, masker, this.issued)))
      .catch((error: unknown) => {
        log.error('a request could not be recorded', { service: answered.call.service, error });
      })
      .finally(() => this.writes.delete(writing));
    this.writes.add(writing);
  }
}

/** Returns a response with another body. */
function whole({ status, headers }: IncomingResponse, body: Uint8Array): GatewayResponse {
  // A response to HEAD has the length of another body.
  const known = headers['content-length'] !== undefined && body.length > 0;
  return { status, headers: known ? { ...headers, 'content-length': String(body.length) } : headers, body };
}

async function* joined(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* rest;
}

/** Whether the response of an operation is passed on as it arrives. */
function streamsOutput({ modelled }: Call, { status }: IncomingResponse): boolean {
  if (status >= 300) return false;
  const { codec, operation } = modelled!;
  const output = codec.model.operations[operation]!.output;
  const shape = output && codec.model.shapes[output.shape];
  return Object.values(shape?.members ?? {}).some(({ shape: name, streaming }) => {
    const member = codec.model.shapes[name]!;
    return member.eventstream === true || (member.type === 'blob' && (streaming === true || member.streaming === true));
  });
}
