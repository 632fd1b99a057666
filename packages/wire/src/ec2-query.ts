import type { ServerProtocol } from './codec.ts';
import type { Protocol, ServiceModel } from './model.ts';
import { type QueryDialect, QueryProtocol } from './query-protocol.ts';
import { declareNamespace, xmlElement } from './xml-text.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns EC2's namespace, which contains its API version. */
function namespaceOf({ metadata }: ServiceModel): string {
  return declareNamespace(
    metadata.xmlNamespace ?? { uri: `http://${metadata.endpointPrefix}.amazonaws.com/doc/${metadata.apiVersion}/` },
  );
}

const EC2_QUERY: QueryDialect = {
  member: (_model, name, { queryName, locationName }) => queryName ?? capitalised(locationName ?? name),
  element: () => undefined,

  output(model, name, _operation, members) {
    const head = `${DECLARATION}<${name}Response${namespaceOf(model)}>`;
    // Operations without an output return `true`.
    const content = members ?? (() => '<return>true</return>');
    return (value, requestId) => `${head}${xmlElement('requestId', requestId)}${content(value)}</${name}Response>`;
  },

  error(_model, wireError, members, requestId) {
    const error = xmlElement('Code', wireError.code) + xmlElement('Message', wireError.message) + members;
    const id = xmlElement('RequestID', requestId);
    return `${DECLARATION}<Response><Errors><Error>${error}</Error></Errors>${id}</Response>`;
  },
};

/**
 * Creates the protocol ec2Query of a service: as awsQuery, with capitalised names, lists without `member`, and its own
 * envelope.
 * @see https://smithy.io/2.0/aws/protocols/aws-ec2-query-protocol.html
 */
export function ec2QueryProtocol(model: ServiceModel, protocol: Protocol): ServerProtocol {
  return new QueryProtocol(model, protocol, EC2_QUERY);
}
