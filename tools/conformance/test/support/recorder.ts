import { type EmbeddedEmulator, SERVICES } from '@emu/emulator';
import { type ApiRecord, type RecordedLine, toJson } from '@emu/recording';
import { compileService, headerOf, responseDecoder, type ServiceCodec, WholeBody } from '@emu/wire';
import { type Handle, type SdkRequest, withHandler } from '../../src/sdk.ts';

type Handled = Awaited<ReturnType<Handle>>;

const codecs = new Map<string, Promise<ServiceCodec>>();

function codecOf(name: string): Promise<ServiceCodec> {
  const manifest = SERVICES.find((candidate) => candidate.name === name)!;
  const codec = codecs.get(name) ?? manifest.load().then(({ model }) => compileService(model));
  codecs.set(name, codec);
  return codec;
}

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const queryOf = (query: SdkRequest['query'] = {}): string =>
  Object.entries(query)
    .flatMap(([name, value]) =>
      value === null
        ? [encodeURIComponent(name)]
        : [value].flat().map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(item)}`),
    )
    .join('&');

/** Records the requests of SDK clients to an emulator. */
export class Recorder {
  readonly lines: RecordedLine[] = [];

  constructor(private readonly emulator: EmbeddedEmulator) {}

  /** Returns the emulator for clients whose requests are recorded. */
  recorded(): EmbeddedEmulator {
    return withHandler(this.emulator, (handler) => (request, handling) => this.handle(handler, request, handling));
  }

  private async handle(
    handler: { handle: Handle },
    request: SdkRequest,
    handling: Parameters<Handle>[1],
  ): Promise<Handled> {
    const started = this.emulator.clock.now();
    const body = await bytesOf(request.body);
    const handled = await handler.handle({ ...request, body }, handling);
    const answer = await bytesOf(handled.response.body);
    const record = await this.record(request, body, handled, answer, started);
    if (record)
      this.lines.push({ line: this.lines.length + 2, record: JSON.parse(JSON.stringify(record)) as ApiRecord });
    const { Readable } = await import('node:stream');
    return { response: { ...handled.response, body: Readable.from([answer]) } };
  }

  private async record(
    request: SdkRequest,
    body: Buffer,
    { response }: Handled,
    answer: Buffer,
    started: number,
  ): Promise<ApiRecord | undefined> {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const [, keyId, , region = 'us-east-1', signing] =
      /Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\//.exec(headers.authorization ?? '') ?? [];
    const { method, path, hostname } = request;
    const bucket = signing?.startsWith('s3') && hostname.endsWith('.localhost') ? `/${hostname.slice(0, -10)}` : '';
    const query = queryOf(request.query);
    for (const manifest of [...SERVICES].sort((a, b) => Number(!a.requiredHeaders) - Number(!b.requiredHeaders))) {
      const local = manifest.name === 's3' ? `${bucket}${path}` : path;
      const received = { method, path: local, query, headers, body, stream: new WholeBody(body) };
      if (signing !== undefined && !manifest.signingNames.includes(signing)) continue;
      if (manifest.requiredHeaders?.every((name) => headerOf(headers, name) === undefined)) continue;
      const codec = await codecOf(manifest.name);
      const protocol = codec.protocolOf(received);
      const operation = protocol?.match(received)?.name;
      if (!protocol || operation === undefined) continue;
      const decoder = responseDecoder(codec, protocol.protocol);
      const streamed = decoder.streamed(operation);
      const status = response.statusCode;
      const got = { status, headers: response.headers, body: answer };
      const input = protocol.decode(operation, received) as Record<string, unknown>;
      for (const [name, value] of Object.entries(input)) if (value instanceof WholeBody) input[name] = value.bytes;
      const common = {
        n: this.lines.length + 1,
        startedAt: new Date(started).toISOString(),
        milliseconds: this.emulator.clock.now() - started,
        service: manifest.name,
        region,
        ...(keyId === undefined ? { signer: 'anonymous' } : keyId !== 'test' && { signer: keyId }),
        operation,
        input: toJson(input) as ApiRecord['input'],
        status,
        headers: {},
      };
      if (status >= 300) {
        const { code, message, members } = decoder.decodeError(operation, got);
        return { ...common, error: { code, message, members: toJson(members) as ApiRecord['input'] } };
      }
      const output = decoder.decode(operation, streamed ? { ...got, body: new Uint8Array() } : got);
      if (streamed) output[streamed.member] = streamed.events ? [] : new Uint8Array(answer);
      return {
        ...common,
        ...(streamed?.events && { cut: true as const }),
        output: toJson(output) as ApiRecord['input'],
      };
    }
    return undefined;
  }
}
