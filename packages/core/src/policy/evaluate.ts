import { policyOf, type Statement, type Subject } from './document.ts';
import { mostSpecific, type Naming } from './principals.ts';
import type {
  AttachedPolicy,
  Decision,
  EvaluationRequest,
  MatchedStatement,
  PolicyKind,
  PolicySet,
  Verdict,
} from './types.ts';
import { arnSections, type Lookup } from './wildcards.ts';

/** Evaluates the policies of one request, kind by kind. */
class Evaluation {
  readonly matched: MatchedStatement[] = [];
  readonly missing = new Map<string, string>();
  readonly verdicts: Partial<Record<PolicyKind, Verdict>> = {};
  private readonly subject: Subject;

  constructor(
    private readonly request: EvaluationRequest,
    /** Whether the principal has a permissions boundary. */
    private readonly bounded: boolean,
  ) {
    const { action, resource } = request;
    this.subject = { action: action.toLowerCase(), resource, arn: arnSections(resource) };
  }

  /** Returns the decision of the policies of one kind: a denial overrides permissions. */
  judge(kind: PolicyKind, policies: readonly AttachedPolicy[]): Verdict {
    let verdict: Verdict = 'implicitDeny';
    for (const policy of policies)
      for (const statement of policyOf(policy.document).statements)
        if (this.covers(statement, false)) {
          this.note(kind, policy, statement);
          if (statement.effect === 'Deny') verdict = 'explicitDeny';
          else if (verdict === 'implicitDeny') verdict = 'allowed';
        }
    this.verdicts[kind] = verdict;
    return verdict;
  }

  /** Returns the decision of policies in levels: each level must allow. */
  judgeLevels(kind: PolicyKind, levels: readonly (readonly AttachedPolicy[])[]): Verdict {
    const all = levels.map((policies) => this.judge(kind, policies));
    const verdict = all.includes('explicitDeny')
      ? 'explicitDeny'
      : all.includes('implicitDeny')
        ? 'implicitDeny'
        : 'allowed';
    this.verdicts[kind] = verdict;
    return verdict;
  }

  /** Records the decision of the resource's policy; returns how specifically it names the principal if it allows. */
  judgeResource(kind: 'resource' | 'trust', policy: AttachedPolicy): Naming {
    let allowed: Naming = 'none';
    let denied = false;
    for (const statement of policyOf(policy.document).statements) {
      const naming = this.namingOf(statement);
      if (naming === 'none' || !this.covers(statement, true)) continue;
      this.note(kind, policy, statement);
      if (statement.effect === 'Deny') denied = true;
      else allowed = mostSpecific(allowed, naming);
    }
    this.verdicts[kind] = denied ? 'explicitDeny' : allowed === 'none' ? 'implicitDeny' : 'allowed';
    return denied ? 'none' : allowed;
  }

  private namingOf({ principals, exceptPrincipals, effect }: Statement): Naming {
    if (!principals) return 'none';
    const naming = principals.naming(this.request.principal);
    if (!exceptPrincipals) return naming;
    // AWS's rule: such a denial applies to every principal with a permissions boundary, even an excepted one.
    if (effect === 'Deny' && this.bounded) return 'direct';
    return naming === 'none' ? 'direct' : 'none';
  }

  private covers(statement: Statement, withoutResources: boolean): boolean {
    const { subject } = this;
    if (!statement.coversAction(subject)) return false;
    if (!statement.coversResource(subject, this.lookup, withoutResources)) return false;
    const { conditions } = statement;
    if (!conditions.length) return true;
    // Evaluates every condition, to collect all missing keys.
    let all = true;
    for (const condition of conditions) if (!condition.holds(this.lookup)) all = false;
    return all;
  }

  private note(kind: PolicyKind, policy: AttachedPolicy, { index, sid, effect }: Statement): void {
    this.matched.push({ kind, policy, index, sid, effect });
  }

  private readonly lookup: Lookup = (spelled) => {
    const key = spelled.toLowerCase();
    const value = this.request.context.get(key);
    if (value === undefined && !this.missing.has(key)) this.missing.set(key, spelled);
    return value;
  };
}

/** Returns the account of a request's resource. */
export function ownerOf({ resourceAccountId, resource, principal }: EvaluationRequest): string {
  return resourceAccountId ?? (arnSections(resource)?.[4] || principal.accountId);
}

/** Kinds of policies, in their order of precedence for a denial's message. */
const ORDER: readonly PolicyKind[] = [
  'service-control',
  'resource-control',
  'identity',
  'resource',
  'trust',
  'boundary',
  'session',
];

/** Principals that get permissions only from resources' policies. */
const WITHOUT_IDENTITY: ReadonlySet<string> = new Set(['service', 'federated', 'anonymous']);

/**
 * Decides whether a request is allowed, as AWS does: an explicit denial in any policy wins; control policies must allow
 * on every level; within an account the policies of the identity or of the resource suffice, across accounts both are
 * required; boundaries and session policies limit identities. Never throws.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function evaluate(request: EvaluationRequest, policies: PolicySet): Decision {
  const { principal } = request;
  const { boundary, session, resource, serviceControl, resourceControl } = policies;
  const evaluation = new Evaluation(request, boundary !== undefined);
  const { verdicts, matched, missing } = evaluation;
  if (serviceControl) evaluation.judgeLevels('service-control', serviceControl);
  if (resourceControl) evaluation.judgeLevels('resource-control', resourceControl);
  const withoutIdentity = WITHOUT_IDENTITY.has(principal.type);
  if (principal.type === 'root') verdicts.identity = 'allowed';
  else if (!withoutIdentity) evaluation.judge('identity', policies.identity);
  if (boundary) evaluation.judge('boundary', boundary);
  if (session) evaluation.judge('session', session);
  const kind = resource?.kind ?? 'resource';
  const naming = resource ? evaluation.judgeResource(kind, resource) : 'none';
  const decide = (verdict: Verdict, deniedBy?: PolicyKind): Decision => ({
    verdict,
    deniedBy,
    verdicts,
    matched,
    missingContextKeys: missing.size ? [...missing.values()] : NO_KEYS,
  });

  for (const one of ORDER) if (verdicts[one] === 'explicitDeny') return decide('explicitDeny', one);
  for (const one of ['service-control', 'resource-control'] as const)
    if (verdicts[one] === 'implicitDeny') return decide('implicitDeny', one);
  const deniedBy =
    withoutIdentity || ownerOf(request) !== principal.accountId
      ? deniedFromOutside(verdicts, kind, naming)
      : deniedWithin(verdicts, kind, naming, resource?.mandatory ?? false);
  return deniedBy ? decide('implicitDeny', deniedBy) : decide('allowed');
}

const NO_KEYS: readonly string[] = [];

type Verdicts = Readonly<Partial<Record<PolicyKind, Verdict>>>;

/**
 * Returns the kind of policy that limits an identity first: its own policies, its boundary or its session's policies.
 */
function limitedBy(verdicts: Verdicts, kinds: readonly PolicyKind[]): PolicyKind | undefined {
  return kinds.find((kind) => verdicts[kind] === 'implicitDeny');
}

/** Returns why a request to another account's resource is denied; undefined if it is allowed. */
function deniedFromOutside(verdicts: Verdicts, kind: PolicyKind, naming: Naming): PolicyKind | undefined {
  return naming === 'none' ? kind : limitedBy(verdicts, ['identity', 'boundary', 'session']);
}

/** Returns why a request to a resource of the principal's own account is denied; undefined if it is allowed. */
function deniedWithin(
  verdicts: Verdicts,
  kind: PolicyKind,
  naming: Naming,
  mandatory: boolean,
): PolicyKind | undefined {
  if (naming === 'direct') return undefined;
  if (mandatory && naming === 'none') return kind;
  if (naming === 'role' && !limitedBy(verdicts, ['boundary', 'session'])) return undefined;
  return limitedBy(verdicts, ['identity', 'boundary', 'session']);
}
