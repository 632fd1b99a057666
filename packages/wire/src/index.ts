/**
 * AWS wire protocols on the server's side, compiled from service models. A gateway processes a request as follows:
 *
 *     const codec = compileService(model);               // once; operations compile at their first use
 *     const protocol = codec.protocolOf(request);        // awsJson, awsQuery, restXml, …
 *     const operation = protocol?.match(request);        // which operation, if any
 *     const input = protocol.decode(operation.name, request);   // AwsError for an invalid body
 *     const failures = codec.validate(operation.name, input);   // → throw validationError(failures)
 *     protocol.encode(operation.name, output, requestId);       // or encodeError(error, requestId)
 *
 * This package is independent of services, state and time.
 */

export * from './codec.ts';
export { MAX_DEPTH } from './compile.ts';
export { refuseCrowded } from './crowded.ts';
export * from './errors.ts';
export {
  decodeEventMessage,
  type EventMessage,
  encodeEventHeaders,
  encodeEventMessage,
  readEventMessages,
} from './event-stream-message.ts';
export * from './http.ts';
export { asString, isObject, jsonOrText, optionalText, parseJson, textOf } from './json-values.ts';
export * from './model.ts';
export type { CompileOptions } from './options.ts';
export { unsupportedPatterns } from './pattern.ts';
export { prefersJson } from './query-json.ts';
export * from './query-parameters.ts';
export * from './requests.ts';
export * from './responses.ts';
export { s3RequestIds } from './rest-xml.ts';
export { compileService } from './service.ts';
export { validationError } from './validation.ts';
export { constraintText, violationText, withoutValue } from './validation-text.ts';
export * from './values.ts';
export { MAX_WEIGHT, tooManyValues } from './weight.ts';
export { statusOf } from './wire-errors.ts';
export { readXml, type XmlElement, XmlError } from './xml-reader.ts';
