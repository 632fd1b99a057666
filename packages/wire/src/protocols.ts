import { awsCborProtocol, rpcV2CborProtocol } from './cbor.ts';
import type { ServerProtocol } from './codec.ts';
import { ec2QueryProtocol } from './ec2-query.ts';
import { awsJsonProtocol } from './json.ts';
import type { Protocol, ServiceModel } from './model.ts';
import type { CompileOptions } from './options.ts';
import { awsQueryProtocol } from './query.ts';
import { restJsonProtocol } from './rest-json.ts';
import { restXmlProtocol } from './rest-xml.ts';

/** Creates one protocol of one service. Cheap, because operations are compiled at their first use. */
export type ProtocolFactory = (model: ServiceModel, protocol: Protocol, options: CompileOptions) => ServerProtocol;

/** Supported protocols by Smithy name. */
export const protocolFactories: Record<Protocol, ProtocolFactory> = {
  awsCbor1_1: awsCborProtocol,
  awsJson1_0: awsJsonProtocol,
  awsJson1_1: awsJsonProtocol,
  awsQuery: awsQueryProtocol,
  ec2Query: ec2QueryProtocol,
  restJson1: restJsonProtocol,
  restXml: restXmlProtocol,
  rpcv2Cbor: rpcV2CborProtocol,
};
