import type { Located, Timestamp } from './common.ts';

/** Names a user of a user pool. */
export interface CognitoUserReference {
  userPoolId: string;
  username: string;
}

/** A code that waits to be entered. */
export interface CognitoConfirmationCode extends CognitoUserReference {
  code: string;
  /** `authentication`: the second factor of a sign-in, or its first where the user has chosen a code. */
  purpose: 'sign-up' | 'forgot-password' | 'attribute-verification' | 'authentication';
  /** The attribute that is verified, e.g. `email`. */
  attributeName?: string;
  deliveryMedium: 'EMAIL' | 'SMS';
  /** Where the code went, e.g. an e-mail address. */
  destination: string;
  /** The address in the message that confirms the user, where the pool sends links in place of codes. */
  link?: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}

/** An active token. */
export interface CognitoToken extends CognitoUserReference {
  clientId: string;
  type: 'access' | 'id' | 'refresh';
  token: string;
  issuedAt: Timestamp;
  expiresAt: Timestamp;
}

/** Whose tokens expire: those of a pool, a user of it, or all. */
export interface CognitoExpireTokensRequest {
  userPoolId?: string;
  /** Needs `userPoolId`. */
  username?: string;
}

/** An authentication event of adaptive authentication. */
export interface CognitoAuthEvent extends CognitoUserReference {
  eventId: string;
  eventType: 'SignIn' | 'SignUp' | 'ForgotPassword' | 'PasswordChange' | 'ResendCode';
  eventResponse: 'Pass' | 'Fail' | 'InProgress';
  clientId?: string;
  riskDecision?: 'NoRisk' | 'AccountTakeover' | 'Block';
  riskLevel?: 'Low' | 'Medium' | 'High';
  compromisedCredentialsDetected?: boolean;
  ipAddress?: string;
  /** User agent of the user's device. */
  deviceName?: string;
  /** Of the user's device, as it says. */
  timezone?: string;
  timestamp: Timestamp;
}

/** Asks for an OAuth 2.0 authorization code as the hosted sign-in page would give it. */
export interface CognitoAuthorizationCodeRequest extends CognitoUserReference {
  clientId: string;
  /** By default the client's first callback URL. */
  redirectUri?: string;
  /** By default all the client allows. */
  scopes?: string[];
  /** PKCE challenge, with its method `S256` or `plain`. */
  codeChallenge?: string;
  codeChallengeMethod?: 'S256' | 'plain';
  /** Goes into the id token. */
  nonce?: string;
}

/** An authorization code for the token endpoint. */
export interface CognitoAuthorizationCode {
  code: string;
  redirectUri: string;
  expiresAt: Timestamp;
}

/** Marks a password as known to attackers. */
export interface CognitoCompromisedPasswordRequest {
  password: string;
  /** Only in this pool; in every pool without it. */
  userPoolId?: string;
}

/** Sets the risk that threat protection sees in sign-ins: of a user, of an address, of both, or of all in the pool. */
export interface CognitoRiskLevelRequest {
  userPoolId: string;
  username?: string;
  ipAddress?: string;
  /** `null` where there is none any more. */
  riskLevel: 'Low' | 'Medium' | 'High' | null;
}

/** Enrols a software token. */
export interface CognitoSoftwareTokenRequest extends CognitoUserReference {
  /** Base32. */
  secretCode: string;
}

/** A registered passkey with what its attestation says. */
export interface CognitoWebAuthnCredential extends CognitoUserReference {
  /** Base64url. */
  credentialId: string;
  friendlyCredentialName: string;
  relyingPartyId: string;
  authenticatorAttachment?: 'platform' | 'cross-platform';
  authenticatorTransports: string[];
  attestationFormat: string;
  /** Authenticator model. */
  aaguid: string;
  signCount: number;
  createdAt: Timestamp;
}

/** A call of a pool's pre token generation trigger, with what its answer changed. */
export interface CognitoPreTokenGenerationInvocation extends Located, CognitoUserReference {
  functionArn: string;
  triggerSource: string;
  /** Version of the trigger event, e.g. `1` or `2`. */
  version: string;
  claimsToAddOrOverride: Record<string, unknown>;
  claimsToSuppress: string[];
  groupsToOverride: string[];
  /** Absent where the call succeeded. */
  error?: string;
  timestamp: Timestamp;
}

/** Control routes of Cognito user pools. */
export interface CognitoRoutes {
  'GET /_emulator/cognito/confirmation-codes': { response: { codes: CognitoConfirmationCode[] } };
  'GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}': { response: { codes: CognitoConfirmationCode[] } };
  'POST /_emulator/cognito/confirm-user': { body: CognitoUserReference; response: { confirmed: true } };
  'GET /_emulator/cognito/tokens': { response: { tokens: CognitoToken[] } };
  'POST /_emulator/cognito/expire-tokens': {
    body?: CognitoExpireTokensRequest;
    response: { expiredTokens: number };
  };
  'GET /_emulator/cognito/auth-events': { response: { events: CognitoAuthEvent[] } };
  'POST /_emulator/cognito/authorization-codes': {
    body: CognitoAuthorizationCodeRequest;
    response: CognitoAuthorizationCode;
  };
  'POST /_emulator/cognito/compromised-passwords': {
    body: CognitoCompromisedPasswordRequest;
    response: { marked: true };
  };
  'POST /_emulator/cognito/risk-levels': {
    body: CognitoRiskLevelRequest;
    response: { riskLevel: 'Low' | 'Medium' | 'High' | null };
  };
  'POST /_emulator/cognito/software-token': { body: CognitoSoftwareTokenRequest; response: { enrolled: true } };
  'GET /_emulator/cognito/webauthn-credentials': { response: { credentials: CognitoWebAuthnCredential[] } };
  'GET /_emulator/cognito/pretokengen/invocations': {
    response: { invocations: CognitoPreTokenGenerationInvocation[] };
  };
}
