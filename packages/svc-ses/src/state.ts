import type { SesBounce, SesEventDelivery } from '@emu/control-client';
import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  RecordBuffer,
  type ServiceCaller,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { ContactBook } from './contacts/contact-book.ts';
import { SentMails } from './events/sent.ts';
import { identityNameOf } from './identities/names.ts';
import { Exports } from './jobs/exports.ts';
import { Imports } from './jobs/imports.ts';
import { SendingRate } from './mail/sending-rate.ts';
import { Statistics } from './mail/statistics.ts';
import { Named } from './named.ts';
import { ReceivedMails } from './receiving/received.ts';
import {
  type AccountRecord,
  accountCollection,
  configurationSetCollection,
  contactCollection,
  contactListCollection,
  endpointCollection,
  exportCollection,
  filterCollection,
  type IdentityRecord,
  identityCollection,
  importCollection,
  poolCollection,
  reputationCollection,
  ruleSetCollection,
  type SecretRecord,
  secretCollection,
  statisticsCollection,
  suppressedCollection,
  templateCollection,
  tenantCollection,
  testReportCollection,
  verificationTemplateCollection,
} from './records.ts';

const ACCOUNT = 'account';
const SECRET = 'links';
const MAX_BOUNCES = 10_000;

/** Settings of a new account: production access, as for most accounts in use. */
const NEW_ACCOUNT: AccountRecord = {
  sending: true,
  production: true,
  suppressedReasons: ['BOUNCE', 'COMPLAINT'],
  autoWarmup: true,
};

/** Recipient counts. */
interface Rates {
  sends: number;
  bounces: number;
  complaints: number;
}

/** SES's state of an account and region, for both APIs. */
export class SesState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Calls other services on behalf of SES. */
  readonly caller: ServiceCaller;
  readonly identities;
  readonly sets;
  readonly templates;
  readonly verificationTemplates;
  readonly suppressed;
  readonly contactLists;
  readonly contacts: ContactBook;
  readonly ruleSets;
  readonly filters;
  readonly pools;
  readonly tenants;
  readonly endpoints;
  readonly reputation;
  readonly testReports;
  readonly imports: Imports;
  readonly exports: Exports;
  readonly statistics: Statistics;
  readonly sent = new SentMails();
  readonly rate = new SendingRate();
  readonly received = new ReceivedMails();
  readonly bounces = new RecordBuffer<SesBounce>(MAX_BOUNCES);
  readonly deliveries = new RecordBuffer<SesEventDelivery>();
  private readonly rates = new Map<string, Rates>();
  private tracked: { version: number; domains: ReadonlySet<string> } | undefined;
  private readonly accounts: Collection<AccountRecord>;
  private readonly secrets: Collection<SecretRecord>;

  constructor(readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.partition = scope.partition;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.caller = scope;
    this.identities = new Named(scope.collection(identityCollection));
    this.sets = new Named(scope.collection(configurationSetCollection));
    this.templates = new Named(scope.collection(templateCollection));
    this.verificationTemplates = new Named(scope.collection(verificationTemplateCollection));
    this.suppressed = new Named(scope.collection(suppressedCollection));
    this.contactLists = new Named(scope.collection(contactListCollection));
    this.contacts = new ContactBook(scope.collection(contactCollection));
    this.ruleSets = new Named(scope.collection(ruleSetCollection));
    this.filters = new Named(scope.collection(filterCollection));
    this.pools = new Named(scope.collection(poolCollection));
    this.tenants = new Named(scope.collection(tenantCollection));
    this.endpoints = new Named(scope.collection(endpointCollection));
    this.reputation = new Named(scope.collection(reputationCollection));
    this.testReports = new Named(scope.collection(testReportCollection));
    this.statistics = new Statistics(scope.collection(statisticsCollection), scope.clock);
    this.accounts = scope.collection(accountCollection);
    this.secrets = scope.collection(secretCollection);
    this.imports = new Imports(this, scope.collection(importCollection));
    this.exports = new Exports(this, scope.collection(exportCollection));
    this.workers = [this.imports, this.exports];
  }

  /** Returns an identity by name; its domain is case-insensitive. */
  identity(name: string): DeepReadonly<IdentityRecord> | undefined {
    return this.identities.get(identityNameOf(name));
  }

  /** Settings of the account. */
  get account(): DeepReadonly<AccountRecord> {
    return this.accounts.get(ACCOUNT) ?? NEW_ACCOUNT;
  }

  changeAccount(change: (draft: AccountRecord) => void): void {
    if (!this.accounts.has(ACCOUNT)) this.accounts.put(ACCOUNT, structuredClone(NEW_ACCOUNT));
    this.accounts.update(ACCOUNT, change);
  }

  /** Secret that signs the links in mails, created on first use. */
  get secret(): string {
    const kept = this.secrets.get(SECRET) ?? this.secrets.put(SECRET, { secret: this.ids.hex(64) });
    return kept.secret;
  }

  /** Returns the recipient counts of a configuration set since the start, for its reputation metrics. */
  reputationOf(set: string): Rates {
    let rates = this.rates.get(set);
    if (!rates) {
      rates = { sends: 0, bounces: 0, complaints: 0 };
      this.rates.set(set, rates);
    }
    return rates;
  }

  /** Whether a domain is a tracking domain of a configuration set. */
  tracks(domain: string): boolean {
    if (this.tracked?.version !== this.sets.version) {
      const domains = new Set(this.sets.list().flatMap(({ tracking }) => (tracking ? [tracking.domain] : [])));
      this.tracked = { version: this.sets.version, domains };
    }
    return this.tracked.domains.has(domain);
  }

  /** Returns a new message id in AWS's form. */
  newMessageId(): string {
    const time = this.clock.now().toString(16).padStart(12, '0');
    return `0100${time}-${this.ids.uuid().replace(/^.{8}/, this.ids.hex(8))}-000000`;
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): SesState => new SesState(scope);
