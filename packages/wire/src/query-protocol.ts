import { bufferOf } from './bytes.ts';
import type { DecodedOperation, ServerProtocol } from './codec.ts';
import { lazy, shapeOf } from './compile.ts';
import type { AwsError } from './errors.ts';
import type { WireRequest, WireResponse } from './http.ts';
import type { OperationModel, Protocol, ServiceModel } from './model.ts';
import { type FormDecoder, FormDecoders, type FormNames } from './query-decode.ts';
import { formValue, readForm } from './query-form.ts';
import { JsonResponses } from './query-json.ts';
import { queryErrorHeader, type WireError, wireErrorOf } from './wire-errors.ts';
import { type XmlEncoder, XmlEncoders } from './xml-encode.ts';

const CONTENT_TYPE = 'text/xml;charset=UTF-8';
const FORM = 'application/x-www-form-urlencoded';

/** Response format of a query protocol. */
export interface QueryDialect extends FormNames {
  /** Whether JSON responses are supported for clients that accept only JSON. */
  readonly json?: boolean;
  /**
   * Compiles the response of an operation.
   * @param members encoder of the output members; undefined for an operation without an output in its model
   */
  output(
    model: ServiceModel,
    name: string,
    operation: OperationModel,
    members: XmlEncoder | undefined,
  ): (output: unknown, requestId: string) => string;
  /**
   * Encodes an error.
   * @param members of the error's shape besides the message, as XML
   */
  error(model: ServiceModel, wireError: WireError, members: string, requestId: string): string;
}

/** One operation of a query service. */
interface QueryOperation {
  decode: FormDecoder;
  encode(output: unknown, requestId: string): string;
}

/** Returns the form in a request's body; empty for another body. */
function bodyOf({ method, headers, body }: WireRequest): string {
  if (body.length === 0 || method === 'GET') return '';
  const type = headers['content-type'];
  // Clients that omit the content type, or send one other than JSON, still send a form.
  if (typeof type === 'string' && !type.toLowerCase().startsWith(FORM) && type.includes('json')) return '';
  return bufferOf(body).toString('utf8');
}

/**
 * Query protocols: a form with an `Action` and an XML response, or in awsQuery a JSON response for clients that accept
 * nothing else. awsQuery and ec2Query differ in names and envelopes.
 */
export class QueryProtocol implements ServerProtocol {
  readonly protocol: Protocol;
  private readonly model: ServiceModel;
  private readonly dialect: QueryDialect;
  private readonly decoders: FormDecoders;
  private readonly encoders: XmlEncoders;
  private readonly compiled = new Map<string, QueryOperation>();
  private readonly errors = new Map<string, XmlEncoder>();
  private jsonAnswers: JsonResponses | undefined;

  constructor(model: ServiceModel, protocol: Protocol, dialect: QueryDialect) {
    this.model = model;
    this.protocol = protocol;
    this.dialect = dialect;
    this.decoders = new FormDecoders(model, dialect);
    this.encoders = new XmlEncoders(model);
  }

  get inJson(): ServerProtocol | undefined {
    if (!this.dialect.json) return undefined;
    this.jsonAnswers ??= new JsonResponses(this, this.model);
    return this.jsonAnswers;
  }

  match(request: WireRequest): DecodedOperation | undefined {
    const name = formValue(request.query, 'Action') ?? formValue(bodyOf(request), 'Action');
    if (name === undefined || !Object.hasOwn(this.model.operations, name)) return undefined;
    return { name, operation: this.model.operations[name]! };
  }

  streams(): boolean {
    return false;
  }

  decode(operation: string, request: WireRequest): unknown {
    return this.operation(operation).decode(readForm(request.query, bodyOf(request)));
  }

  encode(operation: string, output: unknown, requestId: string): WireResponse {
    return {
      status: 200,
      headers: { 'x-amzn-RequestId': requestId, 'Content-Type': CONTENT_TYPE },
      body: this.operation(operation).encode(output ?? {}, requestId),
    };
  }

  encodeError(error: AwsError, requestId: string): WireResponse {
    const wireError = wireErrorOf(this.model, error);
    return {
      status: wireError.status,
      headers: {
        'x-amzn-RequestId': requestId,
        ...queryErrorHeader(this.model, wireError),
        'Content-Type': CONTENT_TYPE,
        ...error.headers,
      },
      body: this.dialect.error(this.model, wireError, this.errorMembers(wireError), requestId),
    };
  }

  private errorMembers(wireError: WireError): string {
    if (!wireError.shape) return '';
    let encode = this.errors.get(wireError.name);
    if (!encode) {
      const members = Object.entries(wireError.shape.members ?? {}).filter(
        ([name]) => name !== wireError.messageMember,
      );
      encode = this.encoders.members(members);
      this.errors.set(wireError.name, encode);
    }
    return encode(wireError.members);
  }

  private operation(name: string): QueryOperation {
    let compiled = this.compiled.get(name);
    if (!compiled) {
      compiled = this.compile(name, this.model.operations[name]!);
      this.compiled.set(name, compiled);
    }
    return compiled;
  }

  private compile(name: string, operation: OperationModel): QueryOperation {
    const { input, output } = operation;
    const decode = lazy((): FormDecoder => (input ? this.decoders.of({ shape: input.shape }) : () => ({})));
    const encode = lazy(() => {
      const shape = output && shapeOf(this.model, output.shape);
      const members = shape && this.encoders.members(Object.entries(shape.members ?? {}));
      return this.dialect.output(this.model, name, operation, members);
    });
    return {
      decode: (form) => decode()(form),
      encode: (value, requestId) => encode()(value, requestId),
    };
  }
}
