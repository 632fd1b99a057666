import { defineCollection, type Principal } from '@emu/core/service';
import type { NotificationType, ReceiptFilterPolicy, ReceiptRule } from '@emu/service-types/ses';
import type {
  AccountDetails,
  BehaviorOnMxFailure,
  ContactListImportAction,
  DataFormat,
  DkimSigningAttributesOrigin,
  DkimSigningKeyLength,
  DkimStatus,
  DomainDeliverabilityTrackingOption,
  EventDestinationDefinition,
  EventType,
  FailureInfo,
  HttpsPolicy,
  JobStatus,
  MailFromDomainStatus,
  MessageInsightsFilters,
  Metric,
  MetricAggregation,
  MetricDimensionName,
  ScalingMode,
  SendingStatus,
  SuppressionListImportAction,
  SuppressionListReason,
  SuppressionValidationOptions,
  Tag,
  TlsPolicy,
  Topic,
  TopicPreference,
  VdmAttributes,
  VdmOptions,
  VerificationStatus,
} from '@emu/service-types/sesv2';

/** DKIM settings of an identity. Keys are PEM; `privateKey` is generated on first use. */
export interface DkimRecord {
  enabled: boolean;
  status: DkimStatus;
  origin: DkimSigningAttributesOrigin;
  /** Three selectors of SES-managed keys; empty before VerifyDomainDkim. */
  tokens: string[];
  /** Selector of the customer's own key. */
  selector?: string;
  privateKey?: string;
  length?: DkimSigningKeyLength;
  /** Epoch milliseconds. */
  keyMadeAt?: number;
}

/** MAIL FROM domain of an identity. */
export interface MailFromRecord {
  domain: string;
  status: MailFromDomainStatus;
  behavior: BehaviorOnMxFailure;
}

/** An address or domain identity, by name. */
export interface IdentityRecord {
  name: string;
  type: 'EMAIL_ADDRESS' | 'DOMAIN';
  verification: VerificationStatus;
  /** Value of the TXT record with which version 1 verifies a domain. */
  token: string;
  dkim: DkimRecord;
  mailFrom?: MailFromRecord;
  forwarding: boolean;
  topics: { [Type in NotificationType]?: string };
  headersIn: { [Type in NotificationType]?: boolean };
  configurationSet?: string;
  /** Policies in JSON by name. */
  policies: Record<string, string>;
  tags: Tag[];
  /** Epoch milliseconds. */
  createdAt: number;
  verifiedAt?: number;
  /** Secret of its verification link. */
  secret?: string;
  /** Redirects of that link. */
  redirects?: { success: string; failure: string };
}

/** An event destination of a configuration set, in the form of version 2. */
export interface DestinationRecord extends Omit<EventDestinationDefinition, 'Enabled' | 'MatchingEventTypes'> {
  name: string;
  enabled: boolean;
  types: EventType[];
}

/** A configuration set by name. */
export interface ConfigurationSetRecord {
  name: string;
  tags: Tag[];
  tracking?: { domain: string; https?: HttpsPolicy };
  tlsPolicy?: TlsPolicy;
  pool?: string;
  maxDeliverySeconds?: number;
  reputationMetrics: boolean;
  /** Epoch milliseconds. */
  lastFreshStart?: number;
  sending: boolean;
  suppression?: { reasons?: SuppressionListReason[]; validation?: SuppressionValidationOptions };
  vdm?: VdmOptions;
  destinations: DestinationRecord[];
}

/** Settings of an account in a region. */
export interface AccountRecord {
  sending: boolean;
  /** Whether it is out of the sandbox. */
  production: boolean;
  suppressedReasons: SuppressionListReason[];
  suppressionValidation?: SuppressionValidationOptions;
  details?: AccountDetails;
  vdm?: VdmAttributes;
  autoWarmup: boolean;
  dashboard?: { enabled: boolean; domains: StoredTracking[] };
  /** Name of the active receipt rule set. */
  activeRuleSet?: string;
}

/** A domain on the deliverability dashboard; its date is in epoch milliseconds. */
export type StoredTracking = Omit<DomainDeliverabilityTrackingOption, 'SubscriptionStartDate'> & { startedAt: number };

/** A mail template by name. */
export interface TemplateRecord {
  name: string;
  subject?: string;
  text?: string;
  html?: string;
  tags: Tag[];
  createdAt: number;
}

/** A verification mail template. */
export interface VerificationTemplateRecord {
  name: string;
  from: string;
  subject: string;
  content: string;
  success: string;
  failure: string;
  tags: Tag[];
}

/** A suppressed address. */
export interface SuppressedRecord {
  address: string;
  reason: SuppressionListReason;
  updatedAt: number;
  messageId?: string;
  feedbackId?: string;
}

/** A contact list by name. */
export interface ContactListRecord {
  name: string;
  topics: Topic[];
  description?: string;
  tags: Tag[];
  createdAt: number;
  updatedAt: number;
}

/** A contact by list and address. */
export interface ContactRecord {
  list: string;
  address: string;
  preferences: TopicPreference[];
  unsubscribed: boolean;
  /** JSON. */
  attributes?: string;
  createdAt: number;
  updatedAt: number;
}

/** A receipt rule set by name. */
export interface RuleSetRecord {
  name: string;
  createdAt: number;
  rules: ReceiptRule[];
}

/** A receipt IP filter by name. */
export interface FilterRecord {
  name: string;
  policy: ReceiptFilterPolicy;
  cidr: string;
}

/** A dedicated IP pool by name. */
export interface PoolRecord {
  name: string;
  scaling: ScalingMode;
  tags: Tag[];
}

/** A tenant by name. */
export interface TenantRecord {
  name: string;
  id: string;
  createdAt: number;
  tags: Tag[];
  /** ARNs with the time of their association. */
  resources: Record<string, number>;
}

/** A multi-region endpoint by name. */
export interface EndpointRecord {
  name: string;
  id: string;
  /** Second region; the first is the endpoint's own. */
  regions: string[];
  tags: Tag[];
  createdAt: number;
}

/** Reputation settings of a resource, by ARN. */
export interface ReputationRecord {
  reference: string;
  policy?: string;
  status?: SendingStatus;
  updatedAt: number;
}

/** An import of contacts or suppressed addresses, by id. */
export interface ImportRecord {
  id: string;
  source: { url: string; format: DataFormat };
  /** Caller, who needs the permission to read the file. Missing in jobs of older versions. */
  principal?: Principal;
  suppression?: SuppressionListImportAction;
  contacts?: { list: string; action: ContactListImportAction };
  status: JobStatus;
  createdAt: number;
  completedAt?: number;
  processed: number;
  failed: number;
  failure?: FailureInfo;
}

/** An export of metrics or message insights, by id. Times are epoch milliseconds. */
export interface ExportRecord {
  id: string;
  metrics?: {
    dimensions: { [Name in MetricDimensionName]?: string[] };
    metrics: { name: Metric; aggregation: MetricAggregation }[];
    from: number;
    to: number;
  };
  insights?: {
    include?: MessageInsightsFilters;
    exclude?: MessageInsightsFilters;
    /** Maximum number of rows. */
    most: number;
    from: number;
    to: number;
  };
  format: DataFormat;
  status: JobStatus;
  createdAt: number;
  completedAt?: number;
  processed: number;
  exported: number;
  failure?: FailureInfo;
  /** Content of the result. */
  file?: string;
}

/** An inbox placement test, by id. */
export interface TestReportRecord {
  /** Id of the test. */
  name: string;
  title?: string;
  from: string;
  subject?: string;
  /** MIME message as sent. */
  message: string;
  tags: Tag[];
  /** Epoch milliseconds. */
  createdAt: number;
}

/** Sending statistics of a quarter of an hour, by its start. */
export interface StatisticsRecord {
  at: number;
  attempts: number;
  bounces: number;
  complaints: number;
  rejects: number;
}

/** Secret that signs the links in mails. */
export interface SecretRecord {
  secret: string;
}

export const identityCollection = defineCollection<IdentityRecord>('identities', 'region', { content: ['policies'] });
export const configurationSetCollection = defineCollection<ConfigurationSetRecord>('configuration-sets', 'region');
export const accountCollection = defineCollection<AccountRecord>('account', 'region');
export const templateCollection = defineCollection<TemplateRecord>('templates', 'region', {
  content: ['subject', 'text', 'html'],
});
export const verificationTemplateCollection = defineCollection<VerificationTemplateRecord>(
  'verification-templates',
  'region',
  { content: ['subject', 'content'] },
);
export const suppressedCollection = defineCollection<SuppressedRecord>('suppressed', 'region');
export const contactListCollection = defineCollection<ContactListRecord>('contact-lists', 'region');
export const contactCollection = defineCollection<ContactRecord>('contacts', 'region', { content: ['attributes'] });
export const ruleSetCollection = defineCollection<RuleSetRecord>('receipt-rule-sets', 'region');
export const filterCollection = defineCollection<FilterRecord>('receipt-filters', 'region');
export const poolCollection = defineCollection<PoolRecord>('dedicated-ip-pools', 'region');
export const tenantCollection = defineCollection<TenantRecord>('tenants', 'region');
export const endpointCollection = defineCollection<EndpointRecord>('endpoints', 'region');
export const reputationCollection = defineCollection<ReputationRecord>('reputation', 'region');
export const importCollection = defineCollection<ImportRecord>('imports', 'region');
export const exportCollection = defineCollection<ExportRecord>('exports', 'region', { content: ['file'] });
export const testReportCollection = defineCollection<TestReportRecord>('test-reports', 'region', {
  content: ['subject', 'message'],
});
export const statisticsCollection = defineCollection<StatisticsRecord>('statistics', 'region');
export const secretCollection = defineCollection<SecretRecord>('secrets', 'region');

/** All collections of SES. */
export const collections = [
  identityCollection,
  configurationSetCollection,
  accountCollection,
  templateCollection,
  verificationTemplateCollection,
  suppressedCollection,
  contactListCollection,
  contactCollection,
  ruleSetCollection,
  filterCollection,
  poolCollection,
  tenantCollection,
  endpointCollection,
  reputationCollection,
  importCollection,
  exportCollection,
  testReportCollection,
  statisticsCollection,
  secretCollection,
];
