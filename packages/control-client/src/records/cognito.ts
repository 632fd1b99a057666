import type { Located, Timestamp } from './common.ts';

/** A user of a user pool. */
export interface CognitoUserReference {
  userPoolId: string;
  username: string;
}

/** A pending confirmation code. */
export interface CognitoConfirmationCode extends CognitoUserReference {
  code: string;
  /** `authentication`: second factor of a sign-in, or first factor if the user has chosen a code. */
  purpose: 'sign-up' | 'forgot-password' | 'attribute-verification' | 'authentication';
  /** Attribute being verified, e.g. `email`. */
  attributeName?: string;
  deliveryMedium: 'EMAIL' | 'SMS';
  /** Destination of the code, e.g. an e-mail address. */
  destination: string;
  /** Link in the message that confirms the user, if the pool sends links instead of codes. */
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

/** Selects the tokens of a pool, of a user of it, or all. */
export interface CognitoExpireTokensRequest {
  userPoolId?: string;
  /** Requires `userPoolId`. */
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
  /** Address of the user's device, as reported by it. */
  timezone?: string;
  timestamp: Timestamp;
}

/** Request for an OAuth 2.0 authorization code, as the hosted sign-in page would return it. */
export interface CognitoAuthorizationCodeRequest extends CognitoUserReference {
  clientId: string;
  /** By default the client's first callback URL. */
  redirectUri?: string;
  /** By default all that the client allows. */
  scopes?: string[];
  /** PKCE challenge, with its method `S256` or `plain`. */
  codeChallenge?: string;
  codeChallengeMethod?: 'S256' | 'plain';
  /** Included in the id token. */
  nonce?: string;
}

/** An authorization code for the token endpoint. */
export interface CognitoAuthorizationCode {
  code: string;
  redirectUri: string;
  expiresAt: Timestamp;
}

/** Marks a password as compromised. */
export interface CognitoCompromisedPasswordRequest {
  password: string;
  /** Only in this pool; without it in every pool. */
  userPoolId?: string;
}

/** Risk level that threat protection assigns to sign-ins: of a user, of an address, of both, or of all in the pool. */
export interface CognitoRiskLevelRequest {
  userPoolId: string;
  username?: string;
  ipAddress?: string;
  /** `null` removes the risk level. */
  riskLevel: 'Low' | 'Medium' | 'High' | null;
}

/** Registers a software token. */
export interface CognitoSoftwareTokenRequest extends CognitoUserReference {
  /** Base32. */
  secretCode: string;
}

/** A registered passkey with the data of its attestation. */
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

/** An invocation of a pool's pre token generation trigger, with the changes in its response. */
export interface CognitoPreTokenGenerationInvocation extends Located, CognitoUserReference {
  functionArn: string;
  triggerSource: string;
  /** Version of the trigger event, e.g. `1` or `2`. */
  version: string;
  claimsToAddOrOverride: Record<string, unknown>;
  claimsToSuppress: string[];
  groupsToOverride: string[];
  /** Absent for a successful call. */
  error?: string;
  timestamp: Timestamp;
}
