import type { AwsError } from '@emu/wire';
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
