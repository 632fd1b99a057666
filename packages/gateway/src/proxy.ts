// Parts of the gateway for programs that pass requests on to AWS: they recognise a request as the gateway does, and apply
// its rules of access.
export { Access } from './access/access.ts';
export { refuse } from './access/refusals.ts';
export { AwsChunkedDecoder, isAwsChunked, unframedHeaders } from './body/aws-chunked.ts';
export { collect } from './body/payload.ts';
export { type Front, type ListenAddress, type Listener, PortServer } from './http/listener.ts';
export { HostParser, hostNameOf } from './identify/hosts.ts';
export { headersOf, type Identification, Identifier, isForm, pathOf } from './identify/identify.ts';
export { ServiceIndex } from './identify/services.ts';
export { fallbackProtocol } from './identify/unidentified-errors.ts';
export { resolveOptions } from './options.ts';
export type { ForwardedRequest, Forwarder } from './pipeline/forwarder.ts';
export * from './request/gateway-request.ts';
export { type LocatedRequest, visitOf } from './request/visit.ts';
