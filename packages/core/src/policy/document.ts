import { asString, isObject } from '@emu/wire';
import QuickLRU from 'quick-lru';
import { type Condition, compileConditions } from './conditions.ts';
import { type Json, listOf, readPolicy, textsOf } from './json.ts';
import { Principals } from './principals.ts';
import { ArnPattern, type Lookup, Pattern } from './wildcards.ts';

/** Maximum number of compiled policies that are kept, by their text. */
const MAX_COMPILED = 2000;

/** The resource of a request, parsed once. */
export interface Subject {
  /** Action in lower case. */
  readonly action: string;
  readonly resource: string;
  readonly arn: readonly string[] | undefined;
}

/** A compiled statement of a policy. */
export interface Statement {
  readonly index: number;
  readonly sid: string | undefined;
  readonly effect: 'Allow' | 'Deny';
  /** Undefined without `Principal` and `NotPrincipal`. */
  readonly principals: Principals | undefined;
  /** Whether `principals` are the excluded ones. */
  readonly exceptPrincipals: boolean;
  readonly conditions: readonly Condition[];
  /** Condition keys that it reads, in its spelling. */
  readonly keys: readonly string[];
  coversAction(subject: Subject): boolean;
  /** @param otherwise result for a statement without resources */
  coversResource(subject: Subject, lookup: Lookup, otherwise: boolean): boolean;
}

/** A compiled policy. */
export interface Policy {
  readonly statements: readonly Statement[];
}

/** Compiles a statement; undefined for one without an effect or an action, which never applies. */
function compileStatement(source: Json, index: number, variables: boolean): Statement | undefined {
  const { Effect: effect, Sid: sid, Action, NotAction, Resource, NotResource, Principal, NotPrincipal } = source;
  if (effect !== 'Allow' && effect !== 'Deny') return undefined;
  if (Action === undefined && NotAction === undefined) return undefined;
  const syntax = { variables: false, wildcards: true };
  const actions = textsOf(Action ?? NotAction).map((action) => new Pattern(action.toLowerCase(), syntax));
  const exceptActions = Action === undefined;
  const named = Resource ?? NotResource;
  const resources = named === undefined ? undefined : textsOf(named).map((text) => new ArnPattern(text, variables));
  const exceptResources = Resource === undefined;
  const principal = Principal ?? NotPrincipal;
  const conditions = compileConditions(source.Condition, variables);
  return {
    index,
    sid: asString(sid),
    effect,
    principals: principal === undefined ? undefined : new Principals(principal),
    exceptPrincipals: Principal === undefined,
    conditions,
    keys: [...(resources ?? []).flatMap(({ keys }) => keys), ...conditions.flatMap(({ keys }) => keys)],
    coversAction: ({ action }) => actions.some((one) => one.matches(action, NO_CONTEXT)) !== exceptActions,
    coversResource: ({ resource, arn }, lookup, otherwise) =>
      resources ? resources.some((one) => one.matches(resource, arn, lookup)) !== exceptResources : otherwise,
  };
}

const NO_CONTEXT: Lookup = () => undefined;

// Services reject invalid policies when they are set; an invalid one that is stored nevertheless allows and denies
// nothing.
function compile(text: string): Policy {
  const document = readPolicy(text);
  const variables = document?.Version === '2012-10-17';
  const statements = listOf(document?.Statement)
    .map((source, index) => (isObject(source) ? compileStatement(source, index, variables) : undefined))
    .filter((one) => one !== undefined);
  return { statements };
}

const compiled = new QuickLRU<string, Policy>({ maxSize: MAX_COMPILED });

/**
 * Compiles a policy from its JSON text; never throws. Invalid statements never apply. Variables are replaced in
 * policies of version 2012-10-17 only.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function policyOf(text: string): Policy {
  let policy = compiled.get(text);
  if (!policy) {
    policy = compile(text);
    compiled.set(text, policy);
  }
  return policy;
}

/**
 * Returns the condition keys that policies read, in conditions and as variables, in their spelling and without
 * duplicates.
 */
export function contextKeysOf(documents: Iterable<string>): string[] {
  const found = new Map<string, string>();
  for (const document of documents)
    for (const { keys } of policyOf(document).statements)
      for (const key of keys) if (key && !found.has(key.toLowerCase())) found.set(key.toLowerCase(), key);
  return [...found.values()];
}
