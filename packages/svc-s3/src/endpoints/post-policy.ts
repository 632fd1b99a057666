import { createHmac, timingSafeEqual } from 'node:crypto';
import { type AwsError, parseJson } from '@emu/wire';
import { accessDenied, invalidArgument, s3Error } from '../errors.ts';

/** Form fields by lower-case name. */
export type FormFields = ReadonlyMap<string, string>;

/** File size limits of a policy, in bytes. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

const invalidByPolicy = (why: string): AwsError => accessDenied(`Invalid according to Policy: ${why}`);
const invalidDocument = (why: string): AwsError =>
  s3Error('InvalidPolicyDocument', `Invalid Policy: ${why}`, { status: 400 });

/** Fields that need no condition. */
const EXEMPT = /^(policy|file|signature|awsaccesskeyid|x-amz-signature|x-ignore-.*|bucket)$/;

type Condition = Record<string, string> | [string, string | number, string | number];

/** Formats a condition for errors. */
const shown = (condition: readonly unknown[]): string => `[${condition.map((part) => `"${String(part)}"`).join(', ')}]`;
const failed = (condition: readonly unknown[]): AwsError =>
  invalidByPolicy(`Policy Condition failed: ${shown(condition)}`);

function parse(policy: string): { expiration: number; conditions: Condition[] } {
  let document: { expiration?: unknown; conditions?: unknown };
  try {
    document = parseJson(Buffer.from(policy, 'base64').toString()) as typeof document;
  } catch {
    throw invalidDocument('Invalid JSON.');
  }
  const expiration = Date.parse(String(document?.expiration));
  if (Number.isNaN(expiration)) throw invalidDocument(`Invalid 'expiration' value: '${String(document?.expiration)}'`);
  if (!Array.isArray(document.conditions)) throw invalidDocument('Policy missing conditions.');
  return { expiration, conditions: document.conditions as Condition[] };
}

/**
 * Checks a form against its policy.
 * @param now epoch milliseconds
 * @returns the allowed file sizes
 * @throws AwsError `AccessDenied`, `InvalidPolicyDocument`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export function checkPolicy(policy: string, fields: FormFields, bucket: string, now: number): SizeRange | undefined {
  const { expiration, conditions } = parse(policy);
  if (expiration <= now) throw invalidByPolicy('Policy expired.');
  const named = new Set<string>();
  let size: SizeRange | undefined;
  const given = (name: string): string | undefined => (name === 'bucket' ? bucket : fields.get(name));
  for (const condition of conditions) {
    if (!Array.isArray(condition)) {
      const entries = Object.entries(condition ?? {});
      if (entries.length !== 1)
        throw invalidDocument('Invalid Simple-Condition: Simple-Conditions must have exactly one property specified.');
      const [name, expected] = entries[0]!;
      named.add(name.toLowerCase());
      if (given(name.toLowerCase()) !== String(expected)) throw failed(['eq', `$${name}`, expected]);
      continue;
    }
    const [operator, first, second] = condition;
    const kind = String(operator).toLowerCase();
    if (kind === 'content-length-range') {
      const [min, max] = [Number(first), Number(second)];
      if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) throw failed(condition);
      size = { min, max };
      continue;
    }
    const name = String(first).startsWith('$') ? String(first).slice(1).toLowerCase() : undefined;
    const value = name === undefined ? undefined : given(name);
    if (name !== undefined) named.add(name);
    const holds =
      value !== undefined &&
      (kind === 'eq'
        ? value === String(second)
        : kind === 'starts-with'
          ? startsWith(name!, value, String(second))
          : false);
    if (!holds) throw failed(condition);
  }
  for (const name of fields.keys())
    if (!EXEMPT.test(name) && !named.has(name)) throw invalidByPolicy(`Extra input fields: ${name}`);
  return size;
}

/**
 * Compares a field with the prefix of a condition. `Content-Type` may be a list, each item of which must have the
 * prefix.
 */
const startsWith = (name: string, value: string, prefix: string): boolean =>
  name === 'content-type' ? value.split(',').every((one) => one.startsWith(prefix)) : value.startsWith(prefix);

const V4_FIELDS = ['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-Signature'];
const V2_FIELDS = ['AWSAccessKeyId', 'Signature'];

/** Signer of a form. */
export interface FormSignature {
  readonly accessKeyId: string;
  /** Undefined for signature version 2. */
  readonly scope: { readonly date: string; readonly region: string; readonly service: string } | undefined;
  readonly signature: string;
}

/**
 * Returns the signature of a form with a policy.
 * @throws AwsError `InvalidArgument` if a field is missing, `AccessDenied` if all are
 */
export function signatureOf(fields: FormFields): FormSignature {
  const v4 = V4_FIELDS.filter((name) => fields.has(name.toLowerCase()));
  const v2 = V2_FIELDS.filter((name) => fields.has(name.toLowerCase()));
  if (v4.length === 0 && v2.length === 0) throw accessDenied();
  const wanted = v4.length > 0 ? V4_FIELDS : V2_FIELDS;
  for (const name of wanted)
    if (!fields.has(name.toLowerCase()))
      throw invalidArgument(
        `Bucket POST must contain a field named '${name}'.  If it is specified, please check the order of the fields.`,
        name,
        '',
      );
  if (wanted === V2_FIELDS)
    return { accessKeyId: fields.get('awsaccesskeyid')!, scope: undefined, signature: fields.get('signature')! };
  const [accessKeyId = '', date = '', region = '', service = ''] = fields.get('x-amz-credential')!.split('/');
  return { accessKeyId, scope: { date, region, service }, signature: fields.get('x-amz-signature')! };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether a form's signature matches its policy and the secret key. */
export function isSignedWith({ scope, signature }: FormSignature, policy: string, secret: string): boolean {
  const expected = scope
    ? hmac(
        hmac(hmac(hmac(hmac(`AWS4${secret}`, scope.date), scope.region), scope.service), 'aws4_request'),
        policy,
      ).toString('hex')
    : createHmac('sha1', secret).update(policy).digest('base64');
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
