import type {
  CognitoAuthEvent,
  CognitoAuthorizationCode,
  CognitoAuthorizationCodeRequest,
  CognitoCompromisedPasswordRequest,
  CognitoConfirmationCode,
  CognitoExpireTokensRequest,
  CognitoPreTokenGenerationInvocation,
  CognitoRiskLevelRequest,
  CognitoSoftwareTokenRequest,
  CognitoToken,
  CognitoUserReference,
  CognitoWebAuthnCredential,
} from '../records/cognito.ts';
import type { ResourceUrl } from '../records/common.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Cognito user pools. */
export const cognito = {
  /** Lists all pending confirmation codes. `GET /_emulator/cognito/confirmation-codes` */
  confirmationCodes: json<{ codes: CognitoConfirmationCode[] }>()('GET /_emulator/cognito/confirmation-codes'),

  /** Lists the codes sent to one user. `GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}` */
  userConfirmationCodes: json<{ codes: CognitoConfirmationCode[] }>()(
    'GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}',
    (userPoolId: string, username: string) => ({
      params: { pool_id: userPoolId, username },
    }),
  ),

  /**
   * Confirms a user without a code. `POST /_emulator/cognito/confirm-user`
   * @throws ApiError 404 for an unknown user
   */
  confirmUser: json<{ confirmed: true }>()('POST /_emulator/cognito/confirm-user', (user: CognitoUserReference) => ({
    body: user,
  })),

  /** Lists the local addresses of all domains of user pools. `GET /_emulator/cognito/urls` */
  urls: json<{ urls: ResourceUrl[] }>()('GET /_emulator/cognito/urls'),

  /** Lists active tokens. `GET /_emulator/cognito/tokens` */
  tokens: json<{ tokens: CognitoToken[] }>()('GET /_emulator/cognito/tokens'),

  /**
   * Expires the tokens of a pool, of a user of it, or all. `POST /_emulator/cognito/expire-tokens`
   * @returns the number of expired tokens
   */
  expireTokens: json<{ expiredTokens: number }>()(
    'POST /_emulator/cognito/expire-tokens',
    (request?: CognitoExpireTokensRequest) => ({ body: request }),
  ),

  /** Lists recorded authentication events, oldest first. `GET /_emulator/cognito/auth-events` */
  authEvents: json<{ events: CognitoAuthEvent[] }>()('GET /_emulator/cognito/auth-events'),

  /**
   * Creates an OAuth 2.0 authorization code without the hosted sign-in page. `POST
   * /_emulator/cognito/authorization-codes`
   * @throws ApiError 404 for an unknown pool, client or user
   */
  createAuthorizationCode: json<CognitoAuthorizationCode>()(
    'POST /_emulator/cognito/authorization-codes',
    (request: CognitoAuthorizationCodeRequest) => ({ body: request }),
  ),

  /**
   * Marks a password as compromised, which the next AdminInitiateAuth with it detects. `POST
   * /_emulator/cognito/compromised-passwords`
   */
  markPasswordCompromised: json<{ marked: true }>()(
    'POST /_emulator/cognito/compromised-passwords',
    (request: CognitoCompromisedPasswordRequest) => ({ body: request }),
  ),

  /**
   * Sets the risk level that threat protection assigns to sign-ins. `POST /_emulator/cognito/risk-levels`
   * @throws ApiError 404 for an unknown pool or user
   */
  setRiskLevel: json<{ riskLevel: 'Low' | 'Medium' | 'High' | null }>()(
    'POST /_emulator/cognito/risk-levels',
    (request: CognitoRiskLevelRequest) => ({ body: request }),
  ),

  /**
   * Registers a software token with a known secret for a user. `POST /_emulator/cognito/software-token`
   * @throws ApiError 400 for a secret that is not base32, 404 for an unknown user
   */
  enrollSoftwareToken: json<{ enrolled: true }>()(
    'POST /_emulator/cognito/software-token',
    (request: CognitoSoftwareTokenRequest) => ({ body: request }),
  ),

  /** Lists registered passkeys. `GET /_emulator/cognito/webauthn-credentials` */
  webAuthnCredentials: json<{ credentials: CognitoWebAuthnCredential[] }>()(
    'GET /_emulator/cognito/webauthn-credentials',
  ),

  /** Lists the invocations of pre token generation triggers. `GET /_emulator/cognito/pretokengen/invocations` */
  preTokenGenerationInvocations: json<{ invocations: CognitoPreTokenGenerationInvocation[] }>()(
    'GET /_emulator/cognito/pretokengen/invocations',
  ),
};

/** Methods for the control routes of Cognito user pools. */
export interface CognitoControl extends MethodsOf<typeof cognito> {}

/** Control routes of Cognito user pools by name. */
export type CognitoRoutes = RoutesOf<typeof cognito>;
