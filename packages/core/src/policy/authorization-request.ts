import type { AwsError } from '@emu/wire';
import type { ContextValue, Decision, PolicyPrincipal, ResourcePolicy } from './types.ts';

/** A permission that a call needs. */
export interface AuthorizationRequest {
  /** IAM's name of the action, e.g. `sqs:SendMessage`. */
  readonly action: string;
  /** ARN of the resource; `*` for an action without resources. */
  readonly resource: string;
  /** Account of the resource, if its ARN has none, as in S3. */
  readonly resourceAccountId?: string;
  /** The resource's own policy, if any. */
  readonly resourcePolicy?: ResourcePolicy | undefined;
  /**
   * Looks up the service's condition keys and those of the resource's and the request's tags; called only for policies
   * with conditions.
   * @param key in lower case, e.g. `kms:viaservice`, `aws:resourcetag/team`, `aws:requesttag/team`, `aws:tagkeys`
   */
  condition?(key: string): ContextValue | undefined;
  /** The principal, if it is not the request's signer: the identity of AssumeRoleWithWebIdentity. */
  readonly principal?: PolicyPrincipal;
  /**
   * Whether the identity's own policies already allow this by another name of the resource: those that allow an S3
   * access point also allow its bucket. Then only their denials and the resource's policy count here.
   */
  readonly identityAllows?: boolean;
  /**
   * Whether the resource's policy cannot deny this to the root user of its account: AWS lets root users repair bucket
   * and queue policies.
   */
  readonly rootKeeps?: boolean;
  /** Whether something other than policies allows the call, such as KMS's grants. Explicit denials override it. */
  readonly granted?: (() => boolean) | undefined;
  /** Receives the denial, for operations that report it for one resource and continue with the others. */
  readonly refused?: (refusal: AwsError) => void;
}

/** Permissions that an operation requires, all of them; an empty list requires none. */
export type AuthorizationRequests = AuthorizationRequest | readonly AuthorizationRequest[];

/** A denied call. */
export interface Denial {
  readonly request: AuthorizationRequest;
  readonly decision: Decision;
  readonly principal: PolicyPrincipal;
  /** AWS's common message: `User: … is not authorized to perform: … on resource: … because …`. */
  readonly message: string;
}
