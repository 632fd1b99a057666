import { AwsError } from '@emu/wire';
import type { CallAuthorization, ServiceCaller } from '../calls/calls.ts';
import { type AssumedRole, type AssumeRoleInput, coreCall } from '../calls/core-calls.ts';
import { identityDirectory } from '../capabilities/identity-directory.ts';
import type { Principal } from '../identity/principal.ts';
import { servicePrincipal, servicePrincipalName } from '../identity/service-principal.ts';
import type { OperationContext } from '../plugin/context.ts';
import { readPolicy, statementsOf, textsOf } from '../policy/json.ts';

/** Assumes roles; implemented by operation contexts and states. */
export interface RoleCaller extends Pick<ServiceCaller, 'call'> {
  readonly accountId: string;
  /** Whether policies are enforced; undefined if unknown. */
  readonly enforced?: boolean;
}

/** A service's rules for its customers' roles. */
export interface ServiceRoleRules {
  /** The service's name in principals. */
  readonly service: string;
  /** Name of the sessions, unless a use of the role has its own. */
  readonly session: string;
  /**
   * Returns the error for a role that cannot be assumed; STS's own error is used without this function, or if it
   * returns undefined.
   */
  refuse?(roleArn: string, refusal: AwsError): Error | undefined;
}

/** A use of a role. */
export interface RoleUse extends Omit<AssumeRoleInput, 'RoleArn' | 'RoleSessionName'> {
  readonly RoleSessionName?: string;
  /** ARN of the resource that uses the role: `aws:SourceArn`. */
  readonly sourceArn?: string;
  /** The caller of AssumeRole: by default the service, in the caller's account. Its account is `aws:SourceAccount`. */
  readonly principal?: Principal;
  readonly cause?: string | undefined;
}

/**
 * Customers' roles that a service assumes. A caller that passes a role also needs `iam:PassRole`:
 * `ServiceAuthorization.roles` lists the input members with roles.
 */
export class ServiceRole {
  constructor(private readonly rules: ServiceRoleRules) {}

  /** Returns the service as the caller of operations in an account. */
  principal(accountId: string): Principal {
    return servicePrincipal(this.rules.service, accountId);
  }

  /**
   * Checks that a role exists and, if policies are enforced, that its trust policy allows the service to assume it.
   * @throws Error of the service
   */
  async check(roleArn: string, caller: RoleCaller, use: RoleUse = {}): Promise<void> {
    if (caller.enforced === false) return;
    try {
      await this.call(roleArn, caller, use, { dryRun: true });
    } catch (error) {
      // Without STS no role can be assumed.
      if (!(error instanceof AwsError) || error.code !== 'NotImplemented') throw this.errorOf(error, roleArn);
    }
  }

  /**
   * Assumes a role.
   * @throws Error of the service, for a role that cannot be assumed
   */
  async assume(roleArn: string, caller: RoleCaller, use: RoleUse = {}): Promise<AssumedRole> {
    try {
      return await this.call(roleArn, caller, use, {});
    } catch (error) {
      throw this.errorOf(error, roleArn);
    }
  }

  /**
   * Whether a role exists and its trust policy names the service, ignoring its conditions: for warnings if policies are
   * not enforced (`OperationContext.wouldRefuse`). True without IAM, and for its roles without a trust policy.
   */
  async isTrusting(roleArn: string, ctx: Pick<OperationContext, 'capability'>): Promise<boolean> {
    const directory = await ctx.capability(identityDirectory);
    if (!directory) return true;
    const role = await directory.identity(roleArn);
    if (role?.trustPolicy === undefined) return role !== undefined;
    const name = servicePrincipalName(this.rules.service);
    return statementsOf(readPolicy(role.trustPolicy)).some(
      ({ Effect, Principal, Action }) =>
        Effect === 'Allow' &&
        (Principal === '*' || textsOf((Principal as { Service?: unknown } | undefined)?.Service).includes(name)) &&
        textsOf(Action).some((action) => ASSUMES.test(action)),
    );
  }

  private call(
    RoleArn: string,
    caller: RoleCaller,
    { sourceArn, cause, principal = this.principal(caller.accountId), ...input }: RoleUse,
    authorize: CallAuthorization,
  ): Promise<AssumedRole> {
    const { accountId } = principal;
    return coreCall(caller)(
      'sts',
      'AssumeRole',
      { RoleArn, RoleSessionName: this.rules.session, ...input },
      {
        accountId,
        principal,
        authorize: { sourceAccount: accountId, ...(sourceArn !== undefined && { sourceArn }), ...authorize },
        ...(cause !== undefined && { cause }),
      },
    );
  }

  private errorOf(error: unknown, roleArn: string): unknown {
    return error instanceof AwsError ? (this.rules.refuse?.(roleArn, error) ?? error) : error;
  }
}

const ASSUMES = /^(?:\*|sts:(?:\*|AssumeRole))$/i;
