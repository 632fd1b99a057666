import type { Collection, DeepReadonly, StateScope } from '@emu/core/service';
import {
  type MfaDeviceRecord,
  mfaDeviceCollection,
  type ServiceCredentialRecord,
  type SigningCertificateRecord,
  type SshKeyRecord,
  serviceCredentialCollection,
  signingCertificateCollection,
  sshKeyCollection,
} from './credentials/records.ts';
import { type DelegationRequestRecord, delegationRequestCollection } from './delegation-records.ts';
import {
  type OidcProviderRecord,
  oidcProviderCollection,
  type SamlProviderRecord,
  samlProviderCollection,
} from './identity-providers/records.ts';
import {
  type AccountRecord,
  accountCollection,
  type DeletionTaskRecord,
  deletionTaskCollection,
  type GroupRecord,
  groupCollection,
  type InstanceProfileRecord,
  instanceProfileCollection,
  type PolicyRecord,
  policyCollection,
  type RoleRecord,
  roleCollection,
  type ServerCertificateRecord,
  serverCertificateCollection,
  type UserRecord,
  userCollection,
} from './records.ts';
import {
  type AccessJobRecord,
  accessJobCollection,
  type CredentialReportRecord,
  credentialReportCollection,
  type OrganizationsJobRecord,
  organizationsJobCollection,
} from './reports/records.ts';

export type User = DeepReadonly<UserRecord>;
export type Group = DeepReadonly<GroupRecord>;
export type Role = DeepReadonly<RoleRecord>;
export type InstanceProfile = DeepReadonly<InstanceProfileRecord>;
export type Policy = DeepReadonly<PolicyRecord>;

const ACCOUNT = 'account';

/** IAM's state of an account. */
export class IamState {
  readonly accountId: string;
  readonly users: Collection<UserRecord>;
  readonly groups: Collection<GroupRecord>;
  readonly roles: Collection<RoleRecord>;
  readonly instanceProfiles: Collection<InstanceProfileRecord>;
  readonly policies: Collection<PolicyRecord>;
  readonly deletionTasks: Collection<DeletionTaskRecord>;
  readonly mfaDevices: Collection<MfaDeviceRecord>;
  readonly sshKeys: Collection<SshKeyRecord>;
  readonly signingCertificates: Collection<SigningCertificateRecord>;
  readonly serviceCredentials: Collection<ServiceCredentialRecord>;
  readonly serverCertificates: Collection<ServerCertificateRecord>;
  readonly oidcProviders: Collection<OidcProviderRecord>;
  readonly samlProviders: Collection<SamlProviderRecord>;
  readonly credentialReports: Collection<CredentialReportRecord>;
  readonly accessJobs: Collection<AccessJobRecord>;
  readonly organizationsJobs: Collection<OrganizationsJobRecord>;
  /** Requests made by the account, for any target account. */
  readonly delegationRequests: Collection<DelegationRequestRecord>;
  private readonly accounts: Collection<AccountRecord>;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.users = scope.collection(userCollection);
    this.groups = scope.collection(groupCollection);
    this.roles = scope.collection(roleCollection);
    this.instanceProfiles = scope.collection(instanceProfileCollection);
    this.policies = scope.collection(policyCollection);
    this.deletionTasks = scope.collection(deletionTaskCollection);
    this.mfaDevices = scope.collection(mfaDeviceCollection);
    this.sshKeys = scope.collection(sshKeyCollection);
    this.signingCertificates = scope.collection(signingCertificateCollection);
    this.serviceCredentials = scope.collection(serviceCredentialCollection);
    this.serverCertificates = scope.collection(serverCertificateCollection);
    this.oidcProviders = scope.collection(oidcProviderCollection);
    this.samlProviders = scope.collection(samlProviderCollection);
    this.credentialReports = scope.collection(credentialReportCollection);
    this.accessJobs = scope.collection(accessJobCollection);
    this.organizationsJobs = scope.collection(organizationsJobCollection);
    this.delegationRequests = scope.collection(delegationRequestCollection);
    this.accounts = scope.collection(accountCollection);
  }

  /** Account-wide settings. */
  get account(): DeepReadonly<AccountRecord> {
    return this.accounts.get(ACCOUNT) ?? {};
  }

  /**
   * Returns the creation time of the account, which is its first use.
   * @param now epoch milliseconds
   */
  createdAt(now: number): number {
    const { createdAt } = this.account;
    if (createdAt !== undefined) return createdAt;
    this.updateAccount((draft) => {
      draft.createdAt = now;
    });
    return now;
  }

  updateAccount(change: (draft: AccountRecord) => void): void {
    const draft = structuredClone(this.account) as AccountRecord;
    change(draft);
    this.accounts.put(ACCOUNT, draft);
  }
}

/** Creates the state of an account. */
export const createState = (scope: StateScope): IamState => new IamState(scope);
