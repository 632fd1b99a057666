import type { AwsError } from '@emu/wire';
import type { OperationContext } from '../plugin/context.ts';
import type { ContextValue, Decision, PolicyPrincipal, ResourcePolicy } from './types.ts';

/** A permission that a call needs. */
export interface AuthorizationRequest {
  /** IAM's name of the action, e.g. `sqs:SendMessage`. */
  readonly action: string;
  /** ARN of the resource; `*` where the action has none. */
  readonly resource: string;
  /** Account of the resource, where its ARN does not say it, as S3's do not. */
  readonly resourceAccountId?: string;
  /** The resource's own policy, where it has one. */
  readonly resourcePolicy?: ResourcePolicy | undefined;
  /**
   * The service's condition keys and those of the resource and the request's tags, asked for only where a policy has
   * conditions.
   * @param key in lower case, e.g. `kms:viaservice`, `aws:resourcetag/team`, `aws:requesttag/team`, `aws:tagkeys`
   */
  condition?(key: string): ContextValue | undefined;
  /** Who asks, where that is not the request's signer: the identity of AssumeRoleWithWebIdentity. */
  readonly principal?: PolicyPrincipal;
  /**
   * Whether the identity's own policies have allowed this by another name of the resource, as those that allow the use
   * of an S3 access point do with its bucket: here only their denials count, and what the resource's policy says.
   */
  readonly identityAllows?: boolean;
  /**
   * Whether the resource's policy cannot take this from the root user of its account, as with the bucket and queue
   * policies that AWS lets root users repair.
   */
  readonly rootKeeps?: boolean;
  /** Whether the call is allowed by something besides policies, as by KMS's grants. Explicit denials win over it. */
  readonly granted?: (() => boolean) | undefined;
  /** Takes the refusal, for operations that tell it of the one resource and do the rest; the call goes on. */
  readonly refused?: (refusal: AwsError) => void;
}

/** What an operation needs. Every permission has to be there; none is needed where the list is empty. */
export type AuthorizationRequests = AuthorizationRequest | readonly AuthorizationRequest[];

/** A call that was refused. */
export interface Denial {
  readonly request: AuthorizationRequest;
  readonly decision: Decision;
  readonly principal: PolicyPrincipal;
  /** AWS's common sentence: `User: … is not authorized to perform: … on resource: … because …`. */
  readonly message: string;
}

/**
 * Service that receives the role which an input member names by its ARN, as principals name the service; with `role`,
 * what the member's value says of the role.
 */
export type PassedRole<State> =
  | string
  | {
      readonly service: string;
      /** Returns the role's ARN; undefined where none is passed. */
      role(value: string, ctx: OperationContext<State>, input: unknown): string | undefined;
    };

/**
 * Members of an input that pass roles to services, by their paths, e.g. `Target.RoleArn`. Paths go through lists; `*` is
 * any member, `**` any number of members.
 */
export type PassedRoles<State> = Readonly<Record<string, PassedRole<State>>>;

/**
 * Which permissions the operations of a service need; asked only where policies are enforced. An operation that is not
 * told otherwise needs `<prefix>:<Operation>` on `*`.
 */
export interface ServiceAuthorization<Operations, State> {
  /** Prefix of the service's actions; its signing name by default. */
  readonly prefix?: string;
  /**
   * Whether resources may be open to callers without a signature, as S3's are: such callers need a permission
   * even while policies are not enforced.
   */
  readonly anonymous?: boolean;
  /**
   * Members of inputs that give roles to services, by operation: whoever names a role there needs `iam:PassRole`, besides
   * what the operation needs.
   */
  readonly roles?: { readonly [Name in keyof Operations]?: PassedRoles<State> };
  /**
   * What an operation needs, by operation; the input has been validated.
   * @throws AwsError where a resource cannot be named, e.g. because it does not exist
   */
  readonly operations?: {
    [Name in keyof Operations]?: Operations[Name] extends { input: infer Input }
      ? (input: Input, ctx: OperationContext<State>) => AuthorizationRequests | Promise<AuthorizationRequests>
      : never;
  };
  /** What an operation needs that `operations` does not list. */
  otherwise?(
    operation: string,
    input: unknown,
    ctx: OperationContext<State>,
  ): AuthorizationRequests | Promise<AuthorizationRequests>;
  /** The refusal in the service's own words; undefined for AWS's common ones. */
  accessDenied?(denial: Denial, ctx: OperationContext<State>): AwsError | undefined;
}
