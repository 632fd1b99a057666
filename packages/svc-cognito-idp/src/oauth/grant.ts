import type { DataPlaneResponse } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { User } from '../records.ts';
import { beginGrant, issueTokens } from '../tokens/issue.ts';
import type { Authorization } from './authorization.ts';
import { grantCode } from './codes.ts';
import { redirect, type SiteRequest, withParameters } from './site.ts';

/**
 * Sends a client its code or tokens.
 * @param eventId of the authentication event of a new sign-in
 */
export async function grantTo(
  request: SiteRequest,
  authorization: Authorization,
  user: User,
  authTime: number,
  headers: Record<string, string | string[]> = {},
  eventId?: string,
): Promise<DataPlaneResponse> {
  const { redirectUri, scopes, oauthState, nonce, challenge, responseType, resource } = authorization;
  if (responseType === 'code') {
    const request_ = {
      redirectUri,
      scopes,
      challenge,
      challengeMethod: challenge === undefined ? undefined : ('S256' as const),
      nonce,
      authTime,
      eventId,
      resource,
    };
    const { code } = grantCode(authorization, user, request_);
    return redirect(withParameters(redirectUri, { code, state: oauthState }), headers);
  }
  try {
    const grant = beginGrant(authorization, user, { scopes, nonce, authTime, eventId, resource, withRefresh: false });
    const tokens = await issueTokens(authorization, user, grant, {
      source: 'TokenGeneration_HostedAuth',
      endpoint: request.http.endpoint,
      without: scopes.includes('openid') ? new Set() : new Set(['id'] as const),
    });
    const answer = {
      access_token: tokens.AccessToken,
      id_token: tokens.IdToken,
      token_type: 'Bearer',
      expires_in: String(tokens.ExpiresIn),
      state: oauthState,
    };
    return redirect(withParameters(redirectUri, answer, true), headers);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const refusal = { error: 'invalid_request', error_description: error.message, state: oauthState };
    return redirect(withParameters(redirectUri, refusal), headers);
  }
}
