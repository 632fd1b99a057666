import type { AwsError } from '@emu/wire';
import type { AuthorizationRequest, AuthorizationRequests, Denial } from '../policy/authorization-request.ts';
import type { OperationContext } from './context.ts';

/**
 * Service that receives the role in an input member, as principals name it; with `role`, which reads the role's ARN
 * from the member's value.
 */
export type PassedRole<State> =
  | string
  | {
      /** The service, or a function that returns it for an input. */
      readonly service: string | ((input: unknown) => string);
      /** Returns the ARN of the role, or of each role in a document; undefined for none. */
      role(value: string, ctx: OperationContext<State>, input: unknown): string | readonly string[] | undefined;
    };

/**
 * Input members that pass roles to services, by path, e.g. `Target.RoleArn`. Paths go through lists; `*` is any member,
 * `**` any number of members. Bytes are read as UTF-8 text.
 */
export type PassedRoles<State> = Readonly<Record<string, PassedRole<State>>>;

/** Function that returns permissions for the input of an operation. */
type PermissionOf<Operation, Result, State> = Operation extends { input: infer Input }
  ? (input: Input, ctx: OperationContext<State>) => Result
  : never;

/**
 * Permissions of a service's operations; used only if policies are enforced. By default an operation requires
 * `<prefix>:<Operation>` on `*`.
 */
export interface ServiceAuthorization<Operations, State> {
  /** Prefix of the service's actions; its signing name by default. */
  readonly prefix?: string;
  /**
   * Whether unsigned requests may be allowed, as in S3: they require a permission even if policies are not enforced.
   */
  readonly anonymous?: boolean;
  /** Input members that pass roles to services, by operation: a caller that sets one also needs `iam:PassRole`. */
  readonly roles?: { readonly [Name in keyof Operations]?: PassedRoles<State> };
  /**
   * Operations whose actions have no resource types on AWS: their permission is on `*`, whatever the input names.
   * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html#actions_table
   */
  readonly withoutResource?: { readonly [Name in keyof Operations]?: true };
  /**
   * Additional permission of an operation whose input has tags for the new resource, checked right after its first
   * one: an action on the same resource with the same conditions, e.g. `CreateQueue: 'TagQueue'`, or a function that
   * returns the permission.
   */
  readonly tagOnCreate?: {
    readonly [Name in keyof Operations]?: string | PermissionOf<Operations[Name], AuthorizationRequest, State>;
  };
  /** Functions that return the tags of inputs without a member such as `Tags`, by operation. */
  readonly requestTags?: {
    readonly [Name in keyof Operations]?: Operations[Name] extends { input: infer Input }
      ? (input: Input) => unknown
      : never;
  };
  /**
   * Returns the permissions that an operation requires, by operation; the input is validated.
   * @throws AwsError if a resource cannot be determined, e.g. because it does not exist
   */
  readonly operations?: {
    [Name in keyof Operations]?: PermissionOf<
      Operations[Name],
      AuthorizationRequests | Promise<AuthorizationRequests>,
      State
    >;
  };
  /** Returns the permissions of operations missing in `operations`. */
  otherwise?(
    operation: string,
    input: unknown,
    ctx: OperationContext<State>,
  ): AuthorizationRequests | Promise<AuthorizationRequests>;
  /** Returns the service's own denial; undefined for AWS's common one. */
  accessDenied?(denial: Denial, ctx: OperationContext<State>): AwsError | undefined;
}
