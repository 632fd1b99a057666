/**
 * How much there can be of everything.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
export const QUOTAS = {
  users: 5000,
  groups: 300,
  roles: 1000,
  instanceProfiles: 1000,
  policies: 1500,
  policyVersions: 5,
  groupsPerUser: 10,
  accessKeysPerUser: 2,
  attachedPolicies: 10,
  serverCertificates: 20,
  signingCertificatesPerUser: 2,
  mfaDevicesPerUser: 8,
  sshKeysPerUser: 5,
  /** Of one service. */
  serviceCredentialsPerUser: 2,
  oidcProviders: 100,
  clientIdsPerOidcProvider: 100,
  thumbprintsPerOidcProvider: 5,
  samlProviders: 100,
  privateKeysPerSamlProvider: 2,
  /** Characters without white space, of a managed policy and of a trust policy. */
  managedPolicySize: 6144,
  trustPolicySize: 2048,
  /** Characters without white space, of all inline policies of one of these. */
  inlinePolicySize: { user: 2048, group: 5120, role: 10_240 },
} as const;
