/**
 * The compact service model, which `tools/model-gen` creates from a botocore `service-2.json`. It is emu's only
 * description of a service's wire format. Names follow Smithy and botocore.
 */

/** A wire protocol as a service uses it. */
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

/** An XML namespace, with its prefix if the model defines one. */
export interface XmlNamespace {
  uri: string;
  prefix?: string;
}

/** Properties of the service. */
export interface ServiceMetadata {
  /** API version, e.g. `2012-11-05`; the `Version` parameter of the query protocols. */
  apiVersion: string;
  /** Host label of the service, e.g. `sqs` or `monitoring`. */
  endpointPrefix: string;
  /** Service name in SigV4 credential scopes. */
  signingName: string;
  /** SDK service id, e.g. `CloudWatch Logs`. */
  serviceId: string;
  /** Supported protocols, the preferred one first. */
  protocols: Protocol[];
  /** Prefix of `X-Amz-Target` and, for rpc-v2-cbor, the service name in the path. */
  targetPrefix?: string;
  xmlNamespace?: XmlNamespace;
  /** Errors also contain their awsQuery code in `x-amzn-query-error` (Smithy `awsQueryCompatible`). */
  queryCompatible?: true;
  globalEndpoint?: string;
  /** restXml: errors are not wrapped in an `ErrorResponse` (Smithy `restXml$noErrorWrapping`); only S3's. */
  noErrorWrapping?: true;
  /** restXml: times in documents always have milliseconds, as in S3. */
  timestampMilliseconds?: true;
}

/** A use of a shape as an operation's input or output. */
export interface ShapeReference {
  shape: string;
  /** XML element name of the payload, if different from the shape's name. */
  locationName?: string;
  xmlNamespace?: XmlNamespace;
  /** awsQuery: element around the members of the result. */
  resultWrapper?: string;
  /** restXml: the only output member is the whole document (Smithy `s3UnwrappedXmlOutput`). */
  unwrapped?: true;
}

export interface OperationModel {
  http: {
    method: string;
    /** URI template such as `/{Bucket}/{Key+}?uploads`. */
    uri: string;
    /** Status of a success; 200 by default. */
    code?: number;
    /** Other URIs of the operation, used by newer clients. Their query members are in the body. */
    also?: { method: string; uri: string }[];
  };
  input?: ShapeReference;
  output?: ShapeReference;
  /** Names of the operation's error shapes. */
  errors?: string[];
  /** Host prefix template such as `{AccountId}.`. */
  hostPrefix?: string;
  /** `none` for unsigned operations. */
  auth?: 'none';
  /** Content encodings that clients may use for the request. */
  requestCompression?: string[];
  /** Whether the request requires `Content-MD5` or another checksum. */
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
  /** ec2Query name, if not derived from `locationName`. */
  queryName?: string;
  /** awsQuery: name in a JSON response, if different from the member's. */
  queryJsonName?: string;
  flattened?: true;
  xmlAttribute?: true;
  xmlNamespace?: XmlNamespace;
  streaming?: true;
  timestampFormat?: TimestampFormat;
  hostLabel?: true;
  idempotencyToken?: true;
  /** A header with base64 JSON. */
  jsonvalue?: true;
  eventpayload?: true;
  eventheader?: true;
}

/** Error shape on the wire. */
export interface ErrorTraits {
  /** awsQuery error code; by default the shape's name. */
  code?: string;
  httpStatusCode?: number;
  /** Whether it is a client error (query `Type` is `Sender`). */
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
  /** Source of the model. */
  source: { botocore: string; path: string };
  metadata: ServiceMetadata;
  operations: Record<string, OperationModel>;
  shapes: Record<string, Shape>;
}
