import type { ServerProtocol } from './codec.ts';
import type { Protocol, ServiceModel } from './model.ts';
import { type QueryDialect, QueryProtocol } from './query-protocol.ts';
import { memberElement } from './xml-encode.ts';
import { declareNamespace, xmlElement } from './xml-text.ts';

/** `xmlns` in responses of the service. */
const namespaceOf = (model: ServiceModel): string => declareNamespace(model.metadata.xmlNamespace);

/**
 * Whether the service keeps the query protocol for old clients, and its error names for all clients. SQS does; its
 * responses keep the declaration and the empty `Detail` of its former frontend.
 */
const isLegacy = ({ metadata }: ServiceModel): boolean =>
  metadata.queryCompatible === true && metadata.protocols[0]!.startsWith('awsJson');

const AWS_QUERY: QueryDialect = {
  json: true,
  member: memberElement,
  // Recorded: SQS accepts `MessageAttributes.1.Name` as well as its model's `MessageAttribute.1.Name`.
  alias: (model, name, { shape }) =>
    isLegacy(model) && ['list', 'map'].includes(model.shapes[shape]?.type ?? '') ? name : undefined,
  element: (list, member) => (member.flattened || list.flattened ? undefined : (list.member!.locationName ?? 'member')),

  output(model, name, { output }, members) {
    const head = `${isLegacy(model) ? '<?xml version="1.0"?>' : ''}<${name}Response${namespaceOf(model)}>`;
    const tail = (requestId: string): string =>
      `<ResponseMetadata>${xmlElement('RequestId', requestId)}</ResponseMetadata></${name}Response>`;
    if (!members) return (_output, requestId) => head + tail(requestId);
    const wrapper = output?.resultWrapper ?? `${name}Result`;
    return (value, requestId) => {
      const content = members(value);
      const result = content === '' ? `<${wrapper}/>` : `<${wrapper}>${content}</${wrapper}>`;
      return head + result + tail(requestId);
    };
  },

  error(model, wireError, members, requestId) {
    const legacy = isLegacy(model);
    const message = wireError.message === '' ? '' : xmlElement('Message', wireError.message);
    return [
      `${legacy ? '<?xml version="1.0"?>' : ''}<ErrorResponse${namespaceOf(model)}>`,
      `<Error><Type>${wireError.receiver ? 'Receiver' : 'Sender'}</Type>${xmlElement('Code', wireError.code)}${message}`,
      `${legacy ? '<Detail/>' : ''}${members}</Error>${xmlElement('RequestId', requestId)}</ErrorResponse>`,
    ].join('');
  },
};

/**
 * Creates the protocol awsQuery of a service: a form with `Action`, and responses in `<ActionResponse>`.
 * @see https://smithy.io/2.0/aws/protocols/aws-query-protocol.html
 */
export function awsQueryProtocol(model: ServiceModel, protocol: Protocol): ServerProtocol {
  return new QueryProtocol(model, protocol, AWS_QUERY);
}
