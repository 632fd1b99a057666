import type { AwsError } from './errors.ts';
import type { ServiceModel, Shape } from './model.ts';
import type { CompileOptions } from './options.ts';

/** Wire form of an error, from its shape in the model and the properties set by the handler. */
export interface WireError {
  /** Name of the error: that of its shape, or the code itself without a shape. */
  name: string;
  /** Code in the query protocols: the shape's `error.code`, otherwise the name. */
  code: string;
  /** HTTP status. */
  status: number;
  /** Whether it is a service error (query `Type` is `Receiver`). */
  receiver: boolean;
  /** Shape of the error; undefined for unmodelled codes. */
  shape: Shape | undefined;
  /** Message; empty if AWS sends none. */
  message: string;
  /** Name of the shape's message member (`message` or `Message`); undefined without one. */
  messageMember: string | undefined;
  /** Name of the message in JSON if it is not `messageMember`, which is undefined then. */
  messageKey: string | undefined;
  /** Members of the error's shape besides the message. */
  members: Record<string, unknown>;
}

/** Statuses of common unmodelled errors. */
const COMMON_STATUS: Record<string, number> = {
  InternalFailure: 500,
  InternalError: 500,
  InternalServerError: 500,
  InternalServerErrorException: 500,
  ServiceUnavailable: 503,
  ServiceUnavailableException: 503,
  NotImplemented: 501,
};

/** Names of error shapes by query code, computed once per model. */
const namesByCode = new WeakMap<ServiceModel, Map<string, string>>();

function nameOfCode(model: ServiceModel, code: string): string | undefined {
  let names = namesByCode.get(model);
  if (!names) {
    names = new Map();
    for (const [name, shape] of Object.entries(model.shapes))
      if (shape.exception && shape.error?.code) names.set(shape.error.code, name);
    namesByCode.set(model, names);
  }
  return names.get(code);
}

/**
 * Finds an error's shape by name or query code, with all properties for protocols. The status is that of the handler,
 * otherwise of the shape, otherwise the usual one of the code, otherwise 500 for service errors and 400.
 */
export function wireErrorOf(model: ServiceModel, error: AwsError): WireError {
  const own = Object.hasOwn(model.shapes, error.code) ? model.shapes[error.code] : undefined;
  const name = own?.exception ? error.code : (nameOfCode(model, error.code) ?? error.code);
  const shape = Object.hasOwn(model.shapes, name) && model.shapes[name]!.exception ? model.shapes[name] : undefined;
  const common = Object.hasOwn(COMMON_STATUS, name) ? COMMON_STATUS[name] : undefined;
  const status = error.status ?? shape?.error?.httpStatusCode ?? common ?? (shape?.fault ? 500 : 400);
  const messageMember =
    error.messageKey === undefined
      ? Object.keys(shape?.members ?? {}).find((member) => member.toLowerCase() === 'message')
      : undefined;
  return {
    name,
    code: shape?.error?.code ?? error.code,
    status,
    receiver: shape?.error?.senderFault === undefined ? status >= 500 : !shape.error.senderFault,
    shape,
    message: error.message,
    messageMember,
    messageKey: error.messageKey,
    members: error.members ?? {},
  };
}

/** Returns the HTTP status of an error on the wire; see {@link wireErrorOf}. */
export const statusOf = (model: ServiceModel, error: AwsError): number => wireErrorOf(model, error).status;

/** Errors of AWS's framework before a service receives the request, with the namespaces shown in awsJson 1.0. */
const FRAMEWORK_NAMESPACE: Record<string, string> = {
  AccessDeniedException: 'com.amazon.coral.service',
  ExpiredTokenException: 'com.amazon.coral.service',
  IncompleteSignatureException: 'com.amazon.coral.service',
  InternalFailure: 'com.amazon.coral.service',
  InvalidSignatureException: 'com.amazon.coral.service',
  MissingAuthenticationTokenException: 'com.amazon.coral.service',
  SerializationException: 'com.amazon.coral.service',
  UnknownOperationException: 'com.amazon.coral.service',
  UnrecognizedClientException: 'com.amazon.coral.service',
  ValidationException: 'com.amazon.coral.validate',
};

/** Returns `<namespace>#<Name>`: the absolute shape id of an error. */
export function errorTypeOf(model: ServiceModel, wireError: WireError, options: CompileOptions): string {
  const framework =
    (wireError.shape === undefined || wireError.shape.synthetic) && Object.hasOwn(FRAMEWORK_NAMESPACE, wireError.name)
      ? FRAMEWORK_NAMESPACE[wireError.name]
      : undefined;
  return `${framework ?? options.namespace ?? `com.amazonaws.${model.service}`}#${wireError.name}`;
}

/** Returns the members of an error including its message, which is omitted if empty. */
export function errorBody(wireError: WireError): Record<string, unknown> {
  if (wireError.message === '') return wireError.members;
  // An unmodelled error has a lower-case message member.
  const member = wireError.messageMember ?? (wireError.shape ? undefined : 'message');
  return member === undefined ? wireError.members : { ...wireError.members, [member]: wireError.message };
}

/** Returns the headers with the error code for awsQuery clients of an awsQueryCompatible service. */
export function queryErrorHeader(model: ServiceModel, wireError: WireError): Record<string, string> {
  if (!model.metadata.queryCompatible) return {};
  return { 'x-amzn-query-error': `${wireError.code};${wireError.receiver ? 'Receiver' : 'Sender'}` };
}
