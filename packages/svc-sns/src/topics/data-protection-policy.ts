import {
  type CustomIdentifier,
  customIdentifier,
  findSensitiveData,
  isDetectable,
  isIdentifierRegex,
  jsonSyntaxError,
  replaceFindings,
} from '@emu/core/patterns';
import { exceedsBytes, notEmulated } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { invalidParameter } from '../errors.ts';

type JsonObject = Record<string, unknown>;

/** A data identifier that a policy defines. */
interface PolicyIdentifier {
  readonly Name: string;
  readonly Regex: string;
}

/** A rule of a data protection policy. */
interface Statement {
  readonly DataDirection: 'Inbound' | 'Outbound';
  readonly Principal: readonly string[] | string;
  readonly NoPrincipal?: readonly string[] | string;
  readonly DataIdentifier: readonly string[];
  readonly Operation: {
    readonly Audit?: JsonObject;
    readonly Deny?: JsonObject;
    readonly Deidentify?: {
      readonly MaskConfig?: { readonly MaskWithCharacter?: string };
      readonly RedactConfig?: JsonObject;
    };
  };
}

const MAX_BYTES = 30_720;
const OPERATIONS = ['Audit', 'Deny', 'Deidentify'];

const MAX_CUSTOM = 10;
const CUSTOM_NAME = /^[\w-]{1,128}$/;
/** Characters that AWS permits in regular expressions of custom data identifiers, which have no groups. */
const CUSTOM_REGEX = /^[\w#=@/;, ^$?[\]{}|\\*+.-]{1,200}$/;

const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');

/**
 * Validates a data protection policy.
 * @throws AwsError `InvalidParameter`; `NotImplemented` for audits
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-message-data-protection-policies.html
 */
export function checkDataProtectionPolicy(json: string): void {
  const refuse = (reason: string) => invalidParameter(`DataProtectionPolicy Reason: ${reason}`);
  if (exceedsBytes(json, MAX_BYTES)) throw refuse('Policy too large');
  const error = jsonSyntaxError(json);
  if (error) throw refuse(`failed to parse JSON. ${error}`);
  const policy: unknown = parseJson(json);
  if (!isObject(policy)) throw refuse('must be a JSON object');
  if (typeof policy.Name !== 'string' || !policy.Name) throw refuse('Name is required');
  if (policy.Version !== '2021-06-01') throw refuse('Version must be 2021-06-01');
  if (!Array.isArray(policy.Statement) || !policy.Statement.length) throw refuse('Statement is required');
  for (const statement of policy.Statement) {
    const reason = isObject(statement) ? statementError(statement) : 'Statement must be a JSON object';
    if (reason) throw refuse(reason);
  }
  const audits = (policy.Statement as JsonObject[]).filter(({ Operation }) => isObject(Operation) && Operation.Audit);
  if (audits.length > 1) throw refuse('Only one Audit statement is allowed');
  const problem = customError(policy.Configuration);
  if (problem) throw refuse(problem);
  const { statements, custom } = read(json);
  for (const identifier of statements.flatMap(({ DataIdentifier }) => DataIdentifier)) {
    if (custom.some(({ name }) => name === identifier) || isDetectable(identifier)) continue;
    throw refuse(`Unknown data identifier ${identifier}`);
  }
  if (audits.length) throw notEmulated('Audit in data protection policies', 'sns');
}

/** @see https://docs.aws.amazon.com/sns/latest/dg/sns-message-data-protection-custom-data-identifiers.html */
function customError(configuration: unknown): string | undefined {
  if (configuration === undefined) return undefined;
  const custom = isObject(configuration) ? (configuration.CustomDataIdentifier ?? []) : undefined;
  if (!Array.isArray(custom)) return 'Configuration must have a list of CustomDataIdentifier';
  if (custom.length > MAX_CUSTOM) return `Only ${MAX_CUSTOM} custom data identifiers are allowed`;
  return custom.every(isCustom) ? undefined : 'Invalid CustomDataIdentifier';
}

function isCustom(identifier: unknown): identifier is PolicyIdentifier {
  if (!isObject(identifier)) return false;
  const { Name, Regex } = identifier;
  if (typeof Name !== 'string' || !CUSTOM_NAME.test(Name) || isDetectable(Name)) return false;
  return typeof Regex === 'string' && CUSTOM_REGEX.test(Regex) && isIdentifierRegex(Regex);
}

/** Returns the parts of a valid policy. */
function read(json: string): { statements: readonly Statement[]; custom: readonly CustomIdentifier[] } {
  const { Statement, Configuration } = parseJson(json) as {
    Statement: readonly Statement[];
    Configuration?: { CustomDataIdentifier?: readonly PolicyIdentifier[] };
  };
  const custom = Configuration?.CustomDataIdentifier ?? [];
  return {
    statements: Statement,
    custom: custom.map(({ Name, Regex }) => customIdentifier(Name, Regex)),
  };
}

function statementError({
  DataDirection,
  Principal,
  NoPrincipal,
  DataIdentifier,
  Operation,
}: JsonObject): string | undefined {
  if (DataDirection !== 'Inbound' && DataDirection !== 'Outbound') return 'DataDirection must be Inbound or Outbound';
  if (!isList(Principal ?? NoPrincipal) && typeof (Principal ?? NoPrincipal) !== 'string')
    return 'Principal is required';
  if (!isList(DataIdentifier)) return 'DataIdentifier is required';
  const operations = isObject(Operation) ? Object.keys(Operation) : [];
  if (operations.length !== 1 || !OPERATIONS.includes(operations[0]!))
    return 'Operation must be one of Audit, Deny or Deidentify';
  if (operations[0] === 'Audit' && DataDirection !== 'Inbound') return 'Audit is only allowed for Inbound messages';
  return undefined;
}

/** Result of a policy: the text of the message, or denied. */
export type Protected = { readonly denied: true } | { readonly denied: false; readonly text: string };

/**
 * Applies the policy of a topic to a message.
 * @param principal ARN of the publisher or subscriber
 */
export function applyDataProtection(
  json: string,
  direction: Statement['DataDirection'],
  principal: string,
  text: string,
): Protected {
  const { statements, custom } = read(json);
  let left = text;
  for (const statement of statements) {
    if (statement.DataDirection !== direction || !concerns(statement, principal)) continue;
    const { Deny, Deidentify } = statement.Operation;
    if (!Deny && !Deidentify) continue;
    const findings = findSensitiveData(left, statement.DataIdentifier, custom);
    if (!findings.length) continue;
    if (Deny) return { denied: true };
    left = replaceFindings(left, findings, Deidentify?.MaskConfig && (Deidentify.MaskConfig.MaskWithCharacter ?? '#'));
  }
  return { denied: false, text: left };
}

function concerns({ Principal, NoPrincipal }: Statement, principal: string): boolean {
  const names = (list: readonly string[] | string) => [list].flat().some((name) => name === '*' || name === principal);
  return NoPrincipal === undefined ? names(Principal) : !names(NoPrincipal);
}
