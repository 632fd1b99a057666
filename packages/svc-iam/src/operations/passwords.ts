import type { InputOf, LoginProfile, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { matches, withPassword } from '../credentials/passwords.ts';
import { principalUserName } from '../entities/caller.ts';
import { keyOf, requireUser } from '../entities/lookup.ts';
import { accessDenied, alreadyExists, iamError, invalid, noSuchEntity } from '../errors.ts';
import { NOTHING } from '../outputs.ts';
import type { PasswordRecord } from '../records.ts';
import type { User } from '../state.ts';

type UserWithPassword = User & { password: NonNullable<User['password']> };

/**
 * Sets a user's password.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateLoginProfile.html
 */
export async function CreateLoginProfile(
  input: InputOf<'CreateLoginProfile'>,
  ctx: IamContext,
): Promise<OutputOf<'CreateLoginProfile'>> {
  const user = requireUser(ctx.state, input.UserName ?? principalUserName(ctx));
  if (input.Password === undefined) throw invalid('Password must be specified for IAM users.');
  refuseSecond(user);
  const password = await withPassword(ctx, undefined, input.Password, input.PasswordResetRequired ?? false);
  refuseSecond(requireUser(ctx.state, user.name));
  return { LoginProfile: describe(store(ctx, user, password)) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetLoginProfile.html */
export function GetLoginProfile(input: InputOf<'GetLoginProfile'>, ctx: IamContext): OutputOf<'GetLoginProfile'> {
  return { LoginProfile: describe(requirePassword(ctx, input.UserName ?? principalUserName(ctx))) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateLoginProfile.html */
export async function UpdateLoginProfile(
  input: InputOf<'UpdateLoginProfile'>,
  ctx: IamContext,
): Promise<OutputOf<'UpdateLoginProfile'>> {
  const { password } = requirePassword(ctx, input.UserName);
  const resetRequired = input.PasswordResetRequired ?? password.resetRequired;
  const changed =
    input.Password === undefined
      ? { ...structuredClone(password as PasswordRecord), resetRequired }
      : await withPassword(ctx, password, input.Password, resetRequired);
  store(ctx, requirePassword(ctx, input.UserName), changed);
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteLoginProfile.html */
export function DeleteLoginProfile(
  input: InputOf<'DeleteLoginProfile'>,
  ctx: IamContext,
): OutputOf<'DeleteLoginProfile'> {
  const user = requirePassword(ctx, input.UserName ?? principalUserName(ctx));
  ctx.state.users.update(keyOf(user.name), (draft) => {
    delete draft.password;
  });
  return NOTHING;
}

/** Changes the caller's own password. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ChangePassword.html */
export async function ChangePassword(
  input: InputOf<'ChangePassword'>,
  ctx: IamContext,
): Promise<OutputOf<'ChangePassword'>> {
  if (ctx.principal.type !== 'user')
    throw iamError('InvalidUserTypeException', 'Only IAM Users can change their own password');
  const user = requirePassword(ctx, principalUserName(ctx));
  const [current] = user.password.hashes;
  if (!(await matches(input.OldPassword, current!))) throw accessDenied('The old password was incorrect.');
  const changed = await withPassword(ctx, user.password, input.NewPassword, false);
  store(ctx, requirePassword(ctx, user.name), changed);
  return NOTHING;
}

/**
 * Returns a user with a password.
 * @throws AwsError `NoSuchEntity`
 */
function requirePassword(ctx: IamContext, userName: string): UserWithPassword {
  const user = requireUser(ctx.state, userName);
  if (!user.password) throw noSuchEntity(`Login Profile for User ${userName} cannot be found.`);
  return user as UserWithPassword;
}

function refuseSecond(user: User): void {
  if (user.password) throw alreadyExists(`Login Profile for user ${user.name} already exists.`);
}

const store = (ctx: IamContext, user: User, password: PasswordRecord): UserWithPassword =>
  ctx.state.users.update(keyOf(user.name), (draft) => {
    draft.password = password;
  }) as UserWithPassword;

const describe = ({ name, password }: UserWithPassword): LoginProfile => ({
  UserName: name,
  CreateDate: new Date(password.createdAt),
  PasswordResetRequired: password.resetRequired,
});
