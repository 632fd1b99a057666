import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, SSHPublicKey } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import type { SshKeyRecord } from '../credentials/records.ts';
import { recordsOf } from '../credentials/registrants.ts';
import { fingerprintOf, formatSshKey, parseSshKey } from '../credentials/ssh-key.ts';
import { isActive, statusOf } from '../credentials/status.ts';
import { principalUserName } from '../entities/caller.ts';
import { nowOf, requireUser } from '../entities/lookup.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { iamError, noSuchEntity, quotaExceeded } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';
import type { User } from '../state.ts';

type SshKey = DeepReadonly<SshKeyRecord>;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UploadSSHPublicKey.html */
export function UploadSSHPublicKey(
  input: InputOf<'UploadSSHPublicKey'>,
  ctx: IamContext,
): OutputOf<'UploadSSHPublicKey'> {
  const user = requireUser(ctx.state, input.UserName);
  const { encoding, key } = parseSshKey(input.SSHPublicKeyBody);
  const fingerprint = fingerprintOf(key);
  const keys = recordsOf(ctx.state.sshKeys.values(), { userId: user.id });
  if (keys.some((one) => one.fingerprint === fingerprint))
    throw iamError(
      'DuplicateSSHPublicKeyException',
      'The SSH public key is already associated with the specified IAM user.',
    );
  if (keys.length >= LIMITS.sshKeysPerUser) throw quotaExceeded('SSHPublicKeysPerUser', LIMITS.sshKeysPerUser);
  const id = uniqueId('APKA', ctx.ids);
  const record = ctx.state.sshKeys.put(id, {
    id,
    userId: user.id,
    body: input.SSHPublicKeyBody,
    encoding,
    key,
    fingerprint,
    active: true,
    uploadedAt: nowOf(ctx),
  });
  return { SSHPublicKey: describe(record, user, record.body) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetSSHPublicKey.html */
export function GetSSHPublicKey(input: InputOf<'GetSSHPublicKey'>, ctx: IamContext): OutputOf<'GetSSHPublicKey'> {
  const user = requireUser(ctx.state, input.UserName);
  const record = requireKey(ctx, user, input.SSHPublicKeyId);
  const body = record.encoding === input.Encoding ? record.body : formatSshKey(record.key, input.Encoding);
  return { SSHPublicKey: describe(record, user, body) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListSSHPublicKeys.html */
export function ListSSHPublicKeys(input: InputOf<'ListSSHPublicKeys'>, ctx: IamContext): OutputOf<'ListSSHPublicKeys'> {
  const user = requireUser(ctx.state, input.UserName ?? principalUserName(ctx));
  const { items, next } = paging.page(
    'ListSSHPublicKeys',
    input,
    recordsOf(ctx.state.sshKeys.values(), { userId: user.id }),
    ({ id }) => id,
  );
  const keys = items.map(({ id, active, uploadedAt }) => ({
    UserName: user.name,
    SSHPublicKeyId: id,
    Status: statusOf(active),
    UploadDate: new Date(uploadedAt),
  }));
  return { SSHPublicKeys: keys, ...next };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateSSHPublicKey.html */
export function UpdateSSHPublicKey(
  input: InputOf<'UpdateSSHPublicKey'>,
  ctx: IamContext,
): OutputOf<'UpdateSSHPublicKey'> {
  const { id } = requireKey(ctx, requireUser(ctx.state, input.UserName), input.SSHPublicKeyId);
  const active = isActive(input.Status);
  ctx.state.sshKeys.update(id, (draft) => {
    draft.active = active;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteSSHPublicKey.html */
export function DeleteSSHPublicKey(
  input: InputOf<'DeleteSSHPublicKey'>,
  ctx: IamContext,
): OutputOf<'DeleteSSHPublicKey'> {
  ctx.state.sshKeys.delete(requireKey(ctx, requireUser(ctx.state, input.UserName), input.SSHPublicKeyId).id);
  return NOTHING;
}

function requireKey(ctx: IamContext, user: User, id: string): SshKey {
  const key = ctx.state.sshKeys.get(id);
  if (key?.userId !== user.id) throw noSuchEntity(`The Public Key with id ${id} cannot be found.`);
  return key;
}

const describe = ({ id, fingerprint, active, uploadedAt }: SshKey, user: User, body: string): SSHPublicKey => ({
  UserName: user.name,
  SSHPublicKeyId: id,
  Fingerprint: fingerprint,
  SSHPublicKeyBody: body,
  Status: statusOf(active),
  UploadDate: new Date(uploadedAt),
});
