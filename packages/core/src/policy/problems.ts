/**
 * What can be wrong with a policy's text. Services word these themselves.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export type ProblemCode =
  /** Longer than the service takes; `count` and `limit` say by how much. */
  | 'too-large'
  /** Not JSON; `value` is the text. */
  | 'not-json'
  /** JSON, but not an object. */
  | 'not-object'
  /** An object has a key twice; `element` is the key. */
  | 'duplicate-key'
  /** An element that policies or statements do not have; `element` is its name. */
  | 'unknown-element'
  /** An element is of the wrong type of JSON. */
  | 'wrong-type'
  /** A statement has an element and its `Not…`. */
  | 'conflicting-elements'
  | 'missing-version'
  /** A version that there is not; `value` is it. */
  | 'invalid-version'
  /** Version 2008-10-17, where the service takes 2012-10-17 only. */
  | 'old-version'
  | 'missing-statement'
  /** `Statement` is an empty list. */
  | 'empty-statement'
  /** A statement is not an object. */
  | 'statement-not-object'
  | 'missing-effect'
  /** Neither `Allow` nor `Deny`; `value` is it. */
  | 'invalid-effect'
  /** An effect in other than its own case. */
  | 'effect-case'
  /** A statement's id has characters that it must not have. */
  | 'invalid-sid'
  /** Two statements have one id. */
  | 'duplicate-sid'
  | 'missing-principal'
  /** `Principal` names nobody. */
  | 'empty-principal'
  /** `Principal` or `NotPrincipal` where policies have none; `element` says which. */
  | 'prohibited-principal'
  /** `Principal` is neither `*` nor an object; `value` is the text, or the first of the list, that it is instead. */
  | 'principal-not-object'
  /** A type of principal that the service does not know, or a principal that is none; `element` is the type. */
  | 'invalid-principal'
  /** Neither `Action` nor `NotAction`, or an empty list. */
  | 'missing-action'
  /** `NotAction` where policies have none. */
  | 'prohibited-action'
  /** An action that the service refuses, for its `reason`. */
  | 'invalid-action'
  /** Neither `Resource` nor `NotResource`, or an empty list. */
  | 'missing-resource'
  /** `Resource` or `NotResource` where policies have none; `element` says which. */
  | 'prohibited-resource'
  /** A resource that the service refuses, for its `reason`. */
  | 'invalid-resource'
  /** The service's older parser refuses a resource that is otherwise accepted. */
  | 'old-resource'
  /** Actions and resources of a statement do not go together. */
  | 'resource-mismatch'
  /** `Condition` is not values by key by operator. */
  | 'invalid-condition'
  /** A condition operator that there is not; `value` is it. */
  | 'unknown-operator'
  /** A condition key that the service refuses; `value` is it. */
  | 'invalid-condition-key'
  /** An operator of dates has something else; `value` is it. */
  | 'invalid-date'
  /** More statements, actions, principals, conditions or resources than there may be: see `element`, `count`, `limit`. */
  | 'too-many';

/** A problem of a policy and where it is. */
export interface PolicyProblem {
  readonly code: ProblemCode;
  /** Position of the statement, from zero; undefined where the problem is the whole document's. */
  readonly statement?: number;
  /** Name of the element, or type of principal, that has the problem. */
  readonly element?: string;
  /** What is there instead, as text. */
  readonly value?: string;
  /** Why a rule of the service's own refuses the value. */
  readonly reason?: string;
  /** How many there are, and how many there may be. */
  readonly count?: number;
  readonly limit?: number;
}

/** A sentence about a problem. */
export type ProblemSentence = string | ((problem: PolicyProblem) => string);

/** How a service words problems. */
export type ProblemSentences = Readonly<
  Partial<Record<ProblemCode, ProblemSentence>> & {
    /** For every code that is not there. */
    otherwise: ProblemSentence;
  }
>;

/** What a service says to a problem. */
export function sentenceFor(problem: PolicyProblem, sentences: ProblemSentences): string {
  const sentence = sentences[problem.code] ?? sentences.otherwise;
  return typeof sentence === 'string' ? sentence : sentence(problem);
}
