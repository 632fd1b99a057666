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
  /** All codes that wait to be entered. `GET /_emulator/cognito/confirmation-codes` */
  confirmationCodes(): Promise<{ codes: CognitoConfirmationCode[] }> {
    return this.transport.json('GET /_emulator/cognito/confirmation-codes');
  }

  /** Codes one user was sent. `GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}` */
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

  /** Active tokens. `GET /_emulator/cognito/tokens` */
  tokens(): Promise<{ tokens: CognitoToken[] }> {
    return this.transport.json('GET /_emulator/cognito/tokens');
  }

  /**
   * Lets tokens expire: those of a pool, of a user of it, or all. `POST /_emulator/cognito/expire-tokens`
   * @returns how many tokens expired
   */
  expireTokens(request?: CognitoExpireTokensRequest): Promise<{ expiredTokens: number }> {
    return this.transport.json('POST /_emulator/cognito/expire-tokens', { body: request });
  }

  /** Recorded authentication events, oldest first. `GET /_emulator/cognito/auth-events` */
  authEvents(): Promise<{ events: CognitoAuthEvent[] }> {
    return this.transport.json('GET /_emulator/cognito/auth-events');
  }

  /**
   * Makes an OAuth 2.0 authorization code without the hosted sign-in page.
   * `POST /_emulator/cognito/authorization-codes`
   * @throws ApiError 404 for an unknown pool, client or user
   */
  createAuthorizationCode(request: CognitoAuthorizationCodeRequest): Promise<CognitoAuthorizationCode> {
    return this.transport.json('POST /_emulator/cognito/authorization-codes', { body: request });
  }

  /**
   * Marks a password compromised, so that the next AdminInitiateAuth with it says so.
   * `POST /_emulator/cognito/compromised-passwords`
   */
  markPasswordCompromised(request: CognitoCompromisedPasswordRequest): Promise<{ marked: true }> {
    return this.transport.json('POST /_emulator/cognito/compromised-passwords', { body: request });
  }

  /**
   * Sets the risk that threat protection sees in sign-ins. `POST /_emulator/cognito/risk-levels`
   * @throws ApiError 404 for an unknown pool or user
   */
  setRiskLevel(request: CognitoRiskLevelRequest): Promise<{ riskLevel: 'Low' | 'Medium' | 'High' | null }> {
    return this.transport.json('POST /_emulator/cognito/risk-levels', { body: request });
  }

  /**
   * Enrols a software token of a known secret for a user. `POST /_emulator/cognito/software-token`
   * @throws ApiError 400 for a secret that is not base32, 404 for an unknown user
   */
  enrollSoftwareToken(request: CognitoSoftwareTokenRequest): Promise<{ enrolled: true }> {
    return this.transport.json('POST /_emulator/cognito/software-token', { body: request });
  }

  /** Registered passkeys. `GET /_emulator/cognito/webauthn-credentials` */
  webAuthnCredentials(): Promise<{ credentials: CognitoWebAuthnCredential[] }> {
    return this.transport.json('GET /_emulator/cognito/webauthn-credentials');
  }

  /** Calls of pre token generation triggers. `GET /_emulator/cognito/pretokengen/invocations` */
  preTokenGenerationInvocations(): Promise<{ invocations: CognitoPreTokenGenerationInvocation[] }> {
    return this.transport.json('GET /_emulator/cognito/pretokengen/invocations');
  }
}
