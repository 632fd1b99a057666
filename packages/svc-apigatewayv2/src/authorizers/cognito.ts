import { type Principal, servicePrincipalName } from '@emu/core/service';
import type { Apigatewayv2State } from '../state.ts';

/** Identity pool identity that signed a request. */
export interface CognitoIdentity {
  readonly identityId: string;
  readonly identityPoolId: string;
  /** Authentication of the identity: `authenticated` or `unauthenticated`, and its providers. */
  readonly amr: readonly string[];
}

const PROVIDER = servicePrincipalName('cognito-identity');

const textsOf = (claim: string | string[] | undefined): string[] => (claim === undefined ? [] : [claim].flat());

/**
 * Returns the identity pool identity that signed a request; undefined for other credentials.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/iam-roles.html
 */
export function cognitoIdentityOf(
  { accessKeyId }: Principal,
  { service }: Pick<Apigatewayv2State, 'service'>,
): CognitoIdentity | undefined {
  const claims = accessKeyId === undefined ? undefined : service.credentials.get(accessKeyId)?.session?.claims;
  const [identityId] = textsOf(claims?.[`${PROVIDER}:sub`]);
  const [identityPoolId] = textsOf(claims?.[`${PROVIDER}:aud`]);
  if (identityId === undefined || identityPoolId === undefined) return undefined;
  return { identityId, identityPoolId, amr: textsOf(claims?.[`${PROVIDER}:amr`]) };
}

/** Returns the identity pool members of `requestContext.identity` (version 1.0) and `$context.identity`. */
export function cognitoMembers({ identityId, identityPoolId, amr }: CognitoIdentity): Record<string, string> {
  const [type = 'unauthenticated', ...providers] = amr;
  return {
    cognitoAuthenticationType: type,
    ...(providers.length > 0 && { cognitoAuthenticationProvider: providers.join(',') }),
    cognitoIdentityId: identityId,
    cognitoIdentityPoolId: identityPoolId,
  };
}
