import { AwsError } from '@emu/wire';
import type { CallAuthorization, ServiceCaller } from '../calls/calls.ts';
import { type AssumedRole, type AssumeRoleInput, coreCall } from '../calls/core-calls.ts';
import { identityDirectory } from '../capabilities/identity-directory.ts';
import type { Principal } from '../identity/principal.ts';
import { servicePrincipal, servicePrincipalName } from '../identity/service-principal.ts';
import type { OperationContext } from '../plugin/context.ts';
import { readPolicy, statementsOf, textsOf } from '../policy/json.ts';

/** Assumes roles: operation contexts and states do. */
export interface RoleCaller extends Pick<ServiceCaller, 'call'> {
  readonly accountId: string;
  /** Whether policies are enforced; unknown where it is left out. */
  readonly enforced?: boolean;
}

/** How a service uses the roles that customers give it. */
export interface ServiceRoleRules {
  /** The service, as principals name it. */
  readonly service: string;
  /** Name of the sessions, unless a use of the role names its own. */
  readonly session: string;
  /** The error for a role that cannot be assumed; STS's own without it, or where it returns undefined. */
  refuse?(roleArn: string, refusal: AwsError): Error | undefined;
}

/** A use of a role. */
export interface RoleUse extends Omit<AssumeRoleInput, 'RoleArn' | 'RoleSessionName'> {
  readonly RoleSessionName?: string;
  /** ARN of the resource that the role is for: `aws:SourceArn`. */
  readonly sourceArn?: string;
  /** Who assumes the role: by default the service, in the caller's account. Its account is `aws:SourceAccount`. */
  readonly principal?: Principal;
  readonly cause?: string | undefined;
}

/**
 * The roles that customers give to a service, which assumes them. Whoever gives a role needs `iam:PassRole` too:
 * `ServiceAuthorization.roles` lists the members of inputs that name one.
 */
export class ServiceRole {
  constructor(private readonly rules: ServiceRoleRules) {}

  /** Returns the service as the caller of operations in an account. */
  principal(accountId: string): Principal {
    return servicePrincipal(this.rules.service, accountId);
  }

  /**
   * Checks that a role exists and that its trust policy permits the service to assume it, where policies are enforced.
   * @throws Error the service's
   */
  async check(roleArn: string, caller: RoleCaller, use: RoleUse = {}): Promise<void> {
    if (caller.enforced === false) return;
    try {
      await this.call(roleArn, caller, use, { dryRun: true });
    } catch (error) {
      // Without STS nobody can assume a role.
      if (!(error instanceof AwsError) || error.code !== 'NotImplemented') throw this.errorOf(error, roleArn);
    }
  }

  /**
   * Assumes a role.
   * @throws Error the service's, for a role that cannot be assumed
   */
  async assume(roleArn: string, caller: RoleCaller, use: RoleUse = {}): Promise<AssumedRole> {
    try {
      return await this.call(roleArn, caller, use, {});
    } catch (error) {
      throw this.errorOf(error, roleArn);
    }
  }

  /**
   * Whether a role exists and its trust policy names the service, whatever its conditions: for warnings where policies are
   * not enforced (`OperationContext.wouldRefuse`). Without IAM, and for its roles without a trust policy, it is.
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
