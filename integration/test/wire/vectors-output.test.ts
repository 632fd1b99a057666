import {
  awsError,
  compileService,
  responseDecoder,
  type ServerProtocol,
  type ServiceModel,
  type WireResponse,
} from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { readCbor } from '../../../packages/wire/src/cbor-reader.ts';
import { type XmlTree, xmlTree } from '../../../packages/wire/test/support/xml.ts';
import { type Case, handlerValue, type OutputVector, outputCases, vectorFiles, vectorsPresent } from './vectors.ts';

type Vector = Case<OutputVector>;

/** Vectors that equal a server's output only through a client's leniency, with the reason. */
const CLIENT_ONLY: Record<string, string> = {
  ...left(/DateTimeWith(Negative|Positive)Offset$/, 'servers write UTC'),
  ...left(/UnexpectedJsonOutput$|unexpected_json_output$/, 'the body has members that no shape has'),
  ...left(/^AwsJson.*FooErrorUsing/, 'awsJson servers name the error in __type'),
  ...left(/^RestJsonFooError(UsingCode|WithDunderType)/, 'restJson servers name the error in a header'),
  ...left(/^AwsJson11IntEnums$/, 'the response has the headers of a request'),
  ...left(/DeserializeIgnoreType$/, 'the body has a __type that no shape has'),
  ...left(/DeserializeAllowNulls$|DontDeserializeNullValues$/, 'servers leave nulls out'),
  ...left(/DenseSetMapAndSkipsNull$|(Doesnt|DoesntDe)serializeNullStructureValues$/, 'servers leave nulls out'),
  ...left(/^QueryCompatible.*[^o]CustomCodeError$/, 'the status is not the one of the model'),
  ...left(/^NoOutputClientAllowsEmpty(Cbor|Body)$/, 'servers send neither a body nor its type'),
  ...left(/ExtraFieldsInTheBodyShouldBeSkippedByClients$/, 'the body has members that no shape has'),
  ...left(/^Ec2ComplexError$/, 'the response has a message that the error was not given'),
  ...left(/^(Ec2|Query)XmlNamespaces$/, 'the response lacks a namespace that the model has'),
  ...left(
    /^Query(EmptyInputAndEmptyOutput|NoInputAndNoOutput|NoInputAndOutput)$/,
    'query servers always send a document',
  ),
  ...left(/^(InvalidGreetingError|ComplexError)$/, 'the response has members that the error was not given'),
  ...left(
    /^(RestXml)?HttpPayloadWith(Union|XmlName|XmlNamespace|XmlNamespaceAndPrefix)$/,
    'botocore names the root element after the member, Smithy after its shape',
  ),
  ...left(/^RestXmlHttpResponseCode$/, 'servers send no type without a body'),
  ...left(/^IgnoreQueryParamsInResponse$/, 'the body has members that the output has in no body'),
  ...left(/^RpcV2CborPayloadWithUnsetUnion$/, 'the body has members that no shape has'),
};

/** Vectors with matching names in any file, with one reason. */
function left(name: RegExp, reason: string): Record<string, string> {
  const cases = vectorFiles.flatMap((file) => outputCases(file).map((one) => `${file}/${one.name}`));
  return Object.fromEntries(
    cases.filter((key) => name.test(key.slice(key.indexOf('/') + 1))).map((key) => [key, reason]),
  );
}

/** Parses `ns#Name:uri` as SDKs do. */
const errorName = (type: string): string => type.replace(/^.*#/, '').replace(/:.*$/, '');

/** Returns a content type without its parameters. */
const mediaType = (type: string | string[] | undefined): string => String(type).split(';', 1)[0]!.toLowerCase();

const isText = (value: unknown): value is string => typeof value === 'string';

async function bytesOf(body: WireResponse['body']): Promise<Buffer> {
  if (isText(body) || body instanceof Uint8Array) return Buffer.from(body as Uint8Array);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns a body in comparable form: parsed if it is a document, otherwise its text. */
function documentOf({ model }: Vector, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (model.metadata.protocols[0] === 'rpcv2Cbor') return readCbor(bytes);
  const text = bytes.toString('utf8');
  if (text.trimStart().startsWith('<')) return xmlTree(text.trim());
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Returns the request id that a vector expects, in a header or in an XML body. */
function requestIdOf({ response }: OutputVector): string {
  const header = Object.entries(response.headers ?? {}).find(([name]) => name.toLowerCase() === 'x-amzn-requestid');
  return header?.[1] ?? /<requestid>([^<]*)</i.exec(response.body ?? '')?.[1] ?? 'request';
}

/** Returns the model of a vector with the XML namespace of its response; the vectors' own models have none. */
function withNamespace({ model, vector }: Vector): ServiceModel {
  const uri = /^\s*(?:<\?[^>]*>\s*)?<[^>]* xmlns="([^"]*)"/.exec(vector.response.body ?? '')?.[1];
  if (uri === undefined || model.metadata.xmlNamespace) return model;
  return { ...model, metadata: { ...model.metadata, xmlNamespace: { uri } } };
}

const REQUEST_ID = /^(ResponseMetadata|RequestI[dD]|requestId)$/;

/** Removes the parts of a query protocol's envelope that some vectors omit. */
function alike(found: unknown, wanted: unknown): void {
  const [ours, theirs] = [found as XmlTree | undefined, wanted as XmlTree | undefined];
  if (!ours?.attributes || !theirs?.attributes) return;
  if (!theirs.attributes.xmlns) delete ours.attributes.xmlns;
  const named = new Set(theirs.children.map(({ name }) => name));
  ours.children = ours.children.filter(({ name }) => !REQUEST_ID.test(name) || named.has(name));
}

function encode({ model, operation, vector }: Vector, protocol: ServerProtocol): WireResponse {
  if (vector.errorCode === undefined) {
    const { output } = model.operations[operation]!;
    return protocol.encode(
      operation,
      output ? handlerValue(model, output, vector.result ?? {}) : {},
      requestIdOf(vector),
    );
  }
  const shape = model.operations[operation]!.errors![0]!;
  const members = handlerValue(model, { shape }, vector.error ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(members)) if (name.toLowerCase() === 'message') delete members[name];
  return protocol.encodeError(
    awsError(vector.errorCode, vector.errorMessage ?? '', { members }),
    requestIdOf(vector),
    operation,
  );
}

async function check(vectorCase: Vector): Promise<void> {
  const one = { ...vectorCase, model: withNamespace(vectorCase) };
  const { model, vector } = one;
  const [protocol] = compileService(model).protocols;
  const actual = encode(one, protocol!);
  const expected = vector.response;
  expect(actual.status).toBe(expected.status_code);
  const headers = new Map(Object.entries(actual.headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    if (name.toLowerCase() === 'content-length') continue;
    const found = headers.get(name.toLowerCase());
    if (name.toLowerCase() === 'x-amzn-errortype') expect(errorName(String(found))).toBe(errorName(value));
    else if (name.toLowerCase() === 'content-type') expect(mediaType(found)).toBe(mediaType(value));
    else expect(found, name).toBe(value);
  }
  const cbor = model.metadata.protocols[0] === 'rpcv2Cbor';
  const wanted = documentOf(one, Buffer.from(expected.body ?? '', cbor ? 'base64' : 'utf8'));
  const found = documentOf(one, await bytesOf(actual.body));
  for (const document of [wanted, found]) {
    const errors = document as { __type?: string } | undefined;
    if (errors?.__type) errors.__type = errorName(errors.__type);
  }
  alike(found, wanted);
  // SDKs treat an empty document and no document equally.
  if (isEmpty(wanted) && isEmpty(found)) return;
  expect(found).toEqual(wanted);
}

describe.skipIf(!vectorsPresent)('encodes outputs and errors as SDKs expect', () => {
  for (const file of vectorFiles) {
    const cases = outputCases(file);
    describe.skipIf(cases.length === 0)(file, () => {
      for (const one of cases) {
        const reason = CLIENT_ONLY[`${file}/${one.name}`];
        if (reason === undefined) it(one.name, () => check(one));
        else it(`${one.name} is left out: ${reason}`, async () => expect(check(one)).rejects.toThrow());
      }
    });
  }
});

/** Vectors that botocore reads in another way, with the reason. */
const BOTOCORE_ONLY: Record<string, string> = {
  ...left(/^(Ec2)?ComplexError$/, 'the vector lists the message as a member'),
  ...left(/DenseSetMapAndSkipsNull$/, 'a null in a map remains, so that a recording shows it'),
  ...left(/^HttpPrefixHeadersAreNotPresent$/, 'a map without headers is left out'),
  ...left(/^IgnoreQueryParamsInResponse$/, 'a query parameter of a response is left out'),
};

function decodeLikeSdk({ model, operation, vector }: Vector): void {
  const [protocol] = compileService(model).protocols;
  const decoder = responseDecoder(compileService(model), protocol!.protocol);
  const cbor = protocol!.protocol === 'rpcv2Cbor';
  const headers = Object.entries(vector.response.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const body = Buffer.from(vector.response.body ?? '', cbor ? 'base64' : 'utf8');
  const response = { status: vector.response.status_code, headers: Object.fromEntries(headers), body };
  const operationModel = model.operations[operation]!;
  if (vector.errorCode === undefined) {
    const { output } = operationModel;
    const wanted = output ? handlerValue(model, output, vector.result ?? {}) : {};
    const streamed = decoder.streamed(operation);
    const found = decoder.decode(operation, streamed ? { ...response, body: new Uint8Array() } : response);
    if (streamed) delete (wanted as Record<string, unknown>)[streamed.member];
    expect(found).toEqual(wanted);
    return;
  }
  const error = decoder.decodeError(operation, response);
  const shape = operationModel.errors![0]!;
  const members = handlerValue(model, { shape }, vector.error ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(members)) if (name.toLowerCase() === 'message') delete members[name];
  expect([vector.errorCode, model.shapes[error.code]?.error?.code]).toContain(vector.errorCode);
  expect(error.message).toBe(vector.errorMessage ?? '');
  expect(error.members).toMatchObject(members);
}

describe.skipIf(!vectorsPresent)('decodes responses as SDKs do', () => {
  for (const file of vectorFiles)
    describe.skipIf(outputCases(file).length === 0)(file, () => {
      for (const one of outputCases(file)) {
        const reason = BOTOCORE_ONLY[`${file}/${one.name}`];
        if (reason === undefined) it(one.name, () => decodeLikeSdk(one));
        else it(`${one.name} differs: ${reason}`, () => expect(() => decodeLikeSdk(one)).toThrow());
      }
    });
});
