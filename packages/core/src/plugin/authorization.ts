import type { AwsError } from '@emu/wire';
import type { AuthorizationRequests, Denial } from '../policy/authorization-request.ts';
import type { OperationContext } from './context.ts';

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
   * Action that an operation needs besides, by operation, where its input gives tags to what it creates, e.g.
   * `CreateQueue: 'TagQueue'`: on the resource of its first permission, and right after it.
   */
  readonly tagOnCreate?: { readonly [Name in keyof Operations]?: string };
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
