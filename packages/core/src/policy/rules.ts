import type { PolicyProblem, ProblemCode } from './problems.ts';
import { Pattern } from './wildcards.ts';

/** A rule's rejection: a code other than the element's usual one, the value, the reason. */
export type Finding = Partial<Pick<PolicyProblem, 'code' | 'value' | 'reason'>>;

/** A rule of a service for the actions or resources of a statement; returns undefined for valid ones. */
export type ValuesRule = (values: readonly string[]) => Finding | undefined;

/** A rule for a whole statement, whose elements are valid by themselves. */
export type StatementRule = (statement: ParsedStatement) => Finding | undefined;

/** Whether a statement's element is required, optional or forbidden. */
export type Presence = 'required' | 'optional' | 'refused';

/** Problem codes in the order in which a service reports them; `*` stands for all others. */
export type ProblemOrder = readonly (readonly (ProblemCode | '*')[])[];

/** A service's rules for its policies. */
export interface PolicyRules {
  /** Maximum bytes, or characters without white space; unlimited by default. */
  readonly size?: { readonly most: number; readonly of: 'bytes' | 'characters without white space' };
  /** Whether duplicate keys are accepted, of which the last counts; false by default. */
  readonly duplicateKeys?: boolean;
  /** Whether version 2012-10-17 is required. */
  readonly latestVersion?: boolean;
  readonly principal: Presence;
  /** Types of principals and the check of each; `Principal: "*"` is always valid. */
  readonly principals?: Readonly<Record<string, (principal: string) => boolean>>;
  readonly action: Presence;
  /** Whether `NotAction` is rejected. */
  readonly notActionRefused?: boolean;
  readonly actions?: ValuesRule;
  readonly resource: Presence;
  readonly resources?: ValuesRule;
  /** Pattern of a statement's id. */
  readonly sid?: RegExp;
  /** Which ids must be unique: those present, or those of all statements, where missing ids count as equal. */
  readonly uniqueSids?: 'given' | 'all';
  /** Whether a condition key is accepted. */
  readonly conditionKey?: (key: string) => boolean;
  /** Whether values of date operators must be dates. */
  readonly dates?: boolean;
  /** Limits of statements and conditions of a policy, and of actions and resources of a statement. */
  readonly most?: Readonly<Partial<Record<'Statement' | 'Principal' | 'Condition' | 'Action' | 'Resource', number>>>;
  readonly statement?: StatementRule;
  /** Order of reporting; by default that of the document. */
  readonly order?: ProblemOrder;
}

/** A condition of a statement. */
export interface ParsedCondition {
  /** Name of the operator as the policy spells it. */
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** A valid statement. */
export interface ParsedStatement {
  readonly index: number;
  readonly sid: string | undefined;
  readonly effect: 'Allow' | 'Deny';
  /** Principals by type, with `*` as type `AWS`; empty for a statement without principals. */
  readonly principals: readonly { readonly type: string; readonly name: string }[];
  /** Whether it applies to all principals except these. */
  readonly exceptPrincipals: boolean;
  readonly actions: readonly string[];
  readonly exceptActions: boolean;
  readonly resources: readonly string[];
  readonly exceptResources: boolean;
  readonly conditions: readonly ParsedCondition[];
}

/** A valid policy. */
export interface ParsedPolicy {
  readonly version: string | undefined;
  readonly id: string | undefined;
  readonly statements: readonly ParsedStatement[];
}

/** Returns a rule that checks each value by itself. */
export const each =
  (accepts: (value: string) => boolean): ValuesRule =>
  (values) => {
    const value = values.find((one) => !accepts(one));
    return value === undefined ? undefined : { value };
  };

/**
 * Returns a rule for the actions of one service: `*`, or the service's prefix with a name, whose wildcards must match a
 * known action.
 * @param names names without the prefix; undefined to accept any name
 */
export function actionsOf(prefix: string, names?: readonly string[]): ValuesRule {
  const start = `${prefix.toLowerCase()}:`;
  return each((action) => {
    if (/^\*+$/.test(action)) return true;
    const folded = action.toLowerCase();
    if (!folded.startsWith(start)) return false;
    const name = folded.slice(start.length);
    if (!/^[a-z0-9*?]+$/.test(name)) return false;
    return names === undefined || names.some(nameMatcher(name));
  });
}

/**
 * Whether a name matches a pattern with `*` for any characters and `?` for one.
 * @param ignoreCase true by default
 */
export function nameMatcher(pattern: string, ignoreCase = true): (name: string) => boolean {
  const compiled = new Pattern(pattern, { variables: false, wildcards: true, ignoreCase });
  return (name) => compiled.matches(name, () => undefined);
}
