import type { ServerProtocol } from './codec.ts';
import { lazy, shapeOf } from './compile.ts';
import type { AwsError } from './errors.ts';
import type { WireResponse } from './http.ts';
import { type JsonEncoder, JsonEncoders, quote } from './json-encode.ts';
import type { ServiceModel } from './model.ts';
import { queryErrorHeader, wireErrorOf } from './wire-errors.ts';

const CONTENT_TYPE = 'application/json';

/** Whether a client prefers JSON. @param accept the header */
export function prefersJson(accept: string | readonly string[] | undefined): boolean {
  const [first = ''] = (Array.isArray(accept) ? accept.join(',') : String(accept ?? '')).split(',');
  return first.split(';', 1)[0]!.trim().toLowerCase() === CONTENT_TYPE;
}

/** awsQuery with JSON responses: XML elements become members, missing values become null. */
export class JsonResponses implements ServerProtocol {
  readonly protocol;
  readonly match;
  readonly streams;
  readonly decode;
  private readonly encoders: JsonEncoders;
  private readonly compiled = new Map<string, () => JsonEncoder | undefined>();

  constructor(
    query: ServerProtocol,
    private readonly model: ServiceModel,
  ) {
    this.protocol = query.protocol;
    this.match = query.match.bind(query);
    this.streams = query.streams.bind(query);
    this.decode = query.decode.bind(query);
    this.encoders = new JsonEncoders(model, (name, { queryJsonName }) => queryJsonName ?? name, true);
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    const encode = this.encoderOf(operation);
    const wrapper = this.model.operations[operation]!.output?.resultWrapper ?? `${operation}Result`;
    const result = encode ? `${quote(wrapper)}:${encode(output ?? {})},` : '';
    const body = `{${quote(`${operation}Response`)}:{${result}"ResponseMetadata":{"RequestId":${quote(requestId)}}}}`;
    return { status: 200, headers: { 'x-amzn-RequestId': requestId, 'Content-Type': CONTENT_TYPE }, body };
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    const wireError = wireErrorOf(this.model, error);
    const Type = wireError.receiver ? 'Receiver' : 'Sender';
    return {
      status: wireError.status,
      headers: {
        'x-amzn-RequestId': requestId,
        ...queryErrorHeader(this.model, wireError),
        'Content-Type': CONTENT_TYPE,
        ...error.headers,
      },
      body: `{"Error":{"Code":${quote(wireError.code)},"Message":${quote(wireError.message)},"Type":"${Type}"},"RequestId":${quote(requestId)}}`,
    };
  }

  private encoderOf(operation: string): JsonEncoder | undefined {
    let compiled = this.compiled.get(operation);
    if (!compiled) {
      const { output } = this.model.operations[operation]!;
      compiled = lazy(() => {
        const shape = output && shapeOf(this.model, output.shape);
        return shape && this.encoders.structure(Object.entries(shape.members ?? {}));
      });
      this.compiled.set(operation, compiled);
    }
    return compiled();
  }
}
