import { defineCollection } from '@emu/core/service';
import type {
  AuthorizationCodeRecord,
  BrandingRecord,
  BrowserSessionRecord,
  ClientRecord,
  CodeRecord,
  DeviceRecord,
  DomainRecord,
  FederationRecord,
  GrantRecord,
  GroupRecord,
  ImportJobRecord,
  KeyRecord,
  LogDeliveryRecord,
  PasskeyChallengeRecord,
  PasskeyRecord,
  PoolRecord,
  ProviderRecord,
  ResourceServerRecord,
  RiskRecord,
  SamlKeyRecord,
  SessionRecord,
  TermsRecord,
  UiRecord,
  UserRecord,
} from './records.ts';

const regional = <T>(name: string, content?: readonly string[]) =>
  defineCollection<T>(name, 'region', content ? { content } : {});

export const poolCollection = regional<PoolRecord>('pools', ['tags']);
export const clientCollection = regional<ClientRecord>('clients');
export const userCollection = regional<UserRecord>('users', ['attributes', 'pending']);
export const groupCollection = regional<GroupRecord>('groups', ['description']);
export const codeCollection = regional<CodeRecord>('codes', ['destination']);
export const sessionCollection = regional<SessionRecord>('sessions', ['privateChallenge']);
export const grantCollection = regional<GrantRecord>('grants');
export const deviceCollection = regional<DeviceRecord>('devices', ['name']);
export const resourceServerCollection = regional<ResourceServerRecord>('resource-servers');
export const providerCollection = regional<ProviderRecord>('identity-providers', ['details']);
export const domainCollection = regional<DomainRecord>('domains');
export const authorizationCodeCollection = regional<AuthorizationCodeRecord>('authorization-codes');
export const keyCollection = regional<KeyRecord>('keys', ['privateJwk', 'publicJwk']);
export const termsCollection = regional<TermsRecord>('terms', ['links']);
export const riskCollection = regional<RiskRecord>('risk-configurations');
export const browserSessionCollection = regional<BrowserSessionRecord>('browser-sessions');
export const logDeliveryCollection = regional<LogDeliveryRecord>('log-deliveries');
export const uiCollection = regional<UiRecord>('ui-customizations', ['css', 'image']);
export const brandingCollection = regional<BrandingRecord>('brandings', ['settings', 'assets']);
export const importJobCollection = defineCollection<ImportJobRecord>('import-jobs', 'region', {
  bodies: ({ file }) => (file === undefined ? [] : [file]),
});
export const passkeyCollection = regional<PasskeyRecord>('passkeys', ['name']);
export const passkeyChallengeCollection = regional<PasskeyChallengeRecord>('passkey-challenges');
export const federationCollection = regional<FederationRecord>('federations');
export const samlKeyCollection = regional<SamlKeyRecord>('saml-keys', ['privateKey', 'certificate']);

/** All collections. */
export const collections = [
  poolCollection,
  clientCollection,
  userCollection,
  groupCollection,
  codeCollection,
  sessionCollection,
  grantCollection,
  deviceCollection,
  resourceServerCollection,
  providerCollection,
  domainCollection,
  authorizationCodeCollection,
  keyCollection,
  termsCollection,
  riskCollection,
  browserSessionCollection,
  logDeliveryCollection,
  uiCollection,
  brandingCollection,
  importJobCollection,
  passkeyCollection,
  passkeyChallengeCollection,
  federationCollection,
  samlKeyCollection,
];
