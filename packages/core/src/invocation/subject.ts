import type { ControlPolicies } from '../capabilities/control-policies.ts';
import type { Identity, IdentityDirectory } from '../capabilities/identity-directory.ts';
import type { Credential, Principal } from '../identity/principal.ts';
import { roleIdOf } from '../identity/sessions.ts';
import type { AttachedPolicy, PolicyPrincipal } from '../policy/types.ts';
import type { Environment } from '../services/environment.ts';

/** The caller of a request, with its policies. */
export interface RequestSubject {
  readonly principal: PolicyPrincipal;
  /** Principal of the request. */
  readonly caller: Principal;
  /** The registered credential of its signature. */
  readonly credential: Credential | undefined;
  /** The user or role; undefined if it is unknown to IAM, and for other principals. */
  readonly identity: Identity | undefined;
  readonly policies: readonly AttachedPolicy[];
  readonly boundary: readonly AttachedPolicy[] | undefined;
  readonly session: readonly AttachedPolicy[] | undefined;
}

/** A policy that allows everything, for administrators that are unknown to IAM. */
const EVERYTHING: readonly AttachedPolicy[] = [
  {
    id: 'administrator',
    type: 'none',
    document: '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}',
  },
];
const NONE: readonly AttachedPolicy[] = [];

/** The emulator's services of identities and organizations. */
export interface PolicySources {
  readonly directory: IdentityDirectory | undefined;
  readonly organizations: ControlPolicies | undefined;
}

const isPending = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise;

/**
 * Returns the user or role that determines a principal's permissions; undefined for root users, services and anonymous
 * callers.
 */
function entityArnOf({ type, arn, accountId }: Principal, session: Credential['session']): string | undefined {
  switch (type) {
    case 'user':
      return arn;
    case 'assumed-role': {
      const [, partition, role] = /^arn:([^:]+):sts::\d{12}:assumed-role\/([^/]+)\//.exec(arn) ?? [];
      return session?.roleArn ?? `arn:${partition}:iam::${accountId}:role/${role}`;
    }
    case 'federated-user':
      return session?.issuerArn;
    default:
      return undefined;
  }
}

/** Returns the session policies of a session; undefined for a session without any. */
function sessionPoliciesOf(
  { type }: Principal,
  session: Credential['session'],
  directory: IdentityDirectory | undefined,
): readonly AttachedPolicy[] | undefined | Promise<readonly AttachedPolicy[]> {
  const { policies = [], policyArns = [] } = session ?? {};
  // A federated user without session policies has no permissions of its own.
  if (!policies.length && !policyArns.length) return type === 'federated-user' ? NONE : undefined;
  const inline = policies.map((document, index): AttachedPolicy => ({ id: `SessionPolicy.${index + 1}`, document }));
  if (!policyArns.length) return inline;
  const managed = policyArns.map((arn) => directory?.managedPolicy(arn));
  // A deleted policy allows nothing.
  const known = (found: readonly (AttachedPolicy | undefined)[]): AttachedPolicy[] =>
    inline.concat(found.filter((policy) => policy !== undefined));
  return managed.some(isPending) ? Promise.all(managed).then(known) : known(managed as (AttachedPolicy | undefined)[]);
}

/**
 * Whether a principal belongs to a user or role, and not to an earlier one of the same name. Sessions of a role that
 * did not exist in IAM have an id derived from the role's ARN; they belong to the role as soon as it is created.
 */
function isSame({ uniqueId }: Identity, { type, userId }: Principal, entityArn: string): boolean {
  if (type === 'user') return userId === uniqueId;
  if (type !== 'assumed-role') return true;
  const id = userId.slice(0, userId.indexOf(':'));
  return id === uniqueId || id === roleIdOf(entityArn);
}

/** Collects the caller of a request with its policies; a promise only if IAM has to load something. */
export function subjectOf(
  caller: Principal,
  { credentials }: Pick<Environment, 'credentials'>,
  { directory }: PolicySources,
): RequestSubject | Promise<RequestSubject> {
  const credential = caller.accessKeyId === undefined ? undefined : credentials.get(caller.accessKeyId);
  const session = credential?.session;
  const entityArn = entityArnOf(caller, session);
  const isRoot = entityArn?.endsWith(':root') ?? false;
  const identity = entityArn === undefined || isRoot ? undefined : directory?.identity(entityArn);
  const limits = sessionPoliciesOf(caller, session, directory);
  const assemble = (found: Identity | undefined, sessionPolicies: RequestSubject['session']): RequestSubject => {
    const known = found && isSame(found, caller, entityArn!) ? found : undefined;
    const { type, accountId, arn, userId } = caller;
    const boundary = known?.boundary;
    const unlimited = known ? known.policies : credential?.administrator || isRoot ? EVERYTHING : NONE;
    return {
      principal: {
        type,
        accountId,
        arn,
        userId,
        ...(entityArn !== undefined && type !== 'user' && { entityArn: known?.arn ?? entityArn }),
        ...(type === 'service' && { service: arn }),
      },
      caller,
      credential,
      identity: known,
      policies: unlimited,
      boundary: boundary && [boundary],
      session: sessionPolicies,
    };
  };
  if (!isPending(identity) && !isPending(limits)) return assemble(identity, limits);
  return Promise.all([identity, limits]).then(([known, sessionPolicies]) => assemble(known, sessionPolicies));
}
