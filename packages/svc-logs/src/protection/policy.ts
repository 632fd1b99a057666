import {
  type CustomIdentifier,
  customIdentifier,
  findSensitiveData,
  isDetectable,
  isIdentifierRegex,
  type SensitiveSpan,
} from '@emu/core/patterns';
import { exceedsBytes } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { invalidParameter } from '../errors.ts';

/** Destinations of findings. */
export interface FindingsDestination {
  readonly CloudWatchLogs?: { readonly LogGroup?: string };
  readonly S3?: { readonly Bucket?: string };
  readonly Firehose?: { readonly DeliveryStream?: string };
}

/** A data protection policy: sensitive data types, masking, and destinations of findings. */
export interface ProtectionPolicy {
  /** Finds sensitive data in a message. */
  find(message: string): SensitiveSpan[];
  readonly masks: boolean;
  readonly audit: FindingsDestination | undefined;
}

const MAX_BYTES = 30_720;
const MAX_CUSTOM = 10;
const CUSTOM_NAME = /^[\w-]{1,128}$/;
/** Characters that AWS permits in regular expressions of custom data identifiers, which have no groups. */
const CUSTOM_REGEX = /^[\w#=@/;, ^$?[\]{}|\\*+.-]{1,200}$/;
const MANAGED = /^arn:[\w-]+:dataprotection::aws:data-identifier\//;

const refuse = (reason: string) => invalidParameter(`Invalid data protection policy: ${reason}`);

/**
 * Parses a data protection policy.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch-logs-data-protection-policies.html
 */
export function parseProtection(document: string): ProtectionPolicy {
  if (exceedsBytes(document, MAX_BYTES)) throw refuse('it is too large.');
  let policy: unknown;
  try {
    policy = parseJson(document);
  } catch {
    throw refuse('it is no valid JSON.');
  }
  if (!isObject(policy)) throw refuse('it is no JSON object.');
  if (typeof policy.Name !== 'string' || !policy.Name) throw refuse('Name is required.');
  if (policy.Version !== '2021-06-01') throw refuse('Version must be 2021-06-01.');
  const custom = customIn(policy.Configuration);
  const statements: unknown[] = Array.isArray(policy.Statement) ? policy.Statement : [];
  const [first, second] = statements.map((statement) => statementOf(statement, custom));
  if (!first || !second || statements.length !== 2)
    throw refuse('it must have two statements, one with Audit and one with Deidentify.');
  if (first.identifiers.toSorted().join() !== second.identifiers.toSorted().join())
    throw refuse('both statements must have the same DataIdentifier.');
  const audits = [first, second].filter(({ audit }) => audit);
  if (audits.length !== 1) throw refuse('it must have two statements, one with Audit and one with Deidentify.');
  return {
    find: (message) => findSensitiveData(message, first.identifiers, custom),
    masks: true,
    audit: audits[0]!.audit,
  };
}

function customIn(configuration: unknown): CustomIdentifier[] {
  const list = isObject(configuration) ? configuration.CustomDataIdentifier : undefined;
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length > MAX_CUSTOM || !list.every(isCustom))
    throw refuse('CustomDataIdentifier is not valid.');
  return list.map(({ Name, Regex }) => customIdentifier(Name, Regex));
}

function isCustom(identifier: unknown): identifier is { Name: string; Regex: string } {
  if (!isObject(identifier)) return false;
  const { Name, Regex } = identifier;
  if (typeof Name !== 'string' || !CUSTOM_NAME.test(Name)) return false;
  return typeof Regex === 'string' && CUSTOM_REGEX.test(Regex) && isIdentifierRegex(Regex);
}

function statementOf(
  statement: unknown,
  custom: readonly CustomIdentifier[],
): { identifiers: string[]; audit: FindingsDestination | undefined } {
  if (!isObject(statement) || !isObject(statement.Operation)) throw refuse('a statement has no Operation.');
  const { DataIdentifier: identifiers, Operation: operation } = statement;
  if (!Array.isArray(identifiers) || !identifiers.length || !identifiers.every((item) => typeof item === 'string'))
    throw refuse('DataIdentifier is required.');
  for (const identifier of identifiers) {
    if (custom.some(({ name }) => name === identifier) || (MANAGED.test(identifier) && isDetectable(identifier)))
      continue;
    throw refuse(`the data identifier ${identifier} is unknown.`);
  }
  const { Audit: audit, Deidentify: deidentify } = operation;
  if (isObject(audit)) {
    if (!isObject(audit.FindingsDestination)) throw refuse('Audit needs a FindingsDestination.');
    return { identifiers, audit: audit.FindingsDestination as FindingsDestination };
  }
  const mask = isObject(deidentify) ? deidentify.MaskConfig : undefined;
  if (!isObject(mask) || Object.keys(mask).length) throw refuse('Deidentify needs an empty MaskConfig.');
  return { identifiers, audit: undefined };
}
