import type { Principal } from '../identity/principal.ts';

/** Value of a condition key: one, or several for a multivalued key. */
export type ContextValue = string | readonly string[];

/** The condition keys of a request. A `Map` implements it. */
export interface ConditionContext {
  /** @param key in lower case, e.g. `aws:sourceip` or `aws:resourcetag/team` */
  get(key: string): ContextValue | undefined;
}

/**
 * Role of a policy in the evaluation of a request.
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

/** Source of a policy, as the policy simulator spells it. */
export type PolicySourceType = 'user' | 'group' | 'role' | 'aws-managed' | 'user-managed' | 'resource' | 'none';

/** A policy and its source. */
export interface AttachedPolicy {
  /** The JSON text; compiled once per text. */
  readonly document: string;
  /** Name or id for messages, e.g. `ReadOnly` or `PolicyInputList.1`. */
  readonly id: string;
  readonly type?: PolicySourceType;
  /** Of managed policies. */
  readonly arn?: string;
}

/** The policy of a request's resource. */
export interface ResourcePolicy extends AttachedPolicy {
  /** `trust` for a role's trust policy, which has another message in denials; `resource` by default. */
  readonly kind?: 'resource' | 'trust';
  /**
   * Whether this policy is required for access, itself or by naming the account, as for KMS keys and roles. For other
   * resources the policies of the account's own principals suffice.
   */
  readonly mandatory?: boolean;
}

/** The principal of a request, as policies name it. */
export interface PolicyPrincipal {
  readonly type: Principal['type'] | 'federated';
  /** Empty for federated identities of AssumeRoleWithSAML and AssumeRoleWithWebIdentity, which have no account. */
  readonly accountId: string;
  /** ARN of the user or session, or `arn:…:root`. */
  readonly arn: string;
  readonly userId?: string;
  /**
   * Owner of a session: ARN of the role of an assumed-role session, with its path, or of the user who requested a
   * federated user.
   */
  readonly entityArn?: string;
  /** Name of a service principal, e.g. `sns.amazonaws.com`. */
  readonly service?: string;
  /** The identity provider of a federated identity, e.g. `accounts.google.com` or a SAML provider's ARN. */
  readonly provider?: string;
}

/** A request to evaluate: may a principal perform an action on a resource? */
export interface EvaluationRequest {
  readonly principal: PolicyPrincipal;
  /** E.g. `sqs:SendMessage`; case is ignored. */
  readonly action: string;
  /** ARN of the resource; `*` for an action without resources. */
  readonly resource: string;
  /** Account of the resource; by default that of its ARN, else the principal's. */
  readonly resourceAccountId?: string;
  readonly context: ConditionContext;
}

/** The policies of an evaluation. */
export interface PolicySet {
  /** Inline and attached policies of the user and its groups, or of the role. */
  readonly identity: readonly AttachedPolicy[];
  /** The permissions boundary; undefined for none. */
  readonly boundary?: readonly AttachedPolicy[];
  /** Session policies; undefined for a session without any. */
  readonly session?: readonly AttachedPolicy[];
  readonly resource?: ResourcePolicy;
  /** Service control policies by level: root, organizational units, account. Every level must allow. */
  readonly serviceControl?: readonly (readonly AttachedPolicy[])[];
  /** Resource control policies by level of the resource's account. */
  readonly resourceControl?: readonly (readonly AttachedPolicy[])[];
}

/** A statement that applied to a request. */
export interface MatchedStatement {
  readonly kind: PolicyKind;
  readonly policy: AttachedPolicy;
  /** Index in the policy's `Statement`. */
  readonly index: number;
  readonly sid: string | undefined;
  readonly effect: 'Allow' | 'Deny';
}

/** Decision of one kind of policy: none (`implicitDeny`), allowed, or denied. */
export type Verdict = 'allowed' | 'explicitDeny' | 'implicitDeny';

/** The decision on a request. */
export interface Decision {
  readonly verdict: Verdict;
  /** The kind of policy that causes a denial, as AWS names it in its message; undefined if the request is allowed. */
  readonly deniedBy: PolicyKind | undefined;
  /** Decision of each kind of policy by itself; kinds without policies are missing. */
  readonly verdicts: Readonly<Partial<Record<PolicyKind, Verdict>>>;
  /** Every statement that applied, allowing and denying. */
  readonly matched: readonly MatchedStatement[];
  /** Condition keys, as policies spell them, that statements read and the context lacks. */
  readonly missingContextKeys: readonly string[];
}
