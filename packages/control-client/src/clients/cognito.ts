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
} from '../routes/cognito.ts';
import { AreaControl } from './area.ts';

/** Control routes of Cognito user pools. */
export class CognitoControl extends AreaControl {
  /** Lists all pending confirmation codes. `GET /_emulator/cognito/confirmation-codes` */
  confirmationCodes(): Promise<{ codes: CognitoConfirmationCode[] }> {
    return this.transport.json('GET /_emulator/cognito/confirmation-codes');
  }

  /** Lists the codes sent to one user. `GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}` */
  userConfirmationCodes(userPoolId: string, username: string): Promise<{ codes: CognitoConfirmationCode[] }> {
    return this.transport.json('GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}', {
      params: { pool_id: userPoolId, username },
    });
  }

  /**
   * Confirms a user without a code. `POST /_emulator/cognito/confirm-user`
   * @throws ApiError 404 for an unknown user
   */
  confirmUser(user: CognitoUserReference): Promise<{ confirmed: true }> {
    return this.transport.json('POST /_emulator/cognito/confirm-user', { body: user });
  }

  /** Lists active tokens. `GET /_emulator/cognito/tokens` */
  tokens(): Promise<{ tokens: CognitoToken[] }> {
    return this.transport.json('GET /_emulator/cognito/tokens');
  }

  /**
   * Expires the tokens of a pool, of a user of it, or all. `POST /_emulator/cognito/expire-tokens`
   * @returns the number of expired tokens
   */
  expireTokens(request?: CognitoExpireTokensRequest): Promise<{ expiredTokens: number }> {
    return this.transport.json('POST /_emulator/cognito/expire-tokens', { body: request });
  }

  /** Lists recorded authentication events, oldest first. `GET /_emulator/cognito/auth-events` */
  authEvents(): Promise<{ events: CognitoAuthEvent[] }> {
    return this.transport.json('GET /_emulator/cognito/auth-events');
  }

  /**
   * Creates an OAuth 2.0 authorization code without the hosted sign-in page. `POST
   * /_emulator/cognito/authorization-codes`
   * @throws ApiError 404 for an unknown pool, client or user
   */
  createAuthorizationCode(request: CognitoAuthorizationCodeRequest): Promise<CognitoAuthorizationCode> {
    return this.transport.json('POST /_emulator/cognito/authorization-codes', { body: request });
  }

  /**
   * Marks a password as compromised, which the next AdminInitiateAuth with it detects. `POST
   * /_emulator/cognito/compromised-passwords`
   */
  markPasswordCompromised(request: CognitoCompromisedPasswordRequest): Promise<{ marked: true }> {
    return this.transport.json('POST /_emulator/cognito/compromised-passwords', { body: request });
  }

  /**
   * Sets the risk level that threat protection assigns to sign-ins. `POST /_emulator/cognito/risk-levels`
   * @throws ApiError 404 for an unknown pool or user
   */
  setRiskLevel(request: CognitoRiskLevelRequest): Promise<{ riskLevel: 'Low' | 'Medium' | 'High' | null }> {
    return this.transport.json('POST /_emulator/cognito/risk-levels', { body: request });
  }

  /**
   * Registers a software token with a known secret for a user. `POST /_emulator/cognito/software-token`
   * @throws ApiError 400 for a secret that is not base32, 404 for an unknown user
   */
  enrollSoftwareToken(request: CognitoSoftwareTokenRequest): Promise<{ enrolled: true }> {
    return this.transport.json('POST /_emulator/cognito/software-token', { body: request });
  }

  /** Lists registered passkeys. `GET /_emulator/cognito/webauthn-credentials` */
  webAuthnCredentials(): Promise<{ credentials: CognitoWebAuthnCredential[] }> {
    return this.transport.json('GET /_emulator/cognito/webauthn-credentials');
  }

  /** Lists the invocations of pre token generation triggers. `GET /_emulator/cognito/pretokengen/invocations` */
  preTokenGenerationInvocations(): Promise<{ invocations: CognitoPreTokenGenerationInvocation[] }> {
    return this.transport.json('GET /_emulator/cognito/pretokengen/invocations');
  }
}
