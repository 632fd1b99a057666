import type { DeepReadonly } from '@emu/core/service';
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

/** An attribute of a pool's schema, with explicit defaults. */
export interface SchemaAttribute {
  /** Including the prefix `custom:` or `dev:custom:`, if any. */
  name: string;
  type: AttributeDataType;
  mutable: boolean;
  required: boolean;
  developerOnly: boolean;
  string?: { min?: string; max?: string };
  number?: { min?: string; max?: string };
}

/** Settings of a pool in the shape of requests, without those that have members of their own. */
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
  /** Validities, in the units of `units`. */
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

/** Verifier of a password, which itself is not stored. Both in hexadecimal. */
export interface Verifier {
  salt: string;
  verifier: string;
}

/** Identity of another provider linked to a user. */
export interface LinkedIdentity {
  userId: string;
  providerName: string;
  providerType: string;
  /** Whether the provider's sign-in created the user. */
  primary: boolean;
  dateCreated: number;
  /** Provider attribute with `userId`, if other than the subject. */
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
  /** Expiry of a temporary password in epoch milliseconds. */
  temporaryUntil?: number;
  formerPasswords?: Verifier[];
  groups: string[];
  mfa: MfaMethod[];
  preferredMfa?: MfaMethod;
  /** Whether a passkey satisfies a required second factor, if the user has chosen. */
  passkeyMfa?: boolean;
  /** Base32. */
  totp?: string;
  /** The user's name for the device with the secret. */
  totpName?: string;
  /** Secret without a verified code. */
  pendingTotp?: string;
  /** Start of the last period with a used code, in seconds: each code is valid once. */
  totpUsedAt?: number;
  /** Older form of MFA preferences. */
  mfaOptions?: { DeliveryMedium?: 'SMS' | 'EMAIL'; AttributeName?: string }[];
  identities?: LinkedIdentity[];
  /** Attribute values pending verification, in pools that keep the old value until then. */
  pending?: Record<string, string>;
  /** Consecutive wrong passwords, and the end of the lock. */
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

/** Purpose of a code. */
export type CodePurpose = 'sign-up' | 'forgot-password' | 'attribute-verification';

/** A pending code. */
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
  /** Number of wrong codes. */
  failures: number;
}

/** A round of a custom authentication. */
export interface ChallengeRound {
  challengeName: string;
  challengeResult: boolean;
  challengeMetadata?: string;
}

/** A sign-in in progress. */
export interface SessionRecord {
  id: string;
  poolId: string;
  clientId: string;
  /** Undefined if the user does not exist and the client hides that. */
  username?: string;
  /** Name in the request. */
  givenName: string;
  challenge: ChallengeNameType;
  expiresAt: number;
  /** Whether it was started by an administrator operation. */
  admin: boolean;
  /** Id of its authentication event. */
  eventId?: string;
  /** Whether its risk requires a second factor. */
  isAtRisk?: boolean;
  /** Number of wrong answers. */
  failures: number;
  /** SRP's secret exponent and public values, in hexadecimal; `a` is the client's. */
  srp?: { a: string; b: string; B: string; salt: string };
  code?: string;
  /** Destination and time of the code. */
  sent?: { medium: 'EMAIL' | 'SMS'; destination: string; createdAt: number };
  /** Private part of a custom challenge. */
  privateChallenge?: Record<string, string>;
  rounds?: ChallengeRound[];
  custom?: boolean;
  /** TOTP secret being set up. */
  totp?: string;
  deviceKey?: string;
  /** Progress of a sign-up that continues with a sign-in. */
  signUp?: 'begun' | 'confirmed';
  /** Challenge for a passkey, in base64url. */
  passkeyChallenge?: string;
  /** Challenges that the user may choose from. */
  available?: ChallengeNameType[];
  /** Set after MFA_SETUP's token was verified. */
  setUp?: boolean;
  /** Whether the first factor makes a second one unnecessary. */
  isNewPassword?: boolean;
}

/** Result of one sign-in: its refresh token, and the state on which its other tokens depend. */
export interface GrantRecord {
  /** `origin_jti` of its tokens. */
  id: string;
  poolId: string;
  clientId: string;
  username: string;
  eventId: string;
  /** Epoch milliseconds. */
  authTime: number;
  expiresAt: number;
  scopes: string[];
  /** Secret part of the refresh token; undefined if there is none. */
  secret?: string;
  /** Secret of the previous refresh token, and the end of its validity. */
  former?: { secret: string; until: number };
  nonce?: string;
  /** Audience of its access tokens. */
  resource?: string;
  deviceKey?: string;
  deviceGroupKey?: string;
  /** Provider of the sign-in. */
  provider?: string;
}

/** A device of a user. */
export interface DeviceRecord {
  poolId: string;
  username: string;
  key: string;
  groupKey: string;
  name?: string;
  /** Base64, as sent by the client. */
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
  /** Audience of the access token. */
  resource?: string;
  authTime: number;
  expiresAt: number;
}

/** Signing key pair of a pool, as JSON Web Keys. */
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

/** Risk configuration of a pool or client. */
export interface RiskRecord {
  poolId: string;
  /** Empty for the pool. */
  clientId: string;
  compromised?: CompromisedCredentialsRiskConfigurationType;
  takeover?: AccountTakeoverRiskConfigurationType;
  exceptions?: RiskExceptionConfigurationType;
  updatedAt: number;
}

/** Log destinations of a pool. */
export interface LogDeliveryRecord {
  poolId: string;
  configurations: LogConfigurationType[];
}

/** Appearance of the classic hosted pages, for a pool or client. */
export interface UiRecord {
  poolId: string;
  /** Empty for the pool's default. */
  clientId: string;
  css?: string;
  cssVersion: string;
  /** Base64 image with its media type. */
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

/** Managed login branding of a client. */
export interface BrandingRecord {
  id: string;
  poolId: string;
  clientId: string;
  /** Whether it is Cognito's default style. */
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
  /** Secret that signs the upload URL. */
  secret: string;
  /** Base URL with which the creator reached emu. */
  endpoint: string;
  /** Body id of the uploaded file. */
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

/** Challenge of a passkey registration in progress. */
export interface PasskeyChallengeRecord {
  poolId: string;
  username: string;
  /** Base64url. */
  challenge: string;
  expiresAt: number;
}

/** A browser session at the hosted pages. */
export interface BrowserSessionRecord {
  id: string;
  poolId: string;
  username: string;
  authTime: number;
  expiresAt: number;
  /** Session at a SAML provider, which ends with this one. */
  saml?: SamlSession;
}

/** A session at a SAML provider. */
export interface SamlSession {
  provider: string;
  nameId: string;
  nameIdFormat: string;
  sessionIndex?: string;
}

/** The stored parts of a client's authorization request. */
export interface AuthorizationRequest {
  redirectUri: string;
  scopes: string[];
  responseType: 'code' | 'token';
  oauthState?: string;
  nonce?: string;
  challenge?: string;
  /** Requested audience of the access token. */
  resource?: string;
  /** Parameters passed to OpenID Connect providers. */
  prompt?: string;
  loginHint?: string;
}

/** A sign-in or sign-out in progress at an identity provider; the provider returns its id. */
export interface FederationRecord {
  id: string;
  poolId: string;
  clientId: string;
  provider: string;
  authorization?: AuthorizationRequest;
  /** Required nonce of the provider's ID token. */
  nonce?: string;
  /** Redirect URL after the sign-out. */
  logoutTo?: string;
  expiresAt: number;
}

/** SAML key pair of a pool, in PEM. */
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
