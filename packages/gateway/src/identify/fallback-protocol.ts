import {
  compileService,
  type HeaderValues,
  headerOf,
  type Protocol,
  type ServerProtocol,
  type ServiceCodec,
  type ServiceModel,
} from '@emu/wire';

/** Model of a service without operations, whose protocols encode errors of requests for unknown services. */
const FALLBACK_MODEL: ServiceModel = {
  service: 'emu',
  source: { botocore: '', path: '' },
  metadata: {
    apiVersion: '',
    endpointPrefix: '',
    signingName: '',
    serviceId: 'emu',
    protocols: ['awsQuery', 'restJson1', 'awsJson1_0', 'awsJson1_1', 'awsCbor1_1', 'rpcv2Cbor'],
  },
  operations: {},
  shapes: {},
};
let fallback: ServiceCodec | undefined;

/**
 * Returns the protocol for errors of a request for an unknown service, by its headers; by default XML, which clients of
 * the query protocols and of restXml read.
 */
export function protocolOf(headers: HeaderValues, isQuery: boolean): ServerProtocol {
  const name = isQuery ? 'awsQuery' : protocolNameOf(headers);
  fallback ??= compileService(FALLBACK_MODEL);
  return fallback.protocols.find(({ protocol }) => protocol === name)!;
}

function protocolNameOf(headers: HeaderValues): Protocol {
  const type = headerOf(headers, 'content-type')?.toLowerCase() ?? '';
  if (headers['smithy-protocol'] !== undefined || type.startsWith('application/cbor')) return 'rpcv2Cbor';
  if (type.startsWith('application/x-amz-cbor-1.1')) return 'awsCbor1_1';
  if (type.startsWith('application/x-amz-json-1.0')) return 'awsJson1_0';
  if (headers['x-amz-target'] !== undefined || type.startsWith('application/x-amz-json')) return 'awsJson1_1';
  return type.startsWith('application/json') ? 'restJson1' : 'awsQuery';
}
