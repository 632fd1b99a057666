/**
 * The compact service model: what `tools/model-gen` keeps of a botocore `service-2.json`, and the only description
 * of a service's wire format that emu uses. Names follow Smithy and botocore.
 */

/** A wire protocol as a service speaks it. */
export type Protocol =
  | 'awsCbor1_1'
  | 'awsJson1_0'
  | 'awsJson1_1'
  | 'awsQuery'
  | 'ec2Query'
  | 'restJson1'
  | 'restXml'
  | 'rpcv2Cbor';

export type TimestampFormat = 'iso8601' | 'rfc822' | 'unixTimestamp';

/** An XML namespace, with the prefix it is bound to where the model names one. */
export interface XmlNamespace {
  uri: string;
  prefix?: string;
}

/** Facts about the service as a whole. */
export interface ServiceMetadata {
  /** API version, e.g. `2012-11-05`; the `Version` parameter of the query protocols. */
  apiVersion: string;
  /** Host label of the service, e.g. `sqs` or `monitoring`. */
  endpointPrefix: string;
  /** Service name in SigV4 credential scopes. */
  signingName: string;
  /** SDK service id, e.g. `CloudWatch Logs`. */
  serviceId: string;
  /** Protocols spoken, most preferred first. */
  protocols: Protocol[];
  /** Prefix of `X-Amz-Target` and, for rpc-v2-cbor, the service name in the path. */
  targetPrefix?: string;
  xmlNamespace?: XmlNamespace;
  /** Errors also carry their awsQuery code in `x-amzn-query-error` (Smithy `awsQueryCompatible`). */
  queryCompatible?: true;
  globalEndpoint?: string;
  /** restXml: errors are not wrapped in an `ErrorResponse` (Smithy `restXml$noErrorWrapping`); only S3's. */
  noErrorWrapping?: true;
  /** restXml: times in documents always have milliseconds, as S3's do. */
  timestampMilliseconds?: true;
}

/** A use of a shape as an operation's input or output. */
export interface ShapeReference {
  shape: string;
  /** XML element name of the payload where it differs from the shape's name. */
  locationName?: string;
  xmlNamespace?: XmlNamespace;
  /** awsQuery: the element around the members of the result. */
  resultWrapper?: string;
  /** restXml: the only member of the output is the whole document (Smithy `s3UnwrappedXmlOutput`). */
  unwrapped?: true;
}

export interface OperationModel {
  http: {
    method: string;
    /** URI template such as `/{Bucket}/{Key+}?uploads`. */
    uri: string;
    /** Status of a success; 200 where absent. */
    code?: number;
    /** Other addresses of the operation, as newer clients use; what belongs to the query is in the body there, too. */
    also?: { method: string; uri: string }[];
  };
  input?: ShapeReference;
  output?: ShapeReference;
  /** Names of the error shapes this operation declares. */
  errors?: string[];
  /** Host prefix template such as `{AccountId}.`. */
  hostPrefix?: string;
  /** `none` for operations that are called unsigned. */
  auth?: 'none';
  /** Content encodings the client may compress the request with. */
  requestCompression?: string[];
  /** The request must carry `Content-MD5` or another checksum. */
  checksumRequired?: true;
  /** Smithy `httpChecksum`. */
  checksum?: {
    requestAlgorithmMember?: string;
    requestValidationModeMember?: string;
    responseAlgorithms?: string[];
    requestChecksumRequired?: true;
  };
  unsignedPayload?: true;
  readonly?: true;
  idempotent?: true;
  deprecated?: true;
}

export type ShapeType =
  | 'structure'
  | 'list'
  | 'map'
  | 'string'
  | 'integer'
  | 'long'
  | 'float'
  | 'double'
  | 'boolean'
  | 'timestamp'
  | 'blob';

/** A member of a structure, or the element of a list or map. */
export interface MemberModel {
  shape: string;
  /** Name on the wire (`locationName`): JSON key, XML element or attribute, header, query parameter, URI label. */
  locationName?: string;
  location?: 'header' | 'headers' | 'uri' | 'querystring' | 'statusCode';
  /** ec2Query name where it is not derived from `locationName`. */
  queryName?: string;
  /** awsQuery: name in an answer in JSON where it is not the member's own. */
  queryJsonName?: string;
  flattened?: true;
  xmlAttribute?: true;
  xmlNamespace?: XmlNamespace;
  streaming?: true;
  timestampFormat?: TimestampFormat;
  hostLabel?: true;
  idempotencyToken?: true;
  /** A header whose value is base64 JSON. */
  jsonvalue?: true;
  eventpayload?: true;
  eventheader?: true;
}

/** How an error shape appears on the wire. */
export interface ErrorTraits {
  /** awsQuery error code; the shape's name where absent. */
  code?: string;
  httpStatusCode?: number;
  /** Whether the client caused it (query `Type` is `Sender`). */
  senderFault?: boolean;
}

export interface Shape {
  type: ShapeType;
  members?: Record<string, MemberModel>;
  required?: string[];
  /** Member that is the whole HTTP body. */
  payload?: string;
  union?: true;
  document?: true;
  exception?: true;
  fault?: true;
  error?: ErrorTraits;
  retryable?: { throttling?: boolean };
  /** An event stream: a union whose members are events. */
  eventstream?: true;
  event?: true;
  streaming?: true;
  requiresLength?: true;
  /** Element of a list, values of a map. */
  member?: MemberModel;
  key?: MemberModel;
  value?: MemberModel;
  sparse?: true;
  flattened?: true;
  wrapper?: true;
  locationName?: string;
  xmlNamespace?: XmlNamespace;
  xmlOrder?: string[];
  timestampFormat?: TimestampFormat;
  enum?: string[];
  min?: number;
  max?: number;
  pattern?: string;
  sensitive?: true;
  box?: true;
  synthetic?: true;
}

/** A whole service, as committed in `model/<service>.json`. */
export interface ServiceModel {
  /** emu's name of the service, e.g. `sqs`. */
  service: string;
  /** What the model was generated from. */
  source: { botocore: string; path: string };
  metadata: ServiceMetadata;
  operations: Record<string, OperationModel>;
  shapes: Record<string, Shape>;
}
