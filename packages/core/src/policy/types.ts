import type { Principal } from '../identity/principal.ts';

/** A value of a condition key: one, or several where the key is multivalued. */
export type ContextValue = string | readonly string[];

/** The condition keys of a request. A `Map` is one. */
export interface ConditionContext {
  /** @param key in lower case, e.g. `aws:sourceip` or `aws:resourcetag/team` */
  get(key: string): ContextValue | undefined;
}

/**
 * What a policy is to a request.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies.html#access_policy-types
 */
export type PolicyKind =
  | 'identity'
  | 'boundary'
  | 'session'
  | 'resource'
  | 'trust'
  | 'service-control'
  | 'resource-control';

/** Where a policy comes from, as the policy simulator spells it. */
export type PolicySourceType = 'user' | 'group' | 'role' | 'aws-managed' | 'user-managed' | 'resource' | 'none';

/** A policy and where it is from. */
export interface AttachedPolicy {
  /** The JSON text; compiled once per text. */
  readonly document: string;
  /** Name or id for people, e.g. `ReadOnly` or `PolicyInputList.1`. */
  readonly id: string;
  readonly type?: PolicySourceType;
  /** Of managed policies. */
  readonly arn?: string;
}

/** The policy of the resource a request is for. */
export interface ResourcePolicy extends AttachedPolicy {
  /** `trust` for a role's trust policy, which is worded differently in refusals; `resource` by default. */
  readonly kind?: 'resource' | 'trust';
  /**
   * Whether nobody has access unless this policy gives it, itself or by naming the account, as with KMS keys and roles.
   * Of other resources the policies of the account's own principals suffice.
   */
  readonly mandatory?: boolean;
}

/** Who makes a request, as policies name principals. */
export interface PolicyPrincipal {
  readonly type: Principal['type'] | 'federated';
  /** Empty for federated identities of AssumeRoleWithSAML and AssumeRoleWithWebIdentity, which have no account. */
  readonly accountId: string;
  /** The user's, the session's, or `arn:…:root`. */
  readonly arn: string;
  readonly userId?: string;
  /**
   * Whom a session belongs to: ARN of the role of an assumed-role session, with its path, or of the user who vouches for
   * a federated user.
   */
  readonly entityArn?: string;
  /** Name of a service principal, e.g. `sns.amazonaws.com`. */
  readonly service?: string;
  /** The identity provider of a federated identity, e.g. `accounts.google.com` or a SAML provider's ARN. */
  readonly provider?: string;
}

/** One question: may somebody do something with something? */
export interface EvaluationRequest {
  readonly principal: PolicyPrincipal;
  /** E.g. `sqs:SendMessage`; case does not matter. */
  readonly action: string;
  /** ARN of the resource; `*` where the action has none. */
  readonly resource: string;
  /** Account the resource belongs to; by default the one its ARN names, else the principal's. */
  readonly resourceAccountId?: string;
  readonly context: ConditionContext;
}

/** The policies that take part in an evaluation. */
export interface PolicySet {
  /** Inline and attached policies of the user and its groups, or of the role. */
  readonly identity: readonly AttachedPolicy[];
  /** The permissions boundary; undefined where there is none. */
  readonly boundary?: readonly AttachedPolicy[];
  /** Session policies; undefined where the session was made without any. */
  readonly session?: readonly AttachedPolicy[];
  readonly resource?: ResourcePolicy;
  /** Service control policies by level: root, organizational units, account. Every level has to allow. */
  readonly serviceControl?: readonly (readonly AttachedPolicy[])[];
  /** Resource control policies by level of the resource's account. */
  readonly resourceControl?: readonly (readonly AttachedPolicy[])[];
}

/** A statement that applied to a request. */
export interface MatchedStatement {
  readonly kind: PolicyKind;
  readonly policy: AttachedPolicy;
  /** Position in the policy's `Statement`. */
  readonly index: number;
  readonly sid: string | undefined;
  readonly effect: 'Allow' | 'Deny';
}

/** What one kind of policy says: nothing (`implicitDeny`), yes, or no. */
export type Verdict = 'allowed' | 'explicitDeny' | 'implicitDeny';

/** The answer to a request. */
export interface Decision {
  readonly verdict: Verdict;
  /** The kind of policy a refusal is due to, as AWS names one of them in its message; undefined where it is allowed. */
  readonly deniedBy: PolicyKind | undefined;
  /** What each kind of policy says by itself; kinds that do not take part are missing. */
  readonly verdicts: Readonly<Partial<Record<PolicyKind, Verdict>>>;
  /** Every statement that applied, allowing and denying. */
  readonly matched: readonly MatchedStatement[];
  /** Condition keys, as policies spell them, that statements asked for and the context does not have. */
  readonly missingContextKeys: readonly string[];
}
