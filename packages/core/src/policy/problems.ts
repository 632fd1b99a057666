/**
 * Problems of a policy's text. Services word the messages themselves.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export type ProblemCode =
  /** Exceeds the service's size limit; `count` and `limit` are the sizes. */
  | 'too-large'
  /** Not JSON; `value` is the text. */
  | 'not-json'
  /** JSON, but not an object. */
  | 'not-object'
  /** Duplicate key of an object, in `element`. */
  | 'duplicate-key'
  /** Unknown element of a policy or statement; `element` is its name. */
  | 'unknown-element'
  /** An element has the wrong JSON type. */
  | 'wrong-type'
  /** A statement has both an element and its `Not…`. */
  | 'conflicting-elements'
  | 'missing-version'
  /** Unknown version, in `value`. */
  | 'invalid-version'
  /** Version 2008-10-17, if the service accepts 2012-10-17 only. */
  | 'old-version'
  | 'missing-statement'
  /** `Statement` is an empty list. */
  | 'empty-statement'
  /** A statement is not an object. */
  | 'statement-not-object'
  | 'missing-effect'
  /** Neither `Allow` nor `Deny`; `value` is the effect. */
  | 'invalid-effect'
  /** An effect in the wrong case. */
  | 'effect-case'
  /** Invalid characters in a statement's id. */
  | 'invalid-sid'
  /** Two statements have the same id. */
  | 'duplicate-sid'
  | 'missing-principal'
  /** `Principal` is empty. */
  | 'empty-principal'
  /** Forbidden `Principal` or `NotPrincipal`, in `element`. */
  | 'prohibited-principal'
  /** `Principal` is neither `*` nor an object; `value` is the text, or the first of the list. */
  | 'principal-not-object'
  /** A type of principal unknown to the service, or an invalid principal; `element` is the type. */
  | 'invalid-principal'
  /** Missing or empty `Action` and `NotAction`. */
  | 'missing-action'
  /** Forbidden `NotAction`. */
  | 'prohibited-action'
  /** An action that the service rejects; see `reason`. */
  | 'invalid-action'
  /** Missing or empty `Resource` and `NotResource`. */
  | 'missing-resource'
  /** Forbidden `Resource` or `NotResource`, in `element`. */
  | 'prohibited-resource'
  /** A resource that the service rejects; see `reason`. */
  | 'invalid-resource'
  /** The service's older parser rejects a resource that is otherwise accepted. */
  | 'old-resource'
  /** Actions and resources of a statement do not match. */
  | 'resource-mismatch'
  /** `Condition` is not values by key by operator. */
  | 'invalid-condition'
  /** Unknown condition operator, in `value`. */
  | 'unknown-operator'
  /** A condition key that the service rejects, in `value`. */
  | 'invalid-condition-key'
  /** Invalid value of a date operator, in `value`. */
  | 'invalid-date'
  /** Too many statements, actions, principals, conditions or resources: see `element`, `count`, `limit`. */
  | 'too-many';

/** A problem of a policy and its place. */
export interface PolicyProblem {
  readonly code: ProblemCode;
  /** Index of the statement, from zero; undefined for a problem of the whole document. */
  readonly statement?: number;
  /** Name of the affected element, or type of principal. */
  readonly element?: string;
  /** The invalid value, as text. */
  readonly value?: string;
  /** Reason of the service's own rule that rejects the value. */
  readonly reason?: string;
  /** Number of items, and the limit. */
  readonly count?: number;
  readonly limit?: number;
}

/** The message of a problem. */
export type ProblemSentence = string | ((problem: PolicyProblem) => string);

/** A service's messages of problems. */
export type ProblemSentences = Readonly<
  Partial<Record<ProblemCode, ProblemSentence>> & {
    /** Message of all other codes. */
    otherwise: ProblemSentence;
  }
>;

/** Returns a service's message of a problem. */
export function sentenceFor(problem: PolicyProblem, sentences: ProblemSentences): string {
  const sentence = sentences[problem.code] ?? sentences.otherwise;
  return typeof sentence === 'string' ? sentence : sentence(problem);
}
