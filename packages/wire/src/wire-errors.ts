import type { AwsError } from './errors.ts';
import type { ServiceModel, Shape } from './model.ts';
import type { CompileOptions } from './options.ts';

/** What a thrown error is on the wire, from its shape in the model and from what the handler set. */
export interface WireError {
  /** The error's name: that of its shape, or the code itself where the model has no such shape. */
  name: string;
  /** The code of the query protocols: the shape's `error.code`, else the name. */
  code: string;
  /** HTTP status. */
  status: number;
  /** Whether the service caused it (query `Type` is `Receiver`). */
  receiver: boolean;
  /** The error's shape, undefined for the codes that no model lists. */
  shape: Shape | undefined;
  /** The message; empty where AWS sends none. */
  message: string;
  /** Name of the shape's message member (`message` or `Message`), undefined where it has none. */
  messageMember: string | undefined;
  /** How JSON names the message where that is not `messageMember`, which is undefined then. */
  messageKey: string | undefined;
  /** Members of the error's shape besides the message. */
  members: Record<string, unknown>;
}

/** Statuses of the common errors that models do not list. */
const COMMON_STATUS: Record<string, number> = {
  InternalFailure: 500,
  InternalError: 500,
  InternalServerError: 500,
  InternalServerErrorException: 500,
  ServiceUnavailable: 503,
  ServiceUnavailableException: 503,
  NotImplemented: 501,
};

/** Names of the error shapes by their query code; made once per model. */
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
 * Finds an error's shape, by its name or by its query code, and everything the protocols need to write it.
 * The status is the one the handler gave, else the shape's, else the usual one of the code, else 500 for errors of the
 * service and 400.
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

/** HTTP status that an error has on the wire; see {@link wireErrorOf}. */
export const statusOf = (model: ServiceModel, error: AwsError): number => wireErrorOf(model, error).status;

/** Errors that AWS's framework raises before a service sees the request, with the namespaces awsJson 1.0 shows. */
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

/** `<namespace>#<Name>`: the absolute shape id of an error. */
export function errorTypeOf(model: ServiceModel, wireError: WireError, options: CompileOptions): string {
  const framework =
    (wireError.shape === undefined || wireError.shape.synthetic) && Object.hasOwn(FRAMEWORK_NAMESPACE, wireError.name)
      ? FRAMEWORK_NAMESPACE[wireError.name]
      : undefined;
  return `${framework ?? options.namespace ?? `com.amazonaws.${model.service}`}#${wireError.name}`;
}

/** The members of an error with its message among them; the message is left out where there is none. */
export function errorBody(wireError: WireError): Record<string, unknown> {
  if (wireError.message === '') return wireError.members;
  // An error that no model lists has its message in lower case.
  const member = wireError.messageMember ?? (wireError.shape ? undefined : 'message');
  return member === undefined ? wireError.members : { ...wireError.members, [member]: wireError.message };
}

/** Headers that tell awsQuery clients of an awsQueryCompatible service the error's code. */
export function queryErrorHeader(model: ServiceModel, wireError: WireError): Record<string, string> {
  if (!model.metadata.queryCompatible) return {};
  return { 'x-amzn-query-error': `${wireError.code};${wireError.receiver ? 'Receiver' : 'Sender'}` };
}
