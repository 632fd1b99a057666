import type { DeepReadonly } from '@emu/core/service';
import type {
  DeleteServiceSpecificCredentialRequest,
  InputOf,
  OutputOf,
  ServiceSpecificCredential,
  ServiceSpecificCredentialMetadata,
} from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import type { ServiceCredentialRecord } from '../credentials/records.ts';
import { recordsOf, usersById } from '../credentials/registrants.ts';
import { checkService, freeName, newSecret, takesApiKeys } from '../credentials/service-specific.ts';
import { isActive, statusOf } from '../credentials/status.ts';
import { principalUserName } from '../entities/caller.ts';
import { nowOf, requireUser } from '../entities/lookup.ts';
import { uniqueId } from '../entities/unique-ids.ts';
import { invalid, noSuchEntity, quotaExceeded } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NOTHING } from '../outputs.ts';
import { paging } from '../paging.ts';

type Credential = DeepReadonly<ServiceCredentialRecord>;

const DAY = 86_400_000;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateServiceSpecificCredential.html */
export function CreateServiceSpecificCredential(
  input: InputOf<'CreateServiceSpecificCredential'>,
  ctx: IamContext,
): OutputOf<'CreateServiceSpecificCredential'> {
  const { ServiceName: service, CredentialAgeDays: age } = input;
  const user = requireUser(ctx.state, input.UserName);
  checkService(service);
  if (age !== undefined && !takesApiKeys(service))
    throw invalid(`CredentialAgeDays is not supported for service ${service}`);
  const { serviceCredentials } = ctx.state;
  const others = recordsOf(serviceCredentials.values(), { userId: user.id }).filter((one) => one.service === service);
  if (others.length >= LIMITS.serviceCredentialsPerUser)
    throw quotaExceeded('ServiceSpecificCredentialsPerUser', LIMITS.serviceCredentialsPerUser);
  const taken = others.map((one) => one.name);
  const name = freeName(user.name, ctx.accountId, taken);
  const id = uniqueId('ACCA', ctx.ids);
  const createdAt = nowOf(ctx);
  const credential = serviceCredentials.put(id, {
    id,
    userId: user.id,
    service,
    name,
    secret: newSecret(service, name, ctx.ids),
    active: true,
    createdAt,
    ...(age !== undefined && { expiresAt: createdAt + age * DAY }),
  });
  return { ServiceSpecificCredential: describeFully(credential, user.name, ctx) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListServiceSpecificCredentials.html */
export function ListServiceSpecificCredentials(
  input: InputOf<'ListServiceSpecificCredentials'>,
  ctx: IamContext,
): OutputOf<'ListServiceSpecificCredentials'> {
  const { ServiceName: service, AllUsers: all } = input;
  if (all && input.UserName !== undefined) throw invalid('UserName and AllUsers cannot be specified together');
  const userId = all ? undefined : requireUser(ctx.state, input.UserName ?? principalUserName(ctx)).id;
  if (service !== undefined) checkService(service);
  const credentials = [...ctx.state.serviceCredentials.values()].filter(
    (one) => (userId === undefined || one.userId === userId) && (service === undefined || one.service === service),
  );
  const { items, next } = paging.page('ListServiceSpecificCredentials', input, credentials, ({ id }) => id);
  const users = usersById(ctx.state);
  const described = items.map((one) => describe(one, users.get(one.userId)!.name, ctx));
  return { ServiceSpecificCredentials: described, ...next };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateServiceSpecificCredential.html */
export function UpdateServiceSpecificCredential(
  input: InputOf<'UpdateServiceSpecificCredential'>,
  ctx: IamContext,
): OutputOf<'UpdateServiceSpecificCredential'> {
  const { credential } = requireCredential(ctx, input);
  const active = isActive(input.Status);
  ctx.state.serviceCredentials.update(credential.id, (draft) => {
    draft.active = active;
  });
  return NOTHING;
}

/**
 * Resets the password of a credential.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ResetServiceSpecificCredential.html
 */
export function ResetServiceSpecificCredential(
  input: InputOf<'ResetServiceSpecificCredential'>,
  ctx: IamContext,
): OutputOf<'ResetServiceSpecificCredential'> {
  const { credential, userName } = requireCredential(ctx, input);
  const reset = ctx.state.serviceCredentials.update(credential.id, (draft) => {
    draft.secret = newSecret(draft.service, draft.name, ctx.ids);
  });
  return { ServiceSpecificCredential: describeFully(reset, userName, ctx) };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteServiceSpecificCredential.html */
export function DeleteServiceSpecificCredential(
  input: InputOf<'DeleteServiceSpecificCredential'>,
  ctx: IamContext,
): OutputOf<'DeleteServiceSpecificCredential'> {
  ctx.state.serviceCredentials.delete(requireCredential(ctx, input).credential.id);
  return NOTHING;
}

function requireCredential(
  ctx: IamContext,
  { UserName, ServiceSpecificCredentialId: id }: DeleteServiceSpecificCredentialRequest,
): { credential: Credential; userName: string } {
  const user = requireUser(ctx.state, UserName ?? principalUserName(ctx));
  const credential = ctx.state.serviceCredentials.get(id);
  if (credential?.userId !== user.id) throw noSuchEntity(`No such credential ${id} exists`);
  return { credential, userName: user.name };
}

function describe(credential: Credential, userName: string, ctx: IamContext): ServiceSpecificCredentialMetadata {
  const { id, service, name, active, createdAt, expiresAt } = credential;
  const expired = expiresAt !== undefined && expiresAt <= ctx.clock.now();
  return {
    UserName: userName,
    Status: expired ? 'Expired' : statusOf(active),
    ...(takesApiKeys(service) ? { ServiceCredentialAlias: name } : { ServiceUserName: name }),
    CreateDate: new Date(createdAt),
    ...(expiresAt !== undefined && { ExpirationDate: new Date(expiresAt) }),
    ServiceSpecificCredentialId: id,
    ServiceName: service,
  };
}

/** Returns a credential with its password, which is only returned at creation and reset. */
function describeFully(credential: Credential, userName: string, ctx: IamContext): ServiceSpecificCredential {
  const { service, secret } = credential;
  const password = takesApiKeys(service) ? { ServiceCredentialSecret: secret } : { ServicePassword: secret };
  return { ...describe(credential, userName, ctx), ...password };
}
