import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';
import { notFound } from '../errors.ts';
import type { CognitoContext } from '../lookup.ts';
import { paging } from '../paging.ts';
import { deletePasskey, passkeysOf } from '../passkeys/passkeys.ts';
import { beginRegistration, completeRegistration } from '../passkeys/registration.ts';
import { userOfToken } from '../tokens/verify.ts';

type Operations = CognitoIdpOperations;

export async function StartWebAuthnRegistration(
  input: Operations['StartWebAuthnRegistration']['input'],
  ctx: CognitoContext,
): Promise<Operations['StartWebAuthnRegistration']['output']> {
  return { CredentialCreationOptions: beginRegistration(await userOfToken(input.AccessToken, ctx)) };
}

export async function CompleteWebAuthnRegistration(
  input: Operations['CompleteWebAuthnRegistration']['input'],
  ctx: CognitoContext,
): Promise<Operations['CompleteWebAuthnRegistration']['output']> {
  await completeRegistration(await userOfToken(input.AccessToken, ctx), input.Credential);
  return {};
}

export async function ListWebAuthnCredentials(
  input: Operations['ListWebAuthnCredentials']['input'],
  ctx: CognitoContext,
): Promise<Operations['ListWebAuthnCredentials']['output']> {
  const { user, state } = await userOfToken(input.AccessToken, ctx);
  return paging
    .page('ListWebAuthnCredentials', input, passkeysOf(user, state), ({ createdAt, id }) => `${createdAt}/${id}`)
    .list((passkey) => ({
      CredentialId: passkey.id,
      FriendlyCredentialName: passkey.name,
      RelyingPartyId: passkey.relyingPartyId,
      ...(passkey.attachment && { AuthenticatorAttachment: passkey.attachment }),
      AuthenticatorTransports: [...passkey.transports],
      CreatedAt: new Date(passkey.createdAt),
    }));
}

export async function DeleteWebAuthnCredential(
  input: Operations['DeleteWebAuthnCredential']['input'],
  ctx: CognitoContext,
): Promise<Operations['DeleteWebAuthnCredential']['output']> {
  const { user, state } = await userOfToken(input.AccessToken, ctx);
  if (!deletePasskey(user, input.CredentialId, state))
    throw notFound(`Credential ${input.CredentialId} does not exist.`);
  return {};
}
