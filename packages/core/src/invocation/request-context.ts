import type { HttpDetails } from '../plugin/http.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import type { ConditionContext, ContextValue } from '../policy/types.ts';
import { arnSections } from '../policy/wildcards.ts';
import type { Invocation } from '../services/invocation.ts';
import type { Clock } from '../time/clock.ts';
import type { PolicySources, RequestSubject } from './subject.ts';

/** Sources of the global condition keys. */
interface Facts {
  readonly clock: Clock;
  readonly invocation: Invocation;
  readonly subject: RequestSubject;
  readonly request: AuthorizationRequest;
  readonly sources: PolicySources;
}

type Finder = (facts: Facts) => ContextValue | undefined;

/** Returns the authorisation of a call by another service; undefined for requests. */
const serviceCall = ({ invocation }: Facts) =>
  typeof invocation.authorize === 'object' ? invocation.authorize : undefined;

const isService = ({ subject }: Facts): boolean => subject.caller.type === 'service';
const hasIdentity = ({ subject }: Facts): boolean => !isServiceOrPublic.has(subject.caller.type);
const isServiceOrPublic: ReadonlySet<string> = new Set(['service', 'anonymous']);
const calledVia = (facts: Facts): string | undefined => {
  const call = serviceCall(facts);
  return call && !isService(facts) ? `${call.via}.amazonaws.com` : undefined;
};
const session = ({ subject }: Facts) => subject.credential?.session;
const headerOf = (http: HttpDetails | undefined, name: string): string | undefined => {
  const value = http?.headers[name];
  return Array.isArray(value) ? value[0] : value;
};
const isoSeconds = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');

const PRINCIPAL_TYPES: Readonly<Record<string, string>> = {
  root: 'Account',
  user: 'User',
  'assumed-role': 'AssumedRole',
  'federated-user': 'FederatedUser',
  anonymous: 'Anonymous',
};

function resourceAccount({ request, subject }: Facts): string | undefined {
  return request.resourceAccountId ?? (arnSections(request.resource)?.[4] || subject.caller.accountId || undefined);
}

function principalArn({ subject }: Facts): string | undefined {
  const { type, arn } = subject.caller;
  if (type === 'service' || type === 'anonymous') return undefined;
  return type === 'assumed-role' ? subject.principal.entityArn : arn;
}

/** Whether a session was created with MFA; long-term keys lack this condition key. */
function multiFactor(facts: Facts): string | undefined {
  const own = session(facts);
  return own && String(own.mfaAuthenticated ?? false);
}

/**
 * AWS's global condition keys, in lower case.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 */
const GLOBAL: Readonly<Record<string, Finder>> = {
  'aws:currenttime': ({ clock }) => isoSeconds(clock.now()),
  'aws:epochtime': ({ clock }) => String(Math.floor(clock.now() / 1000)),
  'aws:principalarn': principalArn,
  'aws:principalaccount': (facts) => (hasIdentity(facts) ? facts.subject.caller.accountId : undefined),
  'aws:principaltype': ({ subject }) => PRINCIPAL_TYPES[subject.caller.type],
  'aws:principalorgid': (facts) =>
    hasIdentity(facts) ? facts.sources.organizations?.organizationId(facts.subject.caller.accountId) : undefined,
  'aws:principalisawsservice': (facts) => String(isService(facts)),
  'aws:principalservicename': ({ subject }) => subject.principal.service,
  'aws:principalservicenameslist': ({ subject: { principal } }) => principal.service && [principal.service],
  'aws:userid': (facts) => (hasIdentity(facts) ? facts.subject.caller.userId : undefined),
  'aws:username': ({ subject }) =>
    subject.caller.type === 'user' ? subject.caller.arn.slice(subject.caller.arn.lastIndexOf('/') + 1) : undefined,
  'aws:requestedregion': ({ invocation }) => invocation.region,
  'aws:resourceaccount': resourceAccount,
  'aws:resourceorgid': (facts) => {
    const account = resourceAccount(facts);
    return account === undefined ? undefined : facts.sources.organizations?.organizationId(account);
  },
  // An in-process request has no address: it comes from this machine.
  'aws:sourceip': ({ invocation }) => invocation.http && (invocation.http.remoteAddress ?? '127.0.0.1'),
  'aws:useragent': ({ invocation }) => headerOf(invocation.http, 'user-agent'),
  'aws:referer': ({ invocation }) => headerOf(invocation.http, 'referer'),
  'aws:securetransport': ({ invocation }) => invocation.http && String(invocation.http.secure),
  'aws:tokenissuetime': (facts) => {
    const own = session(facts);
    return own && isoSeconds(own.issuedAt);
  },
  'aws:multifactorauthpresent': multiFactor,
  'aws:multifactorauthage': (facts) => {
    const own = session(facts);
    return own?.mfaAuthenticated ? String(Math.floor((facts.clock.now() - own.issuedAt) / 1000)) : undefined;
  },
  'aws:sourceidentity': (facts) => session(facts)?.sourceIdentity,
  'aws:federatedprovider': (facts) => session(facts)?.provider,
  'aws:assumedroot': ({ subject }) =>
    subject.caller.type === 'root' && subject.credential?.session?.policyArns ? 'true' : undefined,
  'aws:viaawsservice': (facts) => String(calledVia(facts) !== undefined),
  'aws:calledvia': (facts) => {
    const via = calledVia(facts);
    return via === undefined ? undefined : [via];
  },
  'aws:calledviafirst': calledVia,
  'aws:calledvialast': calledVia,
  'aws:sourcearn': (facts) => serviceCall(facts)?.sourceArn,
  'aws:sourceaccount': (facts) => serviceCall(facts)?.sourceAccount,
  'aws:sourceorgid': (facts) => {
    const account = serviceCall(facts)?.sourceAccount;
    return account === undefined ? undefined : facts.sources.organizations?.organizationId(account);
  },
};

const PRINCIPAL_TAG = 'aws:principaltag/';

/** Returns a tag of the principal by its key in lower case; the session's own tags have precedence. */
function principalTag({ subject }: Facts, name: string): string | undefined {
  for (const tags of [subject.credential?.session?.tags, subject.identity?.tags])
    for (const [key, value] of Object.entries(tags ?? {})) if (key.toLowerCase() === name) return value;
  return undefined;
}

/** The condition keys of a request, each computed when a policy reads it. */
export class RequestContext implements ConditionContext {
  constructor(private readonly facts: Facts) {}

  get(key: string): ContextValue | undefined {
    const { facts } = this;
    const own = facts.request.condition?.(key);
    if (own !== undefined) return own;
    if (Object.hasOwn(GLOBAL, key)) return GLOBAL[key]!(facts);
    if (key.startsWith(PRINCIPAL_TAG)) return principalTag(facts, key.slice(PRINCIPAL_TAG.length));
    const call = serviceCall(facts);
    if (key.endsWith(':viaservice') && call && !isService(facts))
      return `${call.via}.${facts.invocation.region}.amazonaws.com`;
    if (key.endsWith(':calleraccount')) return facts.subject.caller.accountId;
    const claims = session(facts)?.claims;
    return claims && Object.hasOwn(claims, key) ? claims[key] : undefined;
  }
}
