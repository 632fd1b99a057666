import type { InputOf, ListObjectsOutput, ListObjectsV2Output, OutputOf } from '@emu/service-types/s3';
import { AwsError, isObject, parseJson, readXml, type XmlElement, XmlError } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { s3Error } from '../errors.ts';
import { eventOf, invoke, type Transformed, transformedBy } from '../object-lambda/transformation.ts';
import { listObjects, listObjectsV2 } from './listing.ts';
import { headObject } from './objects.ts';

/** Connection-level headers, which functions cannot set. */
const FRAMING = /^(connection|keep-alive|transfer-encoding|upgrade|trailer|te)$/i;

/**
 * Function results for HEAD and LIST. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/olap-writing-lambda.html
 */
interface LambdaResult {
  statusCode?: number;
  errorCode?: string;
  errorMessage?: string;
  headers?: Record<string, unknown>;
  listResultXml?: string;
  listBucketResult?: Record<string, unknown>;
}

const invalidResponse = (): AwsError =>
  s3Error('LambdaInvalidResponse', 'The AWS Lambda function returned an invalid response.', { status: 400 });

/**
 * Invokes the function and parses its result.
 * @throws AwsError `LambdaInvalidResponse`, or the function's error
 */
async function resultOf(
  operation: string,
  key: string | undefined,
  transformed: Transformed,
  ctx: S3Context,
): Promise<LambdaResult> {
  const text = await invoke(
    transformed.transformation,
    await eventOf(operation, key, transformed, ctx, undefined),
    ctx,
  );
  let result: unknown;
  try {
    result = parseJson(text);
  } catch {
    throw invalidResponse();
  }
  if (!isObject(result)) throw invalidResponse();
  const { statusCode: status = 200, errorCode: code, errorMessage: message } = result as LambdaResult;
  if (typeof status !== 'number') throw invalidResponse();
  if (status >= 400 || code !== undefined)
    throw new AwsError(code ?? 'UnknownError', message ?? 'The Lambda function answered with an error.', {
      status: Math.max(status, 400),
    });
  return result;
}

/** Returns an object's metadata; through an Object Lambda access point with the headers from its function. */
export async function HeadObject(input: InputOf<'HeadObject'>, ctx: S3Context): Promise<OutputOf<'HeadObject'>> {
  const transformed = transformedBy('HeadObject', input);
  if (!transformed) return headObject(input, ctx);
  const { statusCode = 200, headers = {} } = await resultOf('HeadObject', input.Key, transformed, ctx);
  if (!isObject(headers)) throw invalidResponse();
  if (statusCode !== 200) ctx.reply.status = statusCode;
  // Invalid header characters would break the response.
  for (const [name, value] of Object.entries(headers))
    if (FRAMING.test(name)) continue;
    else if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
      ctx.reply.headers[name.toLowerCase()] = String(value);
    else throw invalidResponse();
  return {};
}

/** Lists objects; through an Object Lambda access point returns its function's result. */
export async function ListObjects(input: InputOf<'ListObjects'>, ctx: S3Context): Promise<OutputOf<'ListObjects'>> {
  const transformed = transformedBy('ListObjects', input as object);
  if (!transformed) return listObjects(input, ctx);
  return listingOf(await resultOf('ListObjects', undefined, transformed, ctx)) as ListObjectsOutput;
}

/** Lists objects; through an Object Lambda access point returns its function's result. */
export async function ListObjectsV2(
  input: InputOf<'ListObjectsV2'>,
  ctx: S3Context,
): Promise<OutputOf<'ListObjectsV2'>> {
  const transformed = transformedBy('ListObjectsV2', input as object);
  if (!transformed) return listObjectsV2(input, ctx);
  return listingOf(await resultOf('ListObjectsV2', undefined, transformed, ctx)) as ListObjectsV2Output;
}

/**
 * Parses a listing in XML or JSON.
 * @throws AwsError `LambdaInvalidResponse`
 */
function listingOf({ listResultXml: xml, listBucketResult: json }: LambdaResult): unknown {
  if (typeof xml === 'string') return listing(xmlReader(xml));
  if (isObject(json)) return listing(jsonReader(json));
  throw invalidResponse();
}

/** Reads result members by S3's names. */
interface Reader {
  text(name: string): string | undefined;
  children(name: string): Reader[];
}

function xmlReader(source: string): Reader {
  const read = (element: XmlElement): Reader => {
    const named = (name: string) => (element.children ?? []).filter((child) => child.name === name);
    return { text: (name) => named(name)[0]?.text, children: (name) => named(name).map(read) };
  };
  try {
    return read(readXml(source));
  } catch (error) {
    if (error instanceof XmlError) throw invalidResponse();
    throw error;
  }
}

/** Reads members of a JSON result. JSON names start in lower case. */
function jsonReader(source: Record<string, unknown>): Reader {
  const members = new Map(Object.entries(source).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    text: (name) => {
      const value = members.get(name.toLowerCase());
      return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
    },
    children: (name) => {
      const value = members.get(name.toLowerCase());
      return (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter(isObject).map(jsonReader);
    },
  };
}

const TEXTS = [
  'Name',
  'Prefix',
  'Delimiter',
  'Marker',
  'NextMarker',
  'StartAfter',
  'ContinuationToken',
  'NextContinuationToken',
  'EncodingType',
] as const;

/** @throws AwsError `LambdaInvalidResponse` for invalid numbers and dates */
function listing(reader: Reader): unknown {
  const number = (from: Reader, name: string): number | undefined => {
    const text = from.text(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text)) throw invalidResponse();
    return Number(text);
  };
  const date = (from: Reader, name: string): Date | undefined => {
    const text = from.text(name);
    if (text === undefined) return undefined;
    const value = new Date(text);
    if (Number.isNaN(value.getTime())) throw invalidResponse();
    return value;
  };
  const truncated = reader.text('IsTruncated');
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, reader.text(name)])),
    MaxKeys: number(reader, 'MaxKeys'),
    KeyCount: number(reader, 'KeyCount'),
    IsTruncated: truncated === undefined ? undefined : truncated === 'true',
    Contents: reader.children('Contents').map((entry) => {
      const [owner] = entry.children('Owner');
      return {
        Key: entry.text('Key'),
        LastModified: date(entry, 'LastModified'),
        ETag: entry.text('ETag'),
        Size: number(entry, 'Size'),
        StorageClass: entry.text('StorageClass'),
        ...(owner && { Owner: { ID: owner.text('ID'), DisplayName: owner.text('DisplayName') } }),
      };
    }),
    CommonPrefixes: reader.children('CommonPrefixes').map((entry) => ({ Prefix: entry.text('Prefix') })),
  };
}
