import {
  type AuthorizationRequest,
  type ContextValue,
  type Denial,
  identityDirectory,
  type OperationContext,
  type PolicyPrincipal,
  type ResourcePolicy,
  type ServiceAuthorization,
  tagCondition,
} from '@emu/core/service';
import type { AssumeRoleRequest, StsOperations, Tag } from '@emu/service-types/sts';
import type { AwsError } from '@emu/wire';
import { accessDenied } from './errors.ts';
import { federatedUserType } from './resources.ts';
import { nameQualifier, parseSamlProviderArn, readSamlResponse } from './saml/saml.ts';
import { parseRoleArn } from './sessions/roles.ts';
import { parseTarget } from './sessions/root-access.ts';
import type { StsState } from './state.ts';
import { sessionTagging } from './tags.ts';
import { providerOf, readWebIdentityToken, webIdentityClaims } from './web-identity/web-identity.ts';

/** Trust policy that admits nobody, for a role that does not exist. */
const TRUSTS_NOBODY: ResourcePolicy = { id: 'none', document: '{}', kind: 'trust', mandatory: true };

/** Returns the trust policy of the role with an ARN. */
async function trustOf(roleArn: string, ctx: OperationContext): Promise<ResourcePolicy> {
  const role = parseRoleArn(roleArn);
  const identity = role && (await (await ctx.capability(identityDirectory))?.identity(role.arn));
  if (!role || identity?.trustPolicy === undefined) return TRUSTS_NOBODY;
  return { id: role.name, document: identity.trustPolicy, type: 'resource', kind: 'trust', mandatory: true };
}

/** Parameters of a request to assume a role besides the role. */
interface SessionRequest {
  name: string;
  tags?: readonly Tag[] | undefined;
  transitiveTagKeys?: readonly string[] | undefined;
  sourceIdentity?: string | undefined;
  externalId?: string | undefined;
  /** Whether the request contains a code of an MFA device. */
  mfa?: boolean;
  /** Condition keys of the identity provider. */
  claims?: Readonly<Record<string, ContextValue>>;
}

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html */
function conditionOf({ name, tags, transitiveTagKeys, sourceIdentity, externalId, mfa, claims }: SessionRequest) {
  return (key: string): ContextValue | undefined => {
    switch (key) {
      case 'sts:rolesessionname':
        return name;
      case 'sts:externalid':
        return externalId;
      case 'sts:sourceidentity':
        return sourceIdentity;
      case 'sts:transitivetagkeys':
        return transitiveTagKeys;
      case 'aws:multifactorauthpresent':
        return mfa ? 'true' : undefined;
      case 'aws:multifactorauthage':
        return mfa ? '0' : undefined;
      default:
        if (claims && Object.hasOwn(claims, key)) return claims[key];
        return tagCondition(key, { request: sessionTagging.record(tags) });
    }
  };
}

/** Returns the permissions to create a session of a role: to assume it, to set tags and a source identity. */
function assuming(
  action: string,
  resource: string,
  resourcePolicy: ResourcePolicy,
  facts: SessionRequest,
  principal?: PolicyPrincipal,
): AuthorizationRequest[] {
  const condition = conditionOf(facts);
  const needs = (name: string): AuthorizationRequest => ({
    action: `sts:${name}`,
    resource,
    resourcePolicy,
    condition,
    ...(principal && { principal }),
  });
  return [
    needs(action),
    ...(facts.tags?.length ? [needs('TagSession')] : []),
    ...(facts.sourceIdentity === undefined ? [] : [needs('SetSourceIdentity')]),
  ];
}

const federated = (provider: string): PolicyPrincipal => ({
  type: 'federated',
  accountId: '',
  arn: provider,
  provider,
});

async function assumeRole(input: AssumeRoleRequest, ctx: OperationContext): Promise<AuthorizationRequest[]> {
  return assuming('AssumeRole', input.RoleArn, await trustOf(input.RoleArn, ctx), {
    name: input.RoleSessionName,
    tags: input.Tags,
    transitiveTagKeys: input.TransitiveTagKeys,
    sourceIdentity: input.SourceIdentity,
    externalId: input.ExternalId,
    mfa: input.SerialNumber !== undefined,
  });
}

/**
 * Creates the error for a denied request. For callers without an account it does not reveal the required permission.
 */
function denialError({ request: { action }, principal, message }: Denial): AwsError {
  return accessDenied(principal.type === 'federated' ? `Not authorized to perform ${action}` : message);
}

/**
 * Permissions that the operations of STS require. Trust policies decide who can assume roles.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecuritytokenservice.html
 */
export const authorization: ServiceAuthorization<StsOperations, StsState> = {
  operations: {
    AssumeRole: assumeRole,
    AssumeRoleWithWebIdentity: async (input, ctx) => {
      const identity = readWebIdentityToken(input.WebIdentityToken, ctx.clock.now());
      const facts = {
        name: input.RoleSessionName,
        ...identity,
        claims: webIdentityClaims(identity),
      };
      const principal = federated(providerOf(identity.issuer, input.RoleArn, ctx.region));
      return assuming('AssumeRoleWithWebIdentity', input.RoleArn, await trustOf(input.RoleArn, ctx), facts, principal);
    },
    AssumeRoleWithSAML: async (input, ctx) => {
      const response = readSamlResponse(input.SAMLAssertion, ctx.clock.now());
      const provider = parseSamlProviderArn(input.PrincipalArn);
      const claims: Record<string, string> = {
        'saml:aud': response.recipient,
        'saml:iss': response.issuer,
        'saml:sub': response.subject,
        'saml:sub_type': response.subjectType,
        ...(provider && {
          'saml:namequalifier': nameQualifier(response.issuer, provider),
          'saml:doc': `${provider.accountId}/${provider.name}`,
        }),
      };
      const facts = { name: response.sessionName, ...response, claims };
      const trust = await trustOf(input.RoleArn, ctx);
      return assuming('AssumeRoleWithSAML', input.RoleArn, trust, facts, federated(input.PrincipalArn));
    },
    // Reading the own identity and creating a session with the own permissions need no permission.
    GetCallerIdentity: () => [],
    GetSessionToken: () => [],
    GetFederationToken: ({ Name, Tags }, ctx) => {
      const resource = federatedUserType.arn({ name: Name }, ctx);
      const condition = conditionOf({ name: Name, tags: Tags });
      const needs = (action: string): AuthorizationRequest => ({ action: `sts:${action}`, resource, condition });
      return Tags?.length ? [needs('GetFederationToken'), needs('TagSession')] : needs('GetFederationToken');
    },
    AssumeRoot: ({ TargetPrincipal, TaskPolicyArn }, { region, accountId }) => ({
      action: 'sts:AssumeRoot',
      resource: parseTarget(TargetPrincipal, region).arn,
      // The management account of the organization decides, not the account of the root user.
      resourceAccountId: accountId,
      condition: (key) => (key === 'sts:taskpolicyarn' ? TaskPolicyArn.arn : undefined),
    }),
  },
  accessDenied: denialError,
};
