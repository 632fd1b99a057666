import { controlPolicies } from '../capabilities/control-policies.ts';
import { identityDirectory } from '../capabilities/identity-directory.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { AuthorizationRequest, AuthorizationRequests } from '../policy/authorization-request.ts';
import { evaluate, ownerOf } from '../policy/evaluate.ts';
import { denialMessage } from '../policy/message.ts';
import { refusal } from '../policy/refusal.ts';
import type { AttachedPolicy, Decision, EvaluationRequest, PolicyPrincipal, PolicySet } from '../policy/types.ts';
import type { Environment } from '../services/environment.ts';
import type { Invocation } from '../services/invocation.ts';
import type { LoadedService, ServiceHost } from '../services/loaded-service.ts';
import { type Authorization, authorizationRequests } from './authorization-requests.ts';
import { RequestContext } from './request-context.ts';
import { type PolicySources, type RequestSubject, subjectOf } from './subject.ts';

const isList = (requests: AuthorizationRequests): requests is readonly AuthorizationRequest[] =>
  Array.isArray(requests);

/**
 * Rejects calls that policies do not allow. Root users have the permissions of their account; all others those of
 * IAM's, their session's and the resources' policies.
 */
export class Enforcement {
  private constructor(
    private readonly environment: Environment,
    private readonly sources: PolicySources,
  ) {}

  /** Loads the services of identities and organizations, if the emulator has them. */
  static async open({ environment, capabilities }: ServiceHost): Promise<Enforcement> {
    const directory = await capabilities.capability(identityDirectory);
    const organizations = await capabilities.capability(controlPolicies);
    return new Enforcement(environment, { directory, organizations });
  }

  /**
   * Checks the permissions of a call.
   * @returns a promise only if something must be loaded or found first
   * @throws AwsError the denial, or an error of the call's resource
   */
  check(service: LoadedService, invocation: Invocation, ctx: OperationContext): Promise<void> | undefined {
    const requests = authorizationRequests(service.plugin, invocation, ctx);
    const subject = subjectOf(invocation.principal, this.environment, this.sources);
    if (!(requests instanceof Promise) && !(subject instanceof Promise)) {
      this.decide(service, invocation, ctx, requests, subject);
      return undefined;
    }
    return Promise.all([requests, subject]).then(([found, who]) => this.decide(service, invocation, ctx, found, who));
  }

  private decide(
    service: LoadedService,
    invocation: Invocation,
    ctx: OperationContext,
    requests: AuthorizationRequests,
    subject: RequestSubject,
  ): void {
    if (!isList(requests)) this.require(service, invocation, ctx, requests, subject);
    else for (const request of requests) this.require(service, invocation, ctx, request, subject);
  }

  /** @throws AwsError for a missing permission */
  private require(
    { plugin, codec }: LoadedService,
    invocation: Invocation,
    ctx: OperationContext,
    request: AuthorizationRequest,
    subject: RequestSubject,
  ): void {
    const { environment, sources } = this;
    const context = new RequestContext({ clock: environment.clock, invocation, subject, request, sources });
    const { action, resource, resourceAccountId, principal = subject.principal } = request;
    const question: EvaluationRequest = {
      principal,
      action,
      resource,
      context,
      ...(resourceAccountId !== undefined && { resourceAccountId }),
    };
    const policies = this.policiesFor(question, request, subject);
    const decision = evaluate(question, policies);
    if (decision.verdict === 'allowed' || passes(decision, request)) return;
    const message = denialMessage(question, decision);
    const authorization = plugin.authorization as Authorization | undefined;
    const error =
      authorization?.accessDenied?.({ request, decision, principal, message }, ctx) ??
      refusal(message, codec.model, invocation.http?.protocol);
    if (!request.refused) throw error;
    request.refused(error);
  }

  private policiesFor(question: EvaluationRequest, request: AuthorizationRequest, subject: RequestSubject): PolicySet {
    const { organizations } = this.sources;
    const { principal } = question;
    const owner = ownerOf(question);
    const repaired = request.rootKeeps && principal.type === 'root' && owner === principal.accountId;
    const resource = repaired ? undefined : request.resourcePolicy;
    const serviceControl = isControlled(principal) ? organizations?.serviceControl(principal.accountId) : undefined;
    const resourceControl = organizations?.resourceControl(owner);
    // The signer's policies do not apply to another principal of the permission.
    const own = request.principal === undefined;
    const { identityAllows } = request;
    const extended = (policies: readonly AttachedPolicy[]) => (identityAllows ? [...policies, ALLOWED] : policies);
    return {
      identity: own ? extended(subject.policies) : NO_POLICIES,
      ...(own && subject.boundary && { boundary: extended(subject.boundary) }),
      ...(own && subject.session && { session: extended(subject.session) }),
      ...(resource && { resource }),
      ...(serviceControl && { serviceControl }),
      ...(resourceControl && { resourceControl }),
    };
  }
}

/** Represents permissions that policies grant by another name of the resource. */
const ALLOWED: AttachedPolicy = {
  id: 'allowed',
  document: '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}',
};

const NO_POLICIES: PolicySet['identity'] = [];

/** Whether service control policies apply to a principal: they do not apply to services and their linked roles. */
function isControlled({ type, entityArn }: PolicyPrincipal): boolean {
  if (type === 'service' || type === 'anonymous' || type === 'federated') return false;
  return !entityArn?.includes(':role/aws-service-role/');
}

/** Whether something other than policies allows the call unless they deny it. */
function passes({ verdict }: Decision, { granted }: AuthorizationRequest): boolean {
  return verdict === 'implicitDeny' && (granted?.() ?? false);
}
