import type { DecodedInput, ServerProtocol, ServiceCodec, ValidationFailure } from './codec.ts';
import type { WireRequest } from './http.ts';
import { JsonInputs } from './json-input.ts';
import type { Protocol, ServiceModel } from './model.ts';
import type { CompileOptions } from './options.ts';
import { protocolFactories } from './protocols.ts';
import { prefersJson } from './query-json.ts';
import { Validators } from './validation.ts';

const JSON_RPC: readonly Protocol[] = ['awsJson1_0', 'awsJson1_1'];
const QUERY: readonly Protocol[] = ['awsQuery', 'ec2Query'];
/** `Action` as a parameter of a query string or form. */
const ACTION = /(?:^|&)Action=/;

/** Returns the media type of a request in lower case, without parameters. */
function mediaTypeOf(request: WireRequest): string {
  const header = request.headers['content-type'];
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return '';
  const end = value.indexOf(';');
  return (end < 0 ? value : value.slice(0, end)).trim().toLowerCase();
}

/** A service whose operations are compiled at their first use. */
class CompiledService implements ServiceCodec {
  readonly model: ServiceModel;
  readonly protocols: readonly ServerProtocol[];
  private readonly validators: Validators;
  private readonly jsonInputs: JsonInputs;

  constructor(model: ServiceModel, options: CompileOptions) {
    this.model = model;
    this.protocols = model.metadata.protocols.map((protocol) => protocolFactories[protocol](model, protocol, options));
    this.validators = new Validators(model);
    this.jsonInputs = new JsonInputs(model);
  }

  protocolOf(request: WireRequest): ServerProtocol | undefined {
    const { headers } = request;
    if (headers['smithy-protocol'] !== undefined)
      return headers['smithy-protocol'] === 'rpc-v2-cbor' ? this.speaks(['rpcv2Cbor']) : undefined;
    const media = mediaTypeOf(request);
    if (media === 'application/x-amz-cbor-1.1') {
      const cbor = this.speaks(['awsCbor1_1']);
      if (cbor) return cbor;
    }
    if (headers['x-amz-target'] !== undefined || media.startsWith('application/x-amz-json-')) {
      const json = this.speaks(JSON_RPC);
      if (json) return json;
    }
    if (ACTION.test(request.query) || media === 'application/x-www-form-urlencoded') {
      const query = this.speaks(QUERY);
      if (query) return prefersJson(headers.accept) ? (query.inJson ?? query) : query;
    }
    return this.protocols[0];
  }

  validate(operation: string, input: unknown): ValidationFailure[] {
    return this.validators.validate(operation, input);
  }

  inputFromJson(operation: string, json: unknown): DecodedInput {
    const decoded = this.jsonInputs.convert(operation, json);
    return decoded.failures.length ? decoded : { ...decoded, failures: this.validate(operation, decoded.input) };
  }

  private speaks(wanted: readonly Protocol[]): ServerProtocol | undefined {
    return this.protocols.find(({ protocol }) => wanted.includes(protocol));
  }
}

/**
 * Compiles a service's model into its protocols and its validation. Cheap, because operations are compiled at their
 * first use.
 * @param options wire format properties that the model lacks
 */
export function compileService(model: ServiceModel, options: CompileOptions = {}): ServiceCodec {
  return new CompiledService(model, options);
}
