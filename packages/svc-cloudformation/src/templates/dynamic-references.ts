import type { ServiceCaller } from '@emu/core/service';
import { isObject, parseJson, textOf } from '@emu/wire';
import { invalid } from '../errors.ts';
import { type JsonObject, setMember } from './values.ts';

/** `{{resolve:service:reference}}`. */
const REFERENCE = /\{\{resolve:(ssm|ssm-secure|secretsmanager):([^{}]+)\}\}/g;

/** Whether a value contains dynamic references. */
const hasDynamicReferences = (value: unknown): boolean => JSON.stringify(value)?.includes('{{resolve:') ?? false;

/**
 * Resolves the dynamic references in a value.
 * @param secrets receives the values of secrets and secure parameters
 * @throws AwsError the service's error; `ValidationError` for a malformed reference
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
 */
export async function resolveReferences(
  value: unknown,
  caller: Pick<ServiceCaller, 'call'>,
  secrets: Set<string> = new Set(),
): Promise<unknown> {
  if (!hasDynamicReferences(value)) return value;
  return new ReferenceResolver(caller, secrets).walk(value);
}

/** Resolves the references of one value; each distinct reference is resolved once. */
class ReferenceResolver {
  private readonly known = new Map<string, Promise<string>>();

  constructor(
    private readonly caller: Pick<ServiceCaller, 'call'>,
    private readonly secrets: Set<string>,
  ) {}

  /** Replaces the references of a value by their results. */
  async walk(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return this.replaced(value);
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.walk(item)));
    if (!isObject(value)) return value;
    const out: JsonObject = {};
    for (const [name, member] of Object.entries(value)) setMember(out, name, await this.walk(member));
    return out;
  }

  private async replaced(text: string): Promise<string> {
    let out = '';
    let end = 0;
    for (const match of text.matchAll(REFERENCE)) {
      const value = await this.resolve(match[0], match[1]!, match[2]!);
      if (match[1] !== 'ssm') this.secrets.add(value);
      out += text.slice(end, match.index) + value;
      end = match.index + match[0].length;
    }
    return out + text.slice(end);
  }

  private resolve(text: string, service: string, reference: string): Promise<string> {
    const existing = this.known.get(text);
    if (existing) return existing;
    const { caller } = this;
    const resolving =
      service === 'secretsmanager' ? secretValue(reference, caller) : parameterValue(reference, service, caller);
    this.known.set(text, resolving);
    return resolving;
  }
}

/**
 * Reads a parameter. The caller needs the permission for GetParameters.
 * @throws AwsError `ValidationError` for an unknown parameter
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-ssm.html
 */
async function parameterValue(
  reference: string,
  service: string,
  caller: Pick<ServiceCaller, 'call'>,
): Promise<string> {
  const { Parameters: [parameter] = [] } = await caller.call('ssm', 'GetParameters', {
    Names: [reference],
    WithDecryption: service === 'ssm-secure',
  });
  if (!parameter) throw invalid(`Unable to fetch parameters [${reference}] from parameter store for this account.`);
  if (parameter.Type === 'SecureString' && service === 'ssm')
    throw invalid(`SSM Secure reference is not supported in: [${reference}]`);
  return parameter.Value!;
}

/** `secret-id:SecretString:json-key:version-stage:version-id`; the id may be an ARN, which contains colons. */
async function secretValue(reference: string, caller: Pick<ServiceCaller, 'call'>): Promise<string> {
  const parts = reference.split(':');
  const length = parts[0] === 'arn' ? 7 : 1;
  const id = parts.slice(0, length).join(':');
  const [kind = 'SecretString', key = '', stage = '', version = ''] = parts.slice(length);
  if (kind && kind !== 'SecretString')
    throw invalid(`Invalid dynamic reference: {{resolve:secretsmanager:${reference}}}`);
  const { SecretString } = await caller.call('secretsmanager', 'GetSecretValue', {
    SecretId: id,
    ...(stage && { VersionStage: stage }),
    ...(version && { VersionId: version }),
  });
  if (!key) return SecretString ?? '';
  return memberOf(SecretString ?? '', key);
}

function memberOf(secret: string, key: string): string {
  let parsed: unknown;
  try {
    parsed = parseJson(secret);
  } catch {
    throw invalid(`Could not parse SecretString JSON`);
  }
  if (!isObject(parsed) || !Object.hasOwn(parsed, key))
    throw invalid(`Could not find a value associated with JSONKey in SecretString`);
  const value = parsed[key];
  return textOf(value);
}
