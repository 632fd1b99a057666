import type { DeepReadonly } from '@emu/core';
import type {
  AccountTakeoverRiskConfigurationType,
  AnalyticsConfigurationType,
  AssetCategoryType,
  AssetExtensionType,
  AttributeDataType,
  ChallengeNameType,
  ColorSchemeModeType,
  CompromisedCredentialsRiskConfigurationType,
  CreateUserPoolRequest,
  EmailMfaConfigType,
  ExplicitAuthFlowsType,
  IdentityProviderTypeType,
  LogConfigurationType,
  OAuthFlowType,
  PreventUserExistenceErrorTypes,
  RefreshTokenRotationType,
  ResourceServerScopeType,
  RiskExceptionConfigurationType,
  TokenValidityUnitsType,
  UserImportJobStatusType,
  UserPoolMfaType,
  UserStatusType,
  WebAuthnConfigurationType,
} from '@emu/service-types/cognito-idp';
import type { DocumentValue } from '@emu/wire';

/** An attribute of a pool's schema, with every default written out. */
export interface SchemaAttribute {
  /** With its prefix `custom:` or `dev:custom:`, if any. */
  name: string;
  type: AttributeDataType;
  mutable: boolean;
  required: boolean;
  developerOnly: boolean;
  string?: { min?: string; max?: string };
  number?: { min?: string; max?: string };
}

/** Settings of a pool as requests give them, besides those that have members of their own. */
export type PoolSettings = Pick<
  CreateUserPoolRequest,
  | 'Policies'
  | 'DeletionProtection'
  | 'LambdaConfig'
  | 'AutoVerifiedAttributes'
  | 'AliasAttributes'
  | 'UsernameAttributes'
  | 'SmsVerificationMessage'
  | 'EmailVerificationMessage'
  | 'EmailVerificationSubject'
  | 'VerificationMessageTemplate'
  | 'SmsAuthenticationMessage'
  | 'UserAttributeUpdateSettings'
  | 'DeviceConfiguration'
  | 'EmailConfiguration'
  | 'SmsConfiguration'
  | 'AdminCreateUserConfig'
  | 'UserPoolAddOns'
  | 'UsernameConfiguration'
  | 'AccountRecoverySetting'
  | 'UserPoolTier'
>;

/** A user pool. */
export interface PoolRecord {
  id: string;
  name: string;
  createdAt: number;
  updatedAt: number;
  settings: PoolSettings;
  schema: SchemaAttribute[];
  mfa: UserPoolMfaType;
  smsMfaMessage?: string;
  smsMfa?: boolean;
  softwareTokenMfa?: boolean;
  emailMfa?: EmailMfaConfigType;
  webAuthn?: WebAuthnConfigurationType;
  tags: Record<string, string>;
}

/** A secret of an app client. */
export interface ClientSecret {
  id: string;
  value: string;
  createdAt: number;
}

/** An app client. */
export interface ClientRecord {
  id: string;
  poolId: string;
  name: string;
  createdAt: number;
  updatedAt: number;
  secrets: ClientSecret[];
  /** Validities in the units of `units`. */
  refreshTokenValidity: number;
  accessTokenValidity?: number;
  idTokenValidity?: number;
  units?: TokenValidityUnitsType;
  readAttributes?: string[];
  writeAttributes?: string[];
  flows?: ExplicitAuthFlowsType[];
  providers?: string[];
  callbackUrls?: string[];
  logoutUrls?: string[];
  defaultRedirectUri?: string;
  oauthFlows?: OAuthFlowType[];
  oauthScopes?: string[];
  oauth: boolean;
  analytics?: AnalyticsConfigurationType;
  preventUserExistenceErrors?: PreventUserExistenceErrorTypes;
  tokenRevocation: boolean;
  propagateContext: boolean;
  authSessionValidity: number;
  rotation?: RefreshTokenRotationType;
}

/** What is kept of a password: never itself. Both in hexadecimal. */
export interface Verifier {
  salt: string;
  verifier: string;
}

/** An identity of another provider that signs in as a user. */
export interface LinkedIdentity {
  userId: string;
  providerName: string;
  providerType: string;
  /** Whether the user was made by the provider's sign-in. */
  primary: boolean;
  dateCreated: number;
  /** The provider's attribute that has `userId`, where it is not the subject. */
  attributeName?: string;
}

/** Second factors of a user. */
export type MfaMethod = 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | 'EMAIL_OTP';

/** A user. */
export interface UserRecord {
  poolId: string;
  username: string;
  sub: string;
  attributes: Record<string, string>;
  status: UserStatusType;
  enabled: boolean;
  createdAt: number;
  updatedAt: number;
  password?: Verifier;
  /** When a temporary password stops working, in epoch milliseconds. */
  temporaryUntil?: number;
  formerPasswords?: Verifier[];
  groups: string[];
  mfa: MfaMethod[];
  preferredMfa?: MfaMethod;
  /** Whether a passkey is enough where they need a second factor, as far as they have said. */
  passkeyMfa?: boolean;
  /** Base32. */
  totp?: string;
  /** What the user calls the device that has the secret. */
  totpName?: string;
  /** A secret whose first code has not been entered. */
  pendingTotp?: string;
  /** Start of the latest period whose code was used, in seconds: each is good once. */
  totpUsedAt?: number;
  /** The old form of MFA preferences. */
  mfaOptions?: { DeliveryMedium?: 'SMS' | 'EMAIL'; AttributeName?: string }[];
  identities?: LinkedIdentity[];
  /** Values of attributes that wait for their code, where the pool keeps the old value until then. */
  pending?: Record<string, string>;
  /** Wrong passwords in a row, and until when sign-ins are refused. */
  failures?: { count: number; lastAt: number; lockedUntil: number };
}

/** A group of users. */
export interface GroupRecord {
  poolId: string;
  name: string;
  description?: string;
  roleArn?: string;
  precedence?: number;
  createdAt: number;
  updatedAt: number;
}

/** What a code is for. */
export type CodePurpose = 'sign-up' | 'forgot-password' | 'attribute-verification';

/** A code that was sent and waits to be entered. */
export interface CodeRecord {
  poolId: string;
  username: string;
  purpose: CodePurpose;
  attributeName?: string;
  code: string;
  medium: 'EMAIL' | 'SMS';
  destination: string;
  clientId?: string;
  createdAt: number;
  expiresAt: number;
  /** Wrong codes so far. */
  failures: number;
}

/** A round of a custom authentication. */
export interface ChallengeRound {
  challengeName: string;
  challengeResult: boolean;
  challengeMetadata?: string;
}

/** A sign-in that is not finished. */
export interface SessionRecord {
  id: string;
  poolId: string;
  clientId: string;
  /** Undefined where nobody of the name exists and the client is not to notice. */
  username?: string;
  /** The name that was given. */
  givenName: string;
  challenge: ChallengeNameType;
  expiresAt: number;
  /** Whether it began with the administrator's operations. */
  admin: boolean;
  /** Id of the authentication event that it is part of. */
  eventId?: string;
  /** Whether its risk needs a second factor. */
  isAtRisk?: boolean;
  /** Failed answers so far. */
  failures: number;
  /** Secret exponent and public value of SRP in hexadecimal; A of the client. */
  srp?: { a: string; b: string; B: string; salt: string };
  code?: string;
  /** Where and when the code was sent. */
  sent?: { medium: 'EMAIL' | 'SMS'; destination: string; createdAt: number };
  /** Private part of a custom challenge. */
  privateChallenge?: Record<string, string>;
  rounds?: ChallengeRound[];
  custom?: boolean;
  /** A TOTP secret that is being set up. */
  totp?: string;
  deviceKey?: string;
  /** How far a sign-up has come that goes on with signing in. */
  signUp?: 'begun' | 'confirmed';
  /** Challenge that a passkey has to sign, in base64url. */
  passkeyChallenge?: string;
  /** Challenges the user may choose from. */
  available?: ChallengeNameType[];
  /** Set after MFA_SETUP's token was verified. */
  setUp?: boolean;
  /** The first factor was satisfied by what needs no second. */
  isNewPassword?: boolean;
}

/** What one sign-in gave: its refresh token, and what its other tokens stand and fall with. */
export interface GrantRecord {
  /** The `origin_jti` of its tokens. */
  id: string;
  poolId: string;
  clientId: string;
  username: string;
  eventId: string;
  /** Epoch milliseconds. */
  authTime: number;
  expiresAt: number;
  scopes: string[];
  /** Secret part of the refresh token; undefined where there is none. */
  secret?: string;
  /** Secret of the token before, and until when it is still good. */
  former?: { secret: string; until: number };
  nonce?: string;
  /** The audience of its access tokens. */
  resource?: string;
  deviceKey?: string;
  deviceGroupKey?: string;
  /** The provider that signed the user in. */
  provider?: string;
}

/** A device that a user has signed in with. */
export interface DeviceRecord {
  poolId: string;
  username: string;
  key: string;
  groupKey: string;
  name?: string;
  /** Base64, as the client sent them. */
  verifier?: string;
  salt?: string;
  confirmed: boolean;
  remembered: boolean;
  createdAt: number;
  updatedAt: number;
  lastAuthenticatedAt: number;
  lastIp?: string;
}

/** A resource server. */
export interface ResourceServerRecord {
  poolId: string;
  identifier: string;
  name: string;
  scopes?: ResourceServerScopeType[];
}

/** An identity provider. */
export interface ProviderRecord {
  poolId: string;
  name: string;
  type: IdentityProviderTypeType;
  details: Record<string, string>;
  mapping?: Record<string, string>;
  identifiers?: string[];
  createdAt: number;
  updatedAt: number;
}

/** A domain of a pool. */
export interface DomainRecord {
  domain: string;
  poolId: string;
  certificateArn?: string;
  managedLoginVersion: number;
  cloudFront: string;
  version: string;
}

/** An authorization code of the OAuth endpoints. */
export interface AuthorizationCodeRecord {
  code: string;
  poolId: string;
  clientId: string;
  username: string;
  redirectUri: string;
  scopes: string[];
  challenge?: string;
  challengeMethod?: 'S256' | 'plain';
  nonce?: string;
  /** Id of the authentication event of the sign-in. */
  eventId?: string;
  /** The audience of the access token. */
  resource?: string;
  authTime: number;
  expiresAt: number;
}

/** A pair of keys that signs a pool's tokens, as JSON Web Keys. */
export interface KeyRecord {
  poolId: string;
  kid: string;
  privateJwk: Record<string, string>;
  publicJwk: Record<string, string>;
}

/** A terms document of a client. */
export interface TermsRecord {
  id: string;
  poolId: string;
  clientId: string;
  name: string;
  links: Record<string, string>;
  createdAt: number;
  updatedAt: number;
}

/** What is done about risks, for a pool or one of its clients. */
export interface RiskRecord {
  poolId: string;
  /** Empty for the pool. */
  clientId: string;
  compromised?: CompromisedCredentialsRiskConfigurationType;
  takeover?: AccountTakeoverRiskConfigurationType;
  exceptions?: RiskExceptionConfigurationType;
  updatedAt: number;
}

/** Where a pool's logs go. */
export interface LogDeliveryRecord {
  poolId: string;
  configurations: LogConfigurationType[];
}

/** How the classic hosted pages look, for a pool or one of its clients. */
export interface UiRecord {
  poolId: string;
  /** Empty for all of the pool's clients that have none of their own. */
  clientId: string;
  css?: string;
  cssVersion: string;
  /** Base64, with its media type. */
  image?: { type: string; data: string };
  createdAt: number;
  updatedAt: number;
}

/** An image of a branding style. */
export interface BrandingAsset {
  category: AssetCategoryType;
  colorMode: ColorSchemeModeType;
  extension: AssetExtensionType;
  /** Base64. */
  data?: string;
  resourceId?: string;
}

/** How managed login looks for a client. */
export interface BrandingRecord {
  id: string;
  poolId: string;
  clientId: string;
  /** Whether it is the style that Cognito provides. */
  provided: boolean;
  settings?: DocumentValue;
  assets: BrandingAsset[];
  createdAt: number;
  updatedAt: number;
}

/** A job that imports users from a CSV file. */
export interface ImportJobRecord {
  id: string;
  poolId: string;
  name: string;
  roleArn: string;
  status: UserImportJobStatusType;
  /** Signs the URL of the upload. */
  secret: string;
  /** Base URL by which whoever made the job reached emu. */
  endpoint: string;
  /** Body of the uploaded file. */
  file?: string;
  createdAt: number;
  startedAt?: number;
  completedAt?: number;
  imported: number;
  skipped: number;
  failed: number;
  message?: string;
}

/** A passkey of a user. */
export interface PasskeyRecord {
  /** Base64url. */
  id: string;
  poolId: string;
  username: string;
  name: string;
  relyingPartyId: string;
  /** COSE key in base64url. */
  publicKey: string;
  signCount: number;
  attachment?: 'platform' | 'cross-platform';
  transports: string[];
  format: string;
  aaguid: string;
  createdAt: number;
}

/** The challenge of a registration that a user has begun. */
export interface PasskeyChallengeRecord {
  poolId: string;
  username: string;
  /** Base64url. */
  challenge: string;
  expiresAt: number;
}

/** A browser's sign-in at the hosted pages. */
export interface BrowserSessionRecord {
  id: string;
  poolId: string;
  username: string;
  authTime: number;
  expiresAt: number;
  /** How a SAML provider knows the sign-in, which is to end with this one. */
  saml?: SamlSession;
}

/** A sign-in at a SAML provider. */
export interface SamlSession {
  provider: string;
  nameId: string;
  nameIdFormat: string;
  sessionIndex?: string;
}

/** What a client asks for at the authorization endpoint, as far as it has to be kept. */
export interface AuthorizationRequest {
  redirectUri: string;
  scopes: string[];
  responseType: 'code' | 'token';
  oauthState?: string;
  nonce?: string;
  challenge?: string;
  /** The audience that the client wants in its access token. */
  resource?: string;
  /** What OpenID Connect providers are told besides: whether to ask, and whom. */
  prompt?: string;
  loginHint?: string;
}

/** A sign-in, or sign-out, that goes on at an identity provider: its id is what the provider gives back. */
export interface FederationRecord {
  id: string;
  poolId: string;
  clientId: string;
  provider: string;
  authorization?: AuthorizationRequest;
  /** What the provider's ID token has to say. */
  nonce?: string;
  /** Where a browser goes after the sign-out. */
  logoutTo?: string;
  expiresAt: number;
}

/** The key pair of a pool for SAML, in PEM. */
export interface SamlKeyRecord {
  poolId: string;
  privateKey: string;
  certificate: string;
}

export type Pool = DeepReadonly<PoolRecord>;
export type Client = DeepReadonly<ClientRecord>;
export type User = DeepReadonly<UserRecord>;
export type Session = DeepReadonly<SessionRecord>;
export type Grant = DeepReadonly<GrantRecord>;
