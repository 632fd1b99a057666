import type { PolicyProblem, ProblemCode } from './problems.ts';
import { Pattern } from './wildcards.ts';

/** Why a rule refuses something: a code other than the element's usual one, the value, the reason. */
export type Finding = Partial<Pick<PolicyProblem, 'code' | 'value' | 'reason'>>;

/** A rule of a service about the actions or resources of a statement; undefined where they do. */
export type ValuesRule = (values: readonly string[]) => Finding | undefined;

/** A rule about a statement as a whole, whose elements do by themselves. */
export type StatementRule = (statement: ParsedStatement) => Finding | undefined;

/** Whether a statement has an element: it must, it may, or it must not. */
export type Presence = 'required' | 'optional' | 'refused';

/** The codes of problems in the order in which a service reports them; `*` stands for all that are not listed. */
export type ProblemOrder = readonly (readonly (ProblemCode | '*')[])[];

/** What a service takes as a policy. */
export interface PolicyRules {
  /** Most bytes, or characters that are no white space; by default any size. */
  readonly size?: { readonly most: number; readonly of: 'bytes' | 'characters without white space' };
  /** Whether objects may have a key twice, of which the last one counts; by default they may not. */
  readonly duplicateKeys?: boolean;
  /** Whether only version 2012-10-17 is taken, which then has to be there. */
  readonly latestVersion?: boolean;
  readonly principal: Presence;
  /** The types of principals and which of them there are; `Principal: "*"` is always one. */
  readonly principals?: Readonly<Record<string, (principal: string) => boolean>>;
  readonly action: Presence;
  /** Whether `NotAction` is refused. */
  readonly notActionRefused?: boolean;
  readonly actions?: ValuesRule;
  readonly resource: Presence;
  readonly resources?: ValuesRule;
  /** What an id of a statement has to match. */
  readonly sid?: RegExp;
  /** Which ids have to be unique: those that are there, or those of all statements, missing ones being one id. */
  readonly uniqueSids?: 'given' | 'all';
  /** Whether a condition key may be there. */
  readonly conditionKey?: (key: string) => boolean;
  /** Whether operators of dates need dates. */
  readonly dates?: boolean;
  /** How much there may be: statements and conditions of a policy, actions and resources of a statement. */
  readonly most?: Readonly<Partial<Record<'Statement' | 'Principal' | 'Condition' | 'Action' | 'Resource', number>>>;
  readonly statement?: StatementRule;
  /** By default problems are reported in the order of the document. */
  readonly order?: ProblemOrder;
}

/** A condition of a statement. */
export interface ParsedCondition {
  /** Name of the operator as the policy spells it. */
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** A statement that a service takes. */
export interface ParsedStatement {
  readonly index: number;
  readonly sid: string | undefined;
  readonly effect: 'Allow' | 'Deny';
  /** Principals by type, `*` being of type `AWS`; empty where the statement has none. */
  readonly principals: readonly { readonly type: string; readonly name: string }[];
  /** Whether it is about all principals but these. */
  readonly exceptPrincipals: boolean;
  readonly actions: readonly string[];
  readonly exceptActions: boolean;
  readonly resources: readonly string[];
  readonly exceptResources: boolean;
  readonly conditions: readonly ParsedCondition[];
}

/** A policy that a service takes. */
export interface ParsedPolicy {
  readonly version: string | undefined;
  readonly id: string | undefined;
  readonly statements: readonly ParsedStatement[];
}

/** A rule that asks for each value by itself. */
export const each =
  (accepts: (value: string) => boolean): ValuesRule =>
  (values) => {
    const value = values.find((one) => !accepts(one));
    return value === undefined ? undefined : { value };
  };

/**
 * A rule for policies about the actions of one service: `*`, or the service's prefix with a name, in which wildcards may
 * stand for at least one that there is.
 * @param names without the prefix; undefined where any name will do
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

/** Whether names match a pattern in which `*` stands for any characters and `?` for one, whatever their case. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const compiled = new Pattern(pattern, { variables: false, wildcards: true, ignoreCase: true });
  return (name) => compiled.matches(name, () => undefined);
}
