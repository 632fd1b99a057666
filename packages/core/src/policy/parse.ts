import { isObject, parseJson } from '@emu/wire';
import { conditionValues, isConditionValue } from './conditions.ts';
import { isPolicyDate } from './dates.ts';
import { duplicateKey } from './duplicate-keys.ts';
import { type Json, listOf } from './json.ts';
import { isOperator, operatorName } from './operators.ts';
import type { PolicyProblem, ProblemCode } from './problems.ts';
import type {
  ParsedCondition,
  ParsedPolicy,
  ParsedStatement,
  PolicyRules,
  Presence,
  ProblemOrder,
  ValuesRule,
} from './rules.ts';

const DOCUMENT_ELEMENTS: ReadonlySet<string> = new Set(['Version', 'Id', 'Statement']);
const STATEMENT_ELEMENTS: ReadonlySet<string> = new Set([
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]);
const LATEST = '2012-10-17';

/** A parsed policy, or its problem. */
export type ParseResult =
  | { readonly policy: ParsedPolicy; readonly problem?: undefined }
  | { readonly policy?: undefined; readonly problem: PolicyProblem };

/** Returns the size of a policy as IAM's quotas count it: without white space. */
export const policySize = (text: string): number => text.replaceAll(/\s/g, '').length;

/**
 * Parses a policy by the grammar of IAM's policy language and the rules of a service.
 * @param text JSON, or anything; never throws
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function parsePolicy(text: string, rules: PolicyRules): ParseResult {
  const parser = new Parser(rules);
  const policy = parser.document(text);
  const problem = firstOf(parser.problems, rules.order);
  return problem ? { problem } : { policy };
}

/** Returns the problem to report: the first of the first group that has any. */
function firstOf(problems: readonly PolicyProblem[], order: ProblemOrder = [['*']]): PolicyProblem | undefined {
  const listed = new Set(order.flat());
  for (const group of order) {
    const found = problems.find(({ code }) => group.includes(code) || (group.includes('*') && !listed.has(code)));
    if (found) return found;
  }
  return undefined;
}

/** Reads one document, and continues after problems. */
class Parser {
  readonly problems: PolicyProblem[] = [];

  constructor(private readonly rules: PolicyRules) {}

  document(text: string): ParsedPolicy {
    this.checkText(text);
    let document: unknown;
    try {
      document = parseJson(text);
    } catch {
      this.report('not-json', undefined, { value: text });
      return NOTHING;
    }
    if (!isObject(document)) {
      this.report('not-object');
      return NOTHING;
    }
    const twice = this.rules.duplicateKeys ? undefined : duplicateKey(text);
    if (twice !== undefined) this.report('duplicate-key', undefined, { element: twice });
    this.checkElements(document, DOCUMENT_ELEMENTS);
    const version = this.version(document.Version);
    const id = this.text(document, 'Id');
    const statements = this.statements(document.Statement);
    this.checkSids(statements);
    this.checkCount(
      'Condition',
      sum(statements, ({ conditions }) => conditions.length),
    );
    this.checkCount(
      'Principal',
      sum(statements, ({ principals }) => principals.length),
    );
    return { version, id, statements };
  }

  private report(code: ProblemCode, statement?: number, more: Omit<PolicyProblem, 'code' | 'statement'> = {}): void {
    this.problems.push({ code, ...(statement !== undefined && { statement }), ...more });
  }

  private checkText(text: string): void {
    const { size } = this.rules;
    if (size) {
      const count = size.of === 'bytes' ? Buffer.byteLength(text) : policySize(text);
      if (count > size.most) this.report('too-large', undefined, { count, limit: size.most });
    }
  }

  private checkElements(object: Json, known: ReadonlySet<string>, statement?: number): void {
    for (const element of Object.keys(object))
      if (!known.has(element)) this.report('unknown-element', statement, { element });
  }

  /** Returns the text of an element; reports any other type. */
  private text(object: Json, element: string, statement?: number): string | undefined {
    const { [element]: value } = object;
    if (value === undefined || typeof value === 'string') return value;
    this.report('wrong-type', statement, { element, value: asText(value) });
    return undefined;
  }

  private version(version: unknown): string | undefined {
    if (version === undefined) {
      if (this.rules.latestVersion) this.report('missing-version');
    } else if (version !== LATEST && version !== '2008-10-17')
      this.report('invalid-version', undefined, { element: 'Version', value: asText(version) });
    else {
      if (version !== LATEST && this.rules.latestVersion) this.report('old-version');
      return version;
    }
    return undefined;
  }

  private statements(element: unknown): ParsedStatement[] {
    if (element === undefined) this.report('missing-statement');
    const sources = listOf(element);
    if (element !== undefined && !sources.length) this.report('empty-statement');
    this.checkCount('Statement', sources.length);
    return sources.map((source, index) => this.statement(source, index)).filter((one) => one !== undefined);
  }

  private statement(source: unknown, index: number): ParsedStatement | undefined {
    if (!isObject(source)) {
      this.report('statement-not-object', index, { value: asText(source) });
      return undefined;
    }
    const before = this.problems.length;
    const { rules } = this;
    this.checkElements(source, STATEMENT_ELEMENTS, index);
    const effect = this.effect(source.Effect, index);
    const principals = this.principals(source, index);
    const actions = this.values(source, 'Action', index, rules.action, rules.actions);
    if (rules.notActionRefused && source.NotAction !== undefined)
      this.report('prohibited-action', index, { element: 'NotAction' });
    const resources = this.values(source, 'Resource', index, rules.resource, rules.resources);
    const conditions = this.conditions(source.Condition, index);
    const sid = this.text(source, 'Sid', index);
    if (sid !== undefined && rules.sid && !rules.sid.test(sid))
      this.report('invalid-sid', index, { element: 'Sid', value: sid });
    const statement: ParsedStatement = {
      index,
      sid,
      effect,
      principals,
      exceptPrincipals: source.NotPrincipal !== undefined,
      actions,
      exceptActions: source.NotAction !== undefined,
      resources,
      exceptResources: source.NotResource !== undefined,
      conditions,
    };
    const finding = this.problems.length === before ? rules.statement?.(statement) : undefined;
    if (finding) this.report(finding.code ?? 'resource-mismatch', index, withoutCode(finding));
    return statement;
  }

  private effect(effect: unknown, index: number): 'Allow' | 'Deny' {
    if (effect === 'Allow' || effect === 'Deny') return effect;
    const more = { element: 'Effect', value: asText(effect) };
    if (effect === undefined) this.report('missing-effect', index);
    else if (typeof effect === 'string' && /^(allow|deny)$/i.test(effect)) this.report('effect-case', index, more);
    else this.report('invalid-effect', index, more);
    return 'Deny';
  }

  /** Returns the name of the one of two elements in a statement, or undefined. */
  private oneOf(source: Json, element: string, index: number): string | undefined {
    const negated = `Not${element}`;
    if (source[element] !== undefined && source[negated] !== undefined)
      this.report('conflicting-elements', index, { element });
    return [element, negated].find((name) => source[name] !== undefined);
  }

  private principals(source: Json, index: number): ParsedStatement['principals'] {
    const element = this.oneOf(source, 'Principal', index);
    const { principal: presence, principals: types } = this.rules;
    if (element === undefined) {
      if (presence === 'required') this.report('missing-principal', index, { element: 'Principal' });
      return [];
    }
    if (presence === 'refused') this.report('prohibited-principal', index, { element });
    const { [element]: value } = source;
    if (value === '*') return [{ type: 'AWS', name: '*' }];
    if (!isObject(value)) {
      if (listOf(value).every((one) => typeof one === 'string'))
        this.report('principal-not-object', index, { element, value: String(listOf(value)[0] ?? '') });
      else this.report('wrong-type', index, { element, value: asText(value) });
      return [];
    }
    const found = Object.entries(value).flatMap(([type, names]) => this.principalsOf(type, names, types, index));
    if (!found.length) this.report('empty-principal', index, { element });
    return found;
  }

  private principalsOf(type: string, names: unknown, types: PolicyRules['principals'], index: number) {
    const found: { type: string; name: string }[] = [];
    for (const name of listOf(names)) {
      if (typeof name !== 'string') this.report('wrong-type', index, { element: type, value: asText(name) });
      else if (types && !(Object.hasOwn(types, type) && types[type]!(name)))
        this.report('invalid-principal', index, { element: type, value: name });
      found.push({ type, name: asText(name) });
    }
    return found;
  }

  /** Reads the actions or resources of a statement. */
  private values(
    source: Json,
    element: 'Action' | 'Resource',
    index: number,
    presence: Presence,
    rule: ValuesRule | undefined,
  ): string[] {
    const name = this.oneOf(source, element, index);
    const [missing, prohibited, invalid] = CODES[element];
    if (name !== undefined && presence === 'refused') this.report(prohibited, index, { element: name });
    const value = name === undefined ? undefined : source[name];
    const list = listOf(value);
    if (!list.length && presence === 'required')
      this.report(missing, index, { element, ...(name !== undefined && { reason: 'empty' }) });
    const wrong = list.findIndex((one) => typeof one !== 'string');
    if (wrong >= 0) {
      this.report('wrong-type', index, { element, value: asText(list[wrong]) });
      return [];
    }
    const texts = list as string[];
    this.checkCount(element, texts.length, index);
    const finding = texts.length && presence !== 'refused' ? rule?.(texts) : undefined;
    if (finding) this.report(finding.code ?? invalid, index, { element: name!, ...withoutCode(finding) });
    return texts;
  }

  /** Reads conditions, which are values by key by operator; an unknown operator without keys is accepted. */
  private conditions(element: unknown, index: number): ParsedCondition[] {
    if (element === undefined) return [];
    const invalid = (value: unknown): void =>
      this.report('invalid-condition', index, { element: 'Condition', value: asText(value) });
    if (!isObject(element)) {
      invalid(element);
      return [];
    }
    const found: ParsedCondition[] = [];
    for (const [operator, keys] of Object.entries(element)) {
      if (!isObject(keys)) {
        invalid(keys);
        continue;
      }
      const name = operatorName(operator);
      if (!isOperator(name) && Object.keys(keys).length)
        this.report('unknown-operator', index, { element: 'Condition', value: operator });
      for (const [key, value] of Object.entries(keys)) {
        const values = conditionValues(value);
        if (!listOf(value).every(isConditionValue)) invalid(value);
        if (this.rules.conditionKey?.(key) === false)
          this.report('invalid-condition-key', index, { element: 'Condition', value: key });
        const odd =
          this.rules.dates && name.name.startsWith('date') ? values.find((one) => !isPolicyDate(one)) : undefined;
        if (odd !== undefined) this.report('invalid-date', index, { element: operator, value: odd });
        found.push({ operator, key, values });
      }
    }
    return found;
  }

  private checkSids(statements: readonly ParsedStatement[]): void {
    const { uniqueSids } = this.rules;
    const seen = new Set<string>();
    for (const { sid = '', index } of statements) {
      if (uniqueSids === undefined || (uniqueSids === 'given' && sid === '')) continue;
      if (seen.has(sid)) this.report('duplicate-sid', index, { element: 'Sid', value: sid });
      seen.add(sid);
    }
  }

  private checkCount(element: keyof NonNullable<PolicyRules['most']>, count: number, statement?: number): void {
    const limit = this.rules.most?.[element];
    if (limit !== undefined && count > limit) this.report('too-many', statement, { element, count, limit });
  }
}

const NOTHING: ParsedPolicy = { version: undefined, id: undefined, statements: [] };

/** Problem codes for missing, forbidden and rejected actions or resources. */
const CODES = {
  Action: ['missing-action', 'prohibited-action', 'invalid-action'],
  Resource: ['missing-resource', 'prohibited-resource', 'invalid-resource'],
} as const;

const sum = <T>(list: readonly T[], count: (one: T) => number): number =>
  list.reduce((total, one) => total + count(one), 0);

const withoutCode = ({ code: _code, ...rest }: { code?: ProblemCode }): Omit<PolicyProblem, 'code' | 'statement'> =>
  rest;

/** Formats a JSON value for a message. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
