import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { deletePasskey, passkeysOf } from '../passkeys/passkeys.ts';
import { beginRegistration, completeRegistration } from '../passkeys/registration.ts';
import { userOfToken } from '../tokens/verify.ts';

export async function StartWebAuthnRegistration(
  input: InputOf<'StartWebAuthnRegistration'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'StartWebAuthnRegistration'>> {
  return { CredentialCreationOptions: beginRegistration(await userOfToken(input.AccessToken, ctx)) };
}

export async function CompleteWebAuthnRegistration(
  input: InputOf<'CompleteWebAuthnRegistration'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'CompleteWebAuthnRegistration'>> {
  await completeRegistration(await userOfToken(input.AccessToken, ctx), input.Credential);
  return {};
}

export async function ListWebAuthnCredentials(
  input: InputOf<'ListWebAuthnCredentials'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'ListWebAuthnCredentials'>> {
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
  input: InputOf<'DeleteWebAuthnCredential'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'DeleteWebAuthnCredential'>> {
  const { user, state } = await userOfToken(input.AccessToken, ctx);
  if (!deletePasskey(user, input.CredentialId, state))
    throw notFound(`Credential ${input.CredentialId} does not exist.`);
  return {};
}
