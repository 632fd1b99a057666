import type { User as UserType } from './generated/iam.ts';
import type { User } from './state.ts';

/** A user as listings show it. */
export function describeUser(user: User): UserType {
  return {
    Path: user.path,
    UserName: user.name,
    UserId: user.id,
    Arn: user.arn,
    CreateDate: new Date(user.createdAt),
  };
}
